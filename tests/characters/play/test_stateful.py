"""Random sessions: whatever is done in whatever order, the numbers hold, undo restores, and the journal replays."""

import os
from collections import Counter
from itertools import permutations

import pytest
from django.db import transaction
from django.http import Http404
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from characters.actions.carrying import STATES
from characters.actions.kinds import kinds_of
from characters.actions.registry import actions_of
from characters.change import fact_address, history_entries
from characters.change.refusals import Refused
from characters.models import Character, RollRecord
from characters.read import version_cache
from characters.read.prose import digest, digest_of
from characters.read.versions import read
from characters.verbs.purchase import outfit
from rules.compile import bundle_for
from rules.games.polyhedral.health import DEADLY_WOUNDS
from rules.games.polyhedral.places import in_the_way
from rules.models import Source
from rules.publications import publish
from tests.characters.cast import mira, person, present
from tests.characters.play.table import seated
from tests.support.characters import sheet_of
from tests.support.homebrew import homebrew, spell

pytestmark = pytest.mark.slow

SOAK = bool(os.environ.get("SOAK"))
RUNS, STEPS = (500, 50) if SOAK else (5, 25)

BOOL = st.booleans()
FEW, SMALL = st.integers(0, 3), st.integers(0, 12)
DICE = st.randoms(use_true_random=True)
TEXT = st.sampled_from(("Late", "Proud", "Kind", "Two\nlines", "A\x00", ""))
PLACE = SMALL  # the place of a row among those of the character, see `found`
ASPECT = st.just("") | PLACE
ITEM, RELATIONSHIP = {"item": PLACE}, {"relationship": PLACE}
LINKED = {"linked": st.none() | PLACE}
KIND = st.sampled_from(("trait", "ideal", "bond", "flaw", "mood"))
SLUGS = ("poisoned", "prone", "exhausted", "slowed", "stunned", "petrified", "dying", "stable", "dead", "unconscious")
CONDITION = st.sampled_from([f"condition:{slug}" for slug in SLUGS])
TYPE = st.sampled_from(("", "fire", "poison", "slashing"))
COUNTERS = (
    "health", "wounds", "stamina", "resolve", "second-wind", "action-surge", "resources-lowered", "rally", "action",
    "movement",
)  # fmt: skip
AMOUNT = st.builds("{}{}".format, st.sampled_from(("+", "-", "")), SMALL)
CIRCUMSTANCES = ("half-cover", "three-quarters-cover", "dim-light", "attacker-within-5", "squeezing", "trained")
FEATURES = (
    "rally", "second-wind", "action-surge", "stabilize-with-a-healing-kit", "defend", "provoke", "dueling", "dash",
    "stand-up",
)  # fmt: skip
STYLE = {"human-culture.skills": ["athletics", "awareness"], "fighter.fighting-style": ["dueling"]}
OF_ATTACKS = st.sampled_from(("attack", "damage", "critical", "cast"))
ROLLS = ("skill.athletics", "save.vitality", "initiative", "skill.juggling")
ASKED = {
    "advantage": BOOL, "target": st.none() | st.integers(3, 24), "resolve": st.sampled_from((0, 0, 1)), "chance": DICE,
}  # fmt: skip
GOODS = st.sampled_from(
    ["weapon:dagger", "gear:arrows", "gear:bullets", "armor:leather", "armor:shield", "armor:chain-mail"]
    + ["armor:plate", "weapon:pistol-revolver", "weapon:rifle-bolt-action", "talent:tough"]
)
DOWNTIME = {
    "days": FEW, "activity": TEXT, "restore": BOOL, "ranks": st.integers(-2, 2), "points": FEW,
    "learn": st.sampled_from(("", "language:elvish", "skill:stealth")),
    "language": st.sampled_from(("", "Elvish", "Sea cant", "SEA CANT")),
}  # fmt: skip
HIT = {"amount": SMALL | st.integers(0, 60), "type": TYPE, "also": st.none() | SMALL, "also_type": TYPE}
HIT |= {"firearm": BOOL, "critical": BOOL, "near": BOOL}

# Every verb of the live sheet with its arguments: often legal, sometimes not.
SPELL = {
    "name": TEXT, "time": st.sampled_from(("", "bonus action")), "range": st.sampled_from(("", "60 ft")),
    "cantrip": BOOL, "test": st.sampled_from(("", "melee", "ranged", "mind", "luck")),
    "damage": st.sampled_from(("", "2d6+1 fire", "much")), "text": TEXT,
}  # fmt: skip
ROW_OF_SPELL = {"spell": PLACE}
VERBS = {
    "take_damage": HIT,
    "heal": {"amount": SMALL},
    "change_health": {"amount": AMOUNT},
    "adjust": {"resource": st.sampled_from(COUNTERS), "amount": AMOUNT},
    "use": {"action": st.sampled_from(FEATURES), "whom": TEXT, "chance": DICE},
    "death_save": {"chance": DICE},
    "stabilize": {"medic": BOOL},
    "add_condition": {"condition": CONDITION, "rounds": FEW, "source": st.sampled_from(("", "a curse"))},
    "remove_condition": {"held": PLACE},
    "toggle": {"switch": st.builds("{}{}".format, st.sampled_from("+-"), st.sampled_from(CIRCUMSTANCES))},
    "next_round": {},
    "move": {"feet": SMALL, "hindered": BOOL},
    "notice": {"stealth": st.integers(5, 20)},
    "fall": {"feet": st.integers(5, 25), "chance": DICE},
    "begin_rest": {"rest": st.sampled_from(("short-rest", "rally", "long-rest"))},
    "spend_rest_die": {"chance": DICE},
    "treat_wounds": {"medic": st.none() | BOOL},
    "finish_rest": {},
    "long_rest": {"strenuous_minutes": st.sampled_from((0, 59, 60)), "day_passed": BOOL},
    "end_adventure": {},
    "spend_downtime": DOWNTIME,
    "mark": {"name": TEXT},
    "roll": {"key": st.sampled_from(ROLLS) | st.tuples(OF_ATTACKS, PLACE), **ASKED},
    "change_roll": {"roll": PLACE, "action": st.sampled_from(("dueling", "indomitable", "rally")), "chance": DICE},
    "extra_die": {"roll": PLACE, "aspect": ASPECT, "chance": DICE},
    "nudge": {"roll": PLACE, "up": BOOL, "aspect": ASPECT},
    "nudge_elsewhere": {"up": BOOL, "whose": TEXT},
    "turn_critical": {"roll": PLACE},
    "turn_aside": {},
    "cheat_death": {},
    "extra_turn": {},
    "declare": {"aspect": PLACE, "detail": TEXT},
    "detail": {"aspect": PLACE, "detail": TEXT, "roll": PLACE},
    "compel": {"aspect": PLACE, "words": st.sampled_from(("", "Late")), "accept": BOOL, "by_player": BOOL},
    "regain": {"points": FEW},
    "add_item": {"ref": st.just("") | GOODS, "custom": st.sampled_from(("", "A letter")), "quantity": FEW},
    "remove_item": ITEM,
    "set_quantity": {**ITEM, "quantity": SMALL},
    "equip": {**ITEM, "state": st.sampled_from((*STATES, "lost"))},
    "reload": ITEM,
    "gather_ammunition": {"search": BOOL},
    "purchase": {"ref": GOODS, "quantity": FEW, "overspend": BOOL},
    "buy_outfit": {"saw": PLACE},
    "purchase_together": {"ref": GOODS, "quantity": FEW, "ranks": st.lists(st.integers(1, 6), max_size=2)},
    "add_aspect": {"kind": KIND, "text": TEXT},
    "roll_aspect": {"kind": KIND, "chance": DICE},
    "roll_missing_aspects": {"chance": DICE},
    "drop_aspect": {"kind": KIND, "text": TEXT | st.sampled_from(("Hears every petition out", "Keeps every slight"))},
    "add_relationship": {"other": TEXT, "based_on": KIND, "text": TEXT, "agreed": BOOL, **LINKED},
    "agree": {**RELATIONSHIP, "agreed": BOOL},
    "link": {**RELATIONSHIP, **LINKED},
    "add_note": {"text": TEXT},
    "edit": {"address": PLACE, "text": TEXT, "was": st.sampled_from(("what stands", "what stood"))},
    "remove": {"address": PLACE},
    "add_spell": SPELL,
    "learn_spell": {"ref": st.sampled_from(("spell:ember", "spell:none", "talent:tough"))},
    "edit_spell": {**SPELL, **ROW_OF_SPELL, "was": st.sampled_from(("what stands", "what stood"))},
    "remove_spell": ROW_OF_SPELL,
    "rename": {"name": TEXT},
    "undo": {"change": PLACE},
}
# Actions that need another one before them are tried more often.
OFTEN = (
    "roll",
    "reload",
    "gather_ammunition",
    "extra_die",
    "change_roll",
    "death_save",
    "cheat_death",
    "treat_wounds",
) * 2


def acts(verb, **what):
    """An action with these arguments, and random values for the others."""
    return st.tuples(
        st.just(verb), st.fixed_dictionaries(VERBS[verb] | {key: st.just(one) for key, one in what.items()})
    )


# Each is one action, or two of which the second needs what the first has just done.
ATTACK = {"key": ("attack", 0), "advantage": False, "resolve": 0}
A_SPELL = dict.fromkeys(SPELL, "") | {"name": "Late", "cantrip": True, "spell": 0, "was": "what stands"}
ACTIONS = [
    *(st.tuples(acts(verb)) for verb in (*VERBS, *OFTEN)),
    *(st.tuples(acts("roll", **ATTACK, target=24), acts("change_roll", roll=0, action="dueling")) for _ in range(5)),
    *(st.tuples(acts("roll", **ATTACK, target=3), acts("turn_critical", roll=0)) for _ in range(5)),
    st.tuples(acts("learn_spell", ref="spell:ember"), acts("edit_spell", **A_SPELL)),
]
SHOTS = 6  # of a revolver
# The number of each thing, and the number used up: otherwise hardly an evening would reach reloading.
THINGS = {
    "longbow": (1, 0), "arrows": (6, 0), "pistol-revolver": (1, 2), "bullets": (9, 0), "dagger": (3, 0),
    "healing-kit": (1, 0),
}  # fmt: skip
HURT = {"health": 5, "wounds": 2, "stamina": 0}
FALLEN = {"health": 0, "conditions": [{"condition": "dying"}, {"condition": "prone"}]}
changed, refused = Counter(), Counter()


class Evening(RuleBasedStateMachine):
    """One character's evening at the table."""

    @initialize(
        level=st.integers(1, 8),
        vitality=st.integers(6, 18),
        spirit=st.integers(8, 18),
        state=st.sampled_from((None, HURT, FALLEN)),
        held=st.sampled_from(("longbow", "pistol-revolver", "dagger", "nothing at all")),
    )
    def sit_down(self, level, vitality, spirit, state, held):
        self.seat = seated(
            level=level,
            ranks={"vitality": vitality, "spirit": spirit},
            state=state,
            choices=STYLE,
            house_rules={"sources": ["polyhedral-core", Source.objects.get(title="With a spell").slug], "switches": {}},
            relationships=[{"other": "Doran", "based_on": "bond", "text": "Owes him"}],
            inventory=[
                {"item": slug, "quantity": many, "used": shot, "state": "main" if slug == held else "carried"}
                for slug, (many, shot) in THINGS.items()
                if held != "nothing at all"
            ],
        )
        self.companion = mira()
        self.start = present(self.seat.facts)
        self.replayed = dict(self.start)

    @rule(actions=st.one_of(ACTIONS))
    def act(self, actions):
        for verb, what in actions:
            self.attempt(verb, what)

    def attempt(self, verb, what):
        """Try something: a refusal must leave everything as it was, a change must be what the journal says."""
        before = self.seat.facts
        try:
            change = getattr(self.seat, verb)(**self.found(what))
        except (Refused, Http404):
            refused[verb] += 1
            assert self.seat.facts == before
            return
        changed[verb] += 1
        self.replayed = present(self.replayed | change.after)
        self.show(change)
        self.turn(change, before)

    def found(self, what):
        """The arguments with each place replaced by the row in it; the place after the last means a missing row."""
        character, facts = self.seat.fresh, self.seat.facts
        rolls = RollRecord.objects.filter(character=character, follows=None).values_list("pk", flat=True)

        def standing(*words):
            return [address for address in facts if fact_address.namespace(address) in words] + [f"{words[0]}:0"]

        def ids(word):
            return [int(fact_address.name(address)) for address in standing(word)]

        places = {
            "item": lambda: ids("item"),
            "relationship": lambda: ids("relationship"),
            "spell": lambda: ids("spell"),
            "linked": lambda: [self.companion.pk, character.pk, 0],
            "saw": lambda: [self.suggested(), ["weapon:dagger"]],
            "aspect": lambda: standing("aspect", "relationship"),
            "address": lambda: standing("note", "aspect", "relationship"),
            "held": lambda: [fact_address.condition_parts(address) for address in standing("condition")],
            "roll": lambda: [*rolls[:12], 0],
            "change": lambda: list(character.changes.order_by("-sequence")[:13]),
        }
        named = [name for name in places if isinstance(what.get(name), int)]
        what = what | {name: (there := places[name]())[what[name] % len(there)] for name in named}
        if "held" in what:
            what |= zip(("condition", "source"), what.pop("held"), strict=True)
        if "key" in what:
            what["roll"] = self.key_of(what.pop("key"))
        if what.get("was") == "what stands":
            if "spell" in what:
                what["was"] = digest_of(facts.get(f"spell:{what['spell']}", {}))
            else:
                what["was"] = digest(facts.get(what["address"], {}).get("text", ""))
        return what

    def suggested(self):
        bundle, build, sheet = sheet_of(self.seat.fresh)
        return [item.ref for item in outfit(self.seat.character.pk, bundle, build, sheet)]

    def key_of(self, key):
        """The key of a roll: as it is given, or that of the attack or spell in this place."""
        if isinstance(key, str):
            return key
        kind, place = key
        if kind == "cast":
            spells = [fact_address.name(address) for address in self.seat.facts if address.startswith("spell:")] + ["0"]
            return f"cast.{spells[place % len(spells)]}"
        keys = [f"{one.item}.{one.grip}" for one in self.seat.sheet.attacks] + ["dagger.two-hands"]
        return f"{kind}.{keys[place % len(keys)]}"

    def show(self, change):
        """The version cached after the change equals one that is read and derived afresh."""
        if not version_cache.VERSIONS.size:  # switched off: there is nothing to compare
            return
        shown, stored = version_cache.current(change.character), read(self.seat.fresh)
        assert present(shown.facts) == present(stored.facts)
        assert shown.build == stored.build
        assert shown.sheet == stored.sheet
        assert shown.prose == stored.prose

    def turn(self, change, before):
        """Undoing the change restores the facts before it, and undoing that the facts after it. Leaves no trace."""
        here, after = transaction.savepoint_create(), self.seat.facts
        undone = self.seat.undo(change)
        assert present(self.seat.facts) == present(before)
        self.seat.undo(undone)
        assert present(self.seat.facts) == present(after)
        transaction.savepoint_rollback(here)

    @invariant()
    def the_numbers_hold(self):
        sheet, facts = self.seat.sheet, self.seat.facts
        for line in sheet.resources.values():
            assert line.left >= 0
            assert 0 <= line.spent <= max(line.max, 10) or line.style == "turn"  # its maximum may shrink
        held = {address for address in facts if address.startswith("condition:")}
        dead = any(address.startswith("condition:condition:dead|") for address in held)
        if facts.get("spent:wounds", 0) >= DEADLY_WOUNDS:
            assert dead
        stable = any(address.startswith("condition:condition:stable|") for address in held)
        dying = any(address.startswith("condition:condition:dying|") for address in held)
        assert dying == (sheet.resources["health"].left == 0 and not stable and not dead)
        rest_dice = facts["field:rest_dice"]
        assert rest_dice >= 0
        for address, used in facts.items():
            if address.startswith("used:"):
                item = facts[f"item:{fact_address.name(address)}"]
                loaded = item["ref"] == "weapon:pistol-revolver"
                assert 0 < used <= (SHOTS if loaded else item["quantity"])
        bundle = bundle_for("polyhedral")
        things = [value for address, value in facts.items() if address.startswith("item:")]
        for one, other in permutations(things, 2):
            elements = [bundle.elements.get(thing.get("ref")) for thing in (one, other)]
            assert not in_the_way(elements[0], one["state"], elements[1], other["state"])
        on = [bundle.circumstances[address[7:]].group for address in facts if address.startswith("toggle:")]
        assert all(on.count(group) == 1 for group in on if group)

    @invariant()
    def the_journal_replays(self):
        assert present(self.seat.facts) == self.replayed

    def teardown(self):
        if not hasattr(self, "seat"):
            return
        character = self.seat.fresh
        replayed = {}
        for change in character.changes.order_by("sequence"):
            replayed |= change.after
        assert present(replayed) == present(self.seat.facts)
        assert present(history_entries.facts_at(character, 1, bundle_for("polyhedral"))) == self.start
        # Five hundred evenings have more characters than one person may make.
        Character.objects.filter(pk__in=(character.pk, self.companion.pk)).delete()


def test_random_evenings_may_try_every_verb_of_the_live_sheet():
    live = {verb for kind, verbs in kinds_of("polyhedral").values() if kind.slug != "levels" for verb in verbs}
    assert VERBS.keys() >= live | actions_of("polyhedral").keys()


@pytest.mark.django_db
def test_random_evenings_break_no_invariant():
    book = homebrew("With a spell", owner=person().user, published=False)
    spell(book, "ember", "Ember", attack="ranged", damage="2d6 fire", text="Hot.")
    publish(book)
    run_state_machine_as_test(
        Evening,
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
    for verb in sorted(changed | refused):
        print(f"{verb}: {changed[verb]:,} changes, {refused[verb]:,} refused")
    print(f"{changed.total():,} changes, {refused.total():,} refused")
    assert changed.total() > RUNS
    if SOAK:
        assert not [verb for verb in VERBS if not changed[verb]]
