"""A character on the table: everything that its live pages show, derived once for each version."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Case, When
from django.shortcuts import get_object_or_404
from django.urls import reverse

from characters import rolls, rows
from characters.build import build_from, bundle_of
from characters.levels.overview import Standing, standing
from characters.models import Change, Character, RollRecord
from characters.people import Person, person_of
from characters.verbs.play.prose import mark
from characters.views.reading import Opened
from rules.compile import Kept
from rules.engine import Build, Bundle, Sheet, derive
from rules.systems import system_of

KEPT = Kept(64)
MOST_OTHERS = 200
PROSE = ("aspect", "relationship", "note")


@dataclass(frozen=True)
class Shown:
    """What one version of a character comes to, its page and table as the game's system presents them. It never
    changes, so it is kept."""

    bundle: Bundle
    build: Build
    sheet: Sheet
    page: object
    table: object
    prose: dict[str, tuple]

    @property
    def invocable(self) -> list[tuple[str, str]]:
        """What resolve may draw on, address and words: aspects, and relationships that both players have agreed to."""
        aspects = [(one["address"], one["text"]) for one in self.prose["aspect"]]
        ties = [tie for tie in self.prose["relationship"] if tie["agreed"]]
        return aspects + [(tie["address"], f"{tie['other']}: {tie['text']}") for tie in ties]


@dataclass(frozen=True)
class Told:
    """A roll with what was added to it: `first` names it, `last` is how it stands; `might`: what one point would do."""

    first: RollRecord
    last: RollRecord
    added: int
    might: object


@dataclass(frozen=True)
class Live:
    character: Character
    person: Person
    shown: Shown

    @property
    def version(self) -> str:
        return version_of(self.character)

    @property
    def opened(self) -> Opened:
        return Opened(self.character, reverse("characters:sheet", args=[self.character.pk]), own=True)

    @cached_property
    def others(self) -> dict[int, str]:
        """Other characters that this person may see, by name: what a relationship may lead to, linked ones first of
        all where there are very many."""
        linked = [tie["linked"] for tie in self.shown.prose["relationship"] if tie["linked"]]
        seen = Character.objects.visible_to(self.person).exclude(pk=self.character.pk)
        first = seen.order_by(Case(When(pk__in=linked, then=0), default=1), "name", "pk")[:MOST_OTHERS]
        return {one.pk: str(one) for one in sorted(first.only("name"), key=str)}

    @cached_property
    def latest(self) -> Change | None:
        """The newest change, offered for undoing."""
        return self.character.changes.order_by("-sequence").first()

    @cached_property
    def last_roll(self) -> Told | None:
        return next(iter(self.rolls(1)), None)

    @property
    def latest_roll(self) -> Told | None:
        """The newest roll, when it is what happened last."""
        roll = self.last_roll
        return roll if roll and self.latest and roll.last.change_id == self.latest.pk else None

    @classmethod
    def after(cls, change: Change, person: Person) -> "Live":
        """The character right after this change, without reading again what the change has read and written."""
        draft = getattr(change, "draft", None)
        if draft is None:
            return live_of(playable(person).get(pk=change.character_id), person)
        character = change.character
        shown = shown_of(character, draft.facts, draft.bundle)
        KEPT.put((character.pk, version_of(character)), shown)
        live = cls(character, person, shown)
        live.__dict__["latest"] = change
        live.__dict__["last_roll"] = live.told([*draft.follows, *draft.rolls]) if draft.rolls else None
        return live

    def rolls(self, most: int) -> list[Told]:
        return [self.told(chain) for chain in rolls.log_of(self.character, self.person, most=most)]

    def told(self, chain) -> Told:
        play = system_of(self.shown.bundle.system).play
        might = play.might_become(self.shown.bundle, self.shown.build, rolls.rolled_of(chain[-1]))
        return Told(chain[0], chain[-1], len(chain) - 1, might)

    @cached_property
    def standing(self) -> Standing:
        return standing(self.shown.bundle, self.shown.build, self.shown.sheet)


def open_live(request, pk) -> Live:
    """The character that this visitor may play, else 404."""
    return live_of(get_object_or_404(playable(person_of(request)), pk=pk), person_of(request))


def playable(person: Person):
    return Character.objects.playable_by(person).select_related("ruleset")


def version_of(character: Character) -> str:
    """What tells this version of a character from every other, also after a backup is put back: number and moment."""
    return f"{character.version}.{int(character.changed_at.timestamp() * 1_000_000)}"


def kept(pk: int, version: str) -> Shown | None:
    """What a version showed, if it is still kept."""
    return KEPT.values.get((pk, version))


def live_of(character: Character, person: Person) -> Live:
    """Read once for each version: facts and version are two readings, so when a change came between, read again."""
    shown = kept(character.pk, version_of(character))
    if shown is None or bundle_of(character, shown.build) is not shown.bundle:
        facts = rows.stored(character)
        now = Character.objects.select_related("ruleset").get(pk=character.pk)
        if version_of(now) != version_of(character):
            return live_of(now, person)
        shown = shown_of(character, facts)
        KEPT.put((character.pk, version_of(character)), shown)
    return Live(character, person, shown)


def shown_of(character: Character, facts: rows.Facts, bundle: Bundle | None = None) -> Shown:
    build = build_from(facts)
    bundle = bundle or bundle_of(character, build)
    sheet = derive(bundle, build)
    system = system_of(bundle.system)
    return Shown(
        bundle,
        build,
        sheet,
        system.present.present(bundle, build, sheet),
        system.table.table(bundle, build, sheet),
        {word: prose(facts, word) for word in PROSE},
    )


def prose(facts: rows.Facts, word: str) -> tuple:
    """The texts of one kind in their order, each with its address and the mark that an edit starts from."""
    found = [(address, value) for address, value in facts.items() if address.startswith(f"{word}:")]
    found.sort(key=lambda pair: (pair[1]["position"], int(pair[0].partition(":")[2])))
    return tuple(
        {
            **value,
            "address": address,
            "id": address.replace(":", "-"),
            "row": address.partition(":")[2],
            "mark": mark(value["text"]),
            "linked": value.get("linked_id"),
        }
        for address, value in found
    )
