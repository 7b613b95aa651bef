"""Turns a document of the right shape into a Build, with every name looked up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from rules.engine.build import Award, Build, Decision, Downtime, Held, Item, Relationship, Spell
from rules.engine.bundle import Bundle
from rules.engine.content import Choice
from rules.engine.difference import FEATURES
from rules.engine.gather import TAUGHT
from rules.engine.phrases import joined
from rules.engine.sheet import Problem
from rules.games.house_rules import unfit
from rules.games.strict_json import below

from .file_names import FileNames, plain
from .paths import ORIGIN
from .play.life import with_state
from .play.rests import may_begin
from .spells import unfit_parts

# Counters with their own key in `state`: the number that is left,
LEFT = ("health", "stamina", "resolve")
# and here the number that there is, with the slug of the resource.
COUNTED = {"wounds": "wounds", "resources_lowered": "resources-lowered"}
NEEDS = {"job": "job", "abilities": "ranks", "talent": "talent"}
TWICE = "This is here twice."
AWARDED = (*TAUGHT, *FEATURES)  # kinds that a storyteller awards; all others are chosen, carried or in force
MOST_OF_A_LIST = 200  # characters in a house rule that is a list, commas included
MOST_DECISIONS = 2_000  # a character of level 40 has less than a tenth as many
UNPRINTABLE = {chr(code) for code in (*range(32), *range(127, 160))}


def numbered[Entry](entries: Sequence[Entry | None]) -> Iterator[tuple[int, Entry]]:
    """The entries of a list with their numbers, without entries of a wrong shape."""
    return ((at, entry) for at, entry in enumerate(entries) if entry is not None)


class FileReader:
    """Reads one document, and collects problems on the way.

    misshapen: the paths of values with a wrong shape, which are reported already.
    """

    def __init__(self, bundle: Bundle, misshapen: Set[str] = frozenset()):
        self.bundle = bundle
        self.names = FileNames(bundle)
        self.misshapen = misshapen
        self.problems: list[Problem] = []

    def rest(self, rest: Mapping[str, Any]) -> str:
        slug: str = rest.get("rest", "")
        if slug and not may_begin(self.bundle, slug):
            self.refuse("state.rest.rest", f"There is no rest “{slug}” that a character can begin.")
        return slug

    def refuse(self, path: str, sentence: str) -> None:
        if path not in self.misshapen:
            self.problems.append(Problem(path, sentence))

    def read(self, document: Mapping[str, Any]) -> Build:
        if (ruleset := document.get("ruleset")) != self.bundle.ruleset:
            self.refuse("ruleset", f"There is no game “{ruleset}” here.")
        house_rules = document.get("house_rules", {})
        self.sources(house_rules, "left_out")  # only to check their names
        abilities = document.get("abilities", {})
        state = document.get("state", {})
        decisions = [
            *self.creation(document),
            *self.points(abilities.get("bonuses", {}), "core-rules.ability-bonuses", 1, "abilities.bonuses"),
            *self.choices(document.get("choices", {}), 1, "choices"),
            *self.levels(document.get("levels", []), "levels"),
        ]
        plan = list(self.levels(document.get("plan", []), "plan"))
        for where, made in (("levels", decisions), ("plan", plan)):
            if len(made) > MOST_DECISIONS:
                self.refuse(where, f"This file decides {len(made)} things: at most {MOST_DECISIONS} are read.")
        if "rolls" in abilities and abilities.get("method") != "rolled" and "abilities.method" not in self.misshapen:
            self.refuse("abilities.rolls", "Only the method “rolled” has rolls.")
        spent = self.spent(state)
        return Build(
            name=self.words(document.get("name", ""), "name"),
            xp=document.get("xp", 0),
            milestone=document.get("milestone"),
            inputs=self.by_ability(abilities.get("ranks", {}), "abilities.ranks"),
            method=abilities.get("method", ""),
            dice=tuple(tuple(faces) for _, faces in numbered(abilities.get("rolls", []))),
            decisions=tuple(decisions),
            plan=tuple(plan),
            items=tuple(self.item(entry, f"inventory[{at}]") for at, entry in numbered(document.get("inventory", []))),
            conditions=with_state(tuple(self.listed(state.get("conditions", []))), state.get("health"), spent),
            awards=tuple(self.awards(document.get("awards", []))),
            aspects=tuple(
                (entry.get("kind", ""), self.words(entry.get("text", ""), f"aspects[{at}].text"))
                for at, entry in numbered(document.get("aspects", []))
            ),
            relationships=tuple(self.relationships(document.get("relationships", []))),
            notes=tuple(self.lines(text, f"notes[{at}]") for at, text in numbered(document.get("notes", []))),
            downtimes=tuple(self.downtimes(document.get("downtime", []))),
            spells=tuple(self.spells(document.get("spells", []))),
            spent=spent,
            left={key: state[key] for key in LEFT if key in state},
            toggles=self.toggles(state.get("toggles", [])),
            rest=self.rest(state.get("rest", {})),
            rest_dice=state.get("rest", {}).get("dice", 0),
            switches=self.switches(house_rules.get("switches", {})),
            sources=self.sources(house_rules, "sources"),
        )

    # names

    def words(self, text: str, path: str) -> str:
        """A player's own words: anything that can be printed."""
        if UNPRINTABLE & set(text):
            self.refuse(path, "This text holds control characters.")
        elif text != text.strip():
            self.refuse(path, "This text begins or ends with a space.")
        return text

    def sources(self, house_rules: Mapping[str, Any], key: str) -> frozenset[str]:
        known = {slug for slug, _ in self.bundle.revision}
        slugs = house_rules.get(key, [])
        for at, slug in numbered(slugs):
            if slug not in known:
                way_out = "If it is someone’s homebrew, ask for a link to the character, and copy it there."
                self.refuse(f"house_rules.{key}[{at}]", f"There is no source “{slug}” here. {way_out}")
        return frozenset(slugs)

    def switches(self, values: Mapping[str, object]) -> dict[str, str]:
        found = {}
        for key, value in values.items():
            path = below("house_rules.switches", key)
            switch = self.bundle.switches.get(key)
            if switch is None:
                self.refuse(path, "There is no such house rule.")
                continue
            if not isinstance(value, (str, list) if switch.type == "list" else (str, int)):
                self.refuse(
                    path, "This must be text or a list." if switch.type == "list" else "This must not be a list."
                )
                continue
            text = self.in_a_row(value, path) if switch.type == "list" else str(value)
            if isinstance(value, bool):
                words = ("true", "on") if value else ("false", "off")
                text = next((word for word in words if word in (*switch.allowed, switch.default)), words[0])
            if sentence := unfit(switch, text):
                self.refuse(path, sentence)
            elif text != switch.default:
                found[key] = text
        return found

    def in_a_row(self, value: Any, path: str) -> str:
        """The text that is stored for a list of a player's own words, or for one text."""
        if not value:
            self.refuse(path, "This is empty.")
        if not isinstance(value, list):
            return self.words(value, path)
        for at, word in numbered(value):
            if not self.words(word, below(path, at)):
                self.refuse(below(path, at), "This is empty.")
        text = ", ".join(word for _, word in numbered(value))
        if len(text) > MOST_OF_A_LIST:
            self.refuse(path, f"This is longer than {MOST_OF_A_LIST} characters in all.")
        return text

    def by_ability(self, numbers: Mapping[str, int], path: str) -> dict[str, int]:
        """A number for each ability, by the statistic of its rank."""
        found: dict[str, int] = {}
        for slug, number in numbers.items():
            stat = self.names.ability(slug)
            if not stat:
                self.refuse(below(path, slug), f"There is no ability “{slug}”.")
            elif stat in found:
                self.refuse(below(path, slug), TWICE)
            else:
                found[stat] = number
        return found

    # decisions

    def creation(self, document: Mapping[str, Any]) -> Iterable[Decision]:
        for key, path in ORIGIN.items():
            place: Any = document
            for step in path.split("."):
                place = place.get(step, {}) if isinstance(place, dict) else {}
            if place and path != "abilities.bonuses":
                yield from self.answers(key, [place], 1, path, single=True)

    def choices(self, choices: Mapping[str, list[object]], level: int, path: str) -> Iterable[Decision]:
        for key, answers in choices.items():
            choice = self.names.choice(key)
            if choice is None or choice.key in ORIGIN or choice.budget:
                self.refuse(below(path, key), "There is no such choice.")
            else:
                yield from self.answers(choice.key, answers, level, below(path, key))

    def answers(
        self, key: str, answers: list[Any], level: int, path: str, *, single: bool = False
    ) -> Iterable[Decision]:
        choice = self.bundle.choices.get(key)
        if choice is None:
            self.refuse(path, "These rules do not ask for this.")
            return
        points: dict[str, int] = {}
        for at, entry in numbered(answers):
            where = path if single else below(path, at)
            name, override = entry, ""
            if isinstance(entry, dict):
                name = entry.get("option", "")
                override = self.words(entry.get("override", ""), below(where, "override"))
                where = below(where, "option")
            if not name:
                continue
            if choice.mode == "spread":
                if name in choice.stats:
                    points[name] = points.get(name, 0) + 1
                else:
                    self.refuse(where, f"“{name}” is not offered here.")
            else:
                yield self.decision(choice, name, level, at, where, override)
        for at, (stat, count) in enumerate(points.items()):
            yield Decision(key, level, at, stat=stat, points=count)

    def decision(self, choice: Choice, name: str, level: int, at: int, path: str, override: str) -> Decision:
        kinds = self.names.kinds_of(choice)
        ref = self.names.find(name, kinds)
        if not ref and choice.write_in and (meant := self.names.find(plain(name), kinds)) in choice.options:
            ref = meant  # a printed name means the option, as it does when a player types it
        if ref:
            return Decision(choice.key, level, at, ref=ref, override=override)
        if choice.write_in:
            return Decision(choice.key, level, at, write_in=self.words(name, path), override=override)
        self.refuse(path, f"There is no {' or '.join(kinds) or 'option'} “{name}”.")
        return Decision(choice.key, level, at)

    def points(self, points: Mapping[str, int], key: str, level: int, path: str, override: str = "") -> list[Decision]:
        """The points as decisions, in the order of the abilities and not of the file. 0 points are no answer."""
        found = {stat: count for stat, count in self.by_ability(points, path).items() if count}
        order = [stat for stat in self.names.ability_of if stat in found]
        return [
            Decision(key, level, at, stat=stat, points=found[stat], override=override) for at, stat in enumerate(order)
        ]

    def levels(self, levels: list[Mapping[str, Any]], root: str) -> Iterable[Decision]:
        last = 1
        for at, entry in numbered(levels):
            path = f"{root}[{at}]"
            level = entry.get("level", last)
            if level <= last:
                self.refuse(f"{path}.level", f"Level {level} comes after level {last}." if last > 1 else "Too low.")
            last = max(last, level)
            yield from self.pick(entry, level, path)
            yield from self.choices(entry.get("choices", {}), level, f"{path}.choices")

    def pick(self, entry: Mapping[str, Any], level: int, path: str) -> Iterable[Decision]:
        take = entry.get("take")
        wanted = NEEDS.get(take or "")
        if take is None:  # it is missing or misshapen; the other keys are checked anyway
            wanted = next((key for key in NEEDS.values() if key in entry), None)
            if wanted or not entry.get("choices"):
                self.refuse(f"{path}.take", "This key is missing.")
        for key in NEEDS.values():
            if take and key in entry and key != wanted:
                self.refuse(f"{path}.{key}", f"This does not go with “take”: {take}.")
        if wanted is None:
            if "override" in entry:
                self.refuse(
                    f"{path}.override", "This belongs beside something that the level takes, or beside one answer."
                )
            return
        if wanted not in entry:
            self.refuse(f"{path}.{wanted}", "This key is missing.")
            return
        override = self.words(entry.get("override", ""), f"{path}.override")
        if wanted == "ranks":
            yield from self.points(entry["ranks"], "core-rules.level-abilities", level, f"{path}.ranks", override)
            return
        choice = self.bundle.choices.get(f"core-rules.level-{wanted}")
        if choice is None:
            self.refuse(path, "These rules do not ask for this.")
        else:
            yield self.decision(choice, entry[wanted], level, 0, f"{path}.{wanted}", override)

    # possessions and state

    def lines(self, text: str, path: str) -> str:
        """Several lines of a player's own words."""
        for line in text.split("\n"):
            if UNPRINTABLE & set(line) or line != line.rstrip():
                self.words(line.lstrip(), path)
        return self.words(text.replace("\n", " "), path) and text

    def relationships(self, entries: list[Mapping[str, Any]]) -> Iterable[Relationship]:
        for at, entry in numbered(entries):
            path = f"relationships[{at}]"
            other, text = (self.words(entry.get(key, ""), f"{path}.{key}") for key in ("other", "text"))
            yield Relationship(other, entry.get("based_on", ""), text, entry.get("agreed", False))

    def downtimes(self, entries: list[Mapping[str, Any]]) -> Iterable[Downtime]:
        for at, entry in numbered(entries):
            words = [
                self.words(entry.get(key, ""), f"downtime[{at}].{key}") for key in ("activity", "notes", "outcome")
            ]
            yield Downtime(entry.get("days", 1), *words)

    def spells(self, entries: list[Mapping[str, Any]]) -> Iterable[Spell]:
        for at, entry in numbered(entries):
            path = f"spells[{at}]"
            words = {key: self.words(entry.get(key, ""), f"{path}.{key}") for key in ("name", "time", "range")}
            spell = Spell(
                **words,
                cantrip=entry.get("cantrip", False),
                attack=entry.get("attack", ""),
                saving_throw=entry.get("saving_throw", ""),
                damage=self.words(entry.get("damage", ""), f"{path}.damage"),
                text=self.lines(entry["text"], f"{path}.text") if "text" in entry else "",
                key=str(at),
            )
            for field, sentence in unfit_parts(self.bundle, spell):
                self.refuse(f"{path}.{field}", sentence)
            yield spell

    def item(self, entry: Mapping[str, Any], path: str) -> Item:
        quantity, state = entry.get("quantity", 1), entry.get("state", "carried")
        if ("item" in entry) == ("custom" in entry) and self.misshapen.isdisjoint((f"{path}.item", f"{path}.custom")):
            self.refuse(path, "An entry has either “item” or “custom”.")
        if "item" in entry and (ref := self.names.item(entry["item"])):
            armor = self.bundle.elements[ref].armor
            if armor and armor.hands and state == "off":
                state = "worn"  # for a shield, both mean the same: it takes that hand (ruling 54)
            return Item(ref=ref, quantity=quantity, state=state, used=entry.get("used", 0))
        name = "item" if "item" in entry else "custom"
        custom = self.words(entry.get(name, ""), f"{path}.{name}")
        return Item(custom=custom, quantity=quantity, state=state, used=entry.get("used", 0))

    def listed(self, conditions: list[Mapping[str, Any]]) -> Iterable[Held]:
        """The conditions in the file. The same entry twice counts once (ruling 84)."""
        seen: dict[tuple[str, str], Held] = {}
        for at, entry in numbered(conditions):
            path = f"state.conditions[{at}]"
            slug = entry.get("condition", "")
            ref = self.names.find(slug, ("condition",))
            element = self.bundle.elements.get(ref)
            source, until = (self.words(entry.get(key, ""), f"{path}.{key}") for key in ("source", "until"))
            held = Held(ref, entry.get("stacks", 1), source, until, entry.get("rounds", 0))
            if element is None:
                self.refuse(f"{path}.condition", f"There is no condition “{slug}”.")
            elif ref in self.bundle.tracked:
                self.refuse(f"{path}.condition", f"{element.name} is counted in state, not listed here.")
            elif seen.setdefault((ref, source), held) != held:
                self.refuse(
                    f"{path}.condition", f"{element.name} is here twice from the same source, with different details."
                )
            elif seen[ref, source] is held:
                yield held

    def awards(self, awards: list[Mapping[str, Any]]) -> Iterable[Award]:
        seen = set()
        for at, entry in numbered(awards):
            path = f"awards[{at}]"
            reason = self.words(entry.get("reason", ""), f"{path}.reason")
            kind, slug = entry.get("kind", ""), entry.get("element", "")
            if not kind:
                continue
            ref = self.names.language(slug) if kind == "language" else self.names.find(slug, (kind,))
            write_in = self.words(slug, f"{path}.element") if kind == "language" and not ref else ""
            if kind not in AWARDED:
                self.refuse(f"{path}.kind", f"An award is a {joined(AWARDED, 'or')}.")
            elif not ref and not write_in:
                self.refuse(f"{path}.element", f"There is no {kind} “{slug}”.")
            elif (ref, write_in) in seen:
                self.refuse(f"{path}.element", TWICE)
            else:
                seen.add((ref, write_in))
                yield Award(ref, reason, write_in)

    def spent(self, state: Mapping[str, Any]) -> dict[str, int]:
        found = {slug: state[key] for key, slug in COUNTED.items() if state.get(key)}
        for key, amount in state.get("spent", {}).items():
            path, slug = below("state.spent", key), self.names.resource(key)
            if not slug:
                self.refuse(path, f"There is no resource “{key}”.")
            elif slug in LEFT or slug in COUNTED.values():
                self.refuse(path, f"This belongs in state, as “{slug.replace('-', '_')}”.")
            elif slug in found:
                self.refuse(path, TWICE)
            elif amount:
                found[slug] = amount
        return found

    def toggles(self, toggles: list[str]) -> frozenset[str]:
        for at, slug in numbered(toggles):
            if slug not in self.bundle.circumstances:
                self.refuse(f"state.toggles[{at}]", f"There is no circumstance “{slug}”.")
        return frozenset(toggles)
