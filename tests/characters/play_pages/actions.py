"""One case for every action: the steps before it, its fields, where it shows, and what it refuses."""

import uuid
from dataclasses import dataclass, field

from characters import verbs
from characters.actions.registry import actions_of
from characters.people import Person
from characters.read.prose import digest, digest_of
from rules.models import Source
from rules.publications import publish
from tests.characters.play.table import play
from tests.support.homebrew import homebrew, spell

ACTIONS = {action.slug: action for action in actions_of("polyhedral").values()}

# Texts that no field of an action expects.
BAD = (
    "", " ", "\x00", "a\x00b", "\udc80", "\u202e", "NaN", "inf", "-0", "1e9", str(2**70), str(-(2**70)), "٣", "½",
    "0x10", "1.5", "+", "-", "−", "+-1", "x" * 30_000, "../../etc/passwd", "<script>", "'; drop table", "{}", "[]",
    "condition:", ":", "attack..", "attack.x.y.z", "damage.", "note:", "note:-1", "note:x", "aspect:" + "9" * 60,
    "skill.",
    "on", "true", "None", "null", "-1", "999999999999",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    fields: dict = field(default_factory=dict)
    before: tuple = ()  # (slug, fields) sent first
    wrong: dict | None = None  # fields that are refused; None if none can be wrong
    shows: str = "latest"  # a region of the answer
    row: str = ""  # the field `<row>` is the id of the newest row of this kind
    page: str = ""  # the page of its form, if that is not the sheet
    style: str = ""  # the fighting style that it needs
    spells: bool = False  # it needs rules in play with a spell of the player’s own


DOWN = (("adjust", {"resource": "health", "amount": "0"}),)
HURT = (("take-damage", {"amount": "5"}),)
RESTING = (*HURT, ("begin-rest", {"rest": "short-rest"}))
ROLLED = (("roll", {"roll": "skill.athletics", "target": "30"}),)
SPELL = {"name": "Fire bolt", "test": "ranged", "damage": "2d6 fire"}
NOTED = (("add-note", {"text": "A note"}),)
THROWN = (("equip", {"item": "{thrown}", "state": "main"}), ("roll", {"roll": "attack.{thrown}.thrown"}))
KIT = (("purchase-together", {"ref": "gear:healing-kit", "ranks": "4"}),)
SPENT = (("adjust", {"resource": "resolve", "by": "-1"}),)

CASES = {
    "take-damage": Case({"amount": "3", "type": "fire"}, wrong={"amount": "x"}, shows="health"),
    "heal": Case({"amount": "3"}, HURT, wrong={"amount": "-3"}, shows="health"),
    "change-health": Case({"amount": "-3"}, wrong={"amount": "x"}, shows="health"),
    "adjust": Case(
        {"resource": "stamina", "by": "-1"}, wrong={"resource": "stamina", "amount": "999"}, shows="count-stamina"
    ),
    "use": Case({"action": "stabilize-with-a-healing-kit"}, KIT, wrong={"action": "flying"}, shows="uses"),
    "death-save": Case({"faces": "4 4 4"}, DOWN, wrong={"faces": "9 9 9"}, shows="down"),
    "cheat-death": Case({}, (*DOWN, ("death-save", {"faces": "1 2 3"})), shows="down"),
    "stabilize": Case({}, DOWN, shows="down"),
    "add-condition": Case(
        {"condition": "condition:poisoned", "source": "a spider", "rounds": "3"},
        wrong={"condition": "condition:happy"},
        shows="held",
    ),
    "remove-condition": Case(
        {"condition": "condition:prone", "source": ""},
        (("add-condition", {"condition": "condition:prone"}),),
        wrong={"condition": "condition:stunned"},
        shows="held",
    ),
    "toggle": Case({"switch": "+half-cover"}, wrong={"switch": "+sunshine"}, shows="circumstances"),
    "next-round": Case(),
    "move": Case({"far": "15"}, wrong={"feet": "999"}, shows="turn"),
    "notice": Case({"stealth": "40"}, wrong={"stealth": "high"}, shows="held"),
    "fall": Case({"feet": "10", "faces": "3"}, wrong={"feet": "9"}, shows="health"),
    "begin-rest": Case({"rest": "short-rest"}, wrong={"rest": "nap"}, shows="rest-begun", page="rest"),
    "spend-rest-die": Case({"faces": "4"}, RESTING, wrong={"faces": "7"}, shows="count-stamina", page="rest"),
    "treat-wounds": Case(
        {"by": "Bo"},
        (("adjust", {"resource": "wounds", "by": "+1"}), *RESTING),
        shows="count-wounds",
        page="rest",
    ),
    "finish-rest": Case({}, RESTING, shows="rest-begun", page="rest"),
    "long-rest": Case({}, HURT, wrong={"strenuous_minutes": "90"}, shows="health", page="rest"),
    "end-adventure": Case({}, SPENT, shows="count-resolve", page="rest"),
    "spend-downtime": Case(
        {"days": "3", "activity": "Training"}, wrong={"days": "0", "activity": "Training"}, page="downtime"
    ),
    "roll": Case({"roll": "skill.athletics", "side": "advantage", "target": "12"}, wrong={"roll": "skill.flying"}),
    "extra-die": Case({}, ROLLED, wrong={"roll": "999999"}, shows="count-resolve", row="roll"),
    "nudge": Case({"up": "yes"}, ROLLED, wrong={"roll": "999999", "up": "yes"}, shows="count-resolve", row="roll"),
    "turn-critical": Case({}, ROLLED, wrong={"roll": "999999"}, row="roll"),
    "change-roll": Case(
        {"action": "dueling"},
        (("roll", {"roll": "attack.warhammer.one-hand", "target": "99", "faces": "1 2 3"}),),
        wrong={"roll": "999999", "action": "dueling"},
        shows="uses",
        row="roll",
        style="dueling",
    ),
    "detail": Case(
        {"aspect": "{aspect}", "detail": "The gate is old"},
        ROLLED,
        wrong={"roll": "999999"},
        shows="count-resolve",
        row="roll",
    ),
    "nudge-elsewhere": Case(
        {"up": "yes", "whose": "the ogre"}, wrong={"up": "yes", "whose": "x" * 200}, shows="count-resolve"
    ),
    "turn-aside": Case({}, shows=""),
    "extra-turn": Case({}, shows="count-resolve"),
    "declare": Case({"aspect": "aspect"}, wrong={"aspect": "aspect:0"}, shows="count-resolve", row="aspect"),
    "compel": Case(
        {"words": "Greedy", "accept": "yes"}, SPENT, wrong={"aspect": " ", "accept": "no"}, shows="count-resolve"
    ),
    "regain": Case({"points": "1", "reason": "brave"}, SPENT, wrong={"points": "0"}, shows="count-resolve"),
    "equip": Case({"state": "stowed"}, wrong={"item": "999999", "state": "worn"}, shows="things-stowed", row="item"),
    "set-quantity": Case({"quantity": "2"}, wrong={"quantity": "x"}, shows="things-carried", row="item"),
    "remove-item": Case({}, wrong={"item": "999999"}, shows="things-carried", row="item"),
    "reload": Case({}, wrong={"item": "999999"}, shows="", row="item"),
    "add-item": Case({"custom": "A letter"}, wrong={"custom": "x" * 200}, shows="things-carried"),
    "gather-ammunition": Case({"search": "yes"}, THROWN, shows="things-main"),
    "purchase-together": Case(
        {"ref": "gear:torch", "ranks": "4"},
        wrong={"ref": "gear:torch", "ranks": "9"},
        shows="things-carried",
        page="pool",
    ),
    "add-aspect": Case(
        {"kind": "flaw", "text": "Proud"}, wrong={"kind": "mood", "text": "Proud"}, shows="texts-aspect"
    ),
    "add-relationship": Case(
        {"other": "Bo", "based_on": "bond", "text": "Old friends"},
        wrong={"other": "Bo", "based_on": "x", "text": "y"},
        shows="texts-relationship",
    ),
    "agree": Case(
        {"agreed": "yes"},
        (("add-relationship", {"other": "Bo", "based_on": "bond", "text": "Old friends"}),),
        wrong={"relationship": "999999", "agreed": "yes"},
        shows="texts-relationship",
        row="relationship",
    ),
    "link": Case(
        {"linked": ""},
        (("add-relationship", {"other": "Bo", "based_on": "bond", "text": "Old friends"}),),
        wrong={"relationship": "999999", "linked": ""},
        row="relationship",
    ),
    "add-spell": Case(SPELL, wrong={**SPELL, "damage": "much"}, shows="spells"),
    "learn-spell": Case({"ref": "{own spell}"}, wrong={"ref": "spell:none"}, shows="spells", spells=True),
    "edit-spell": Case(
        {**SPELL, "name": "Ember", "was": "{digest}"},
        (("add-spell", SPELL),),
        wrong={**SPELL, "spell": "999999"},
        shows="spells",
        row="spell",
    ),
    "add-note": Case({"text": "Two\nlines"}, wrong={"text": "x" * 5000}, shows="texts-note"),
    "edit": Case(
        {"text": "Another", "was": digest("A note")},
        NOTED,
        wrong={"address": "note:0", "text": "x"},
        shows="texts-note",
        row="note",
    ),
    "remove": Case({}, NOTED, wrong={"address": "note:0"}, shows="texts-note", row="note"),
    "remove-spell": Case({}, (("add-spell", SPELL),), wrong={"spell": "999999"}, shows="spells", row="spell"),
    "undo": Case({}, HURT, wrong={"change": "1"}, shows="health", row="change"),
    "mark": Case({"name": "last night"}, wrong={"name": "x" * 100}, page="history"),
}  # fmt: skip

# Two need an optional rule that is off by default, and one needs a weapon that has been shot.
WORKING = sorted({*CASES} - {"turn-aside", "turn-critical", "reload"})
FIELD_OF_ROW = {"roll": "roll", "item": "item", "relationship": "relationship", "spell": "spell"}


def ready(player, slug):
    """Do the steps before the action, and return its fields."""
    case = CASES[slug]
    if case.style:
        taken = {"choice": "fighter.fighting-style", "take": f"feature:{case.style}"}
        play.choose(player.pk, Person(player.user), uuid.uuid4().hex, **taken)
    own = own_spell(player) if case.spells else ""
    for earlier, fields in case.before:
        thrown = next(
            (str(i.pk) for i in player.character.items.all() if i.element and i.element.slug == "handaxe"), ""
        )
        fields = {name: value.replace("{thrown}", thrown) for name, value in fields.items()}
        response = player.send(earlier, **fields)
        assert response.status_code == 200, response.headers.get("HX-Trigger")
    fields = {
        name: f"aspect:{player.row('aspect')}" if value == "{aspect}" else value for name, value in case.fields.items()
    }
    if fields.get("ref") == "{own spell}":
        fields["ref"] = own
    if fields.get("was") == "{digest}":
        fields["was"] = digest_of(player.facts[f"spell:{player.row('spell')}"])
    if case.row == "roll":
        fields["roll"] = player.character.rolls.latest("pk").pk
    elif case.row == "change":
        fields["change"] = player.character.version
    elif case.row in ("note", "aspect"):
        fields["address" if case.row == "note" else "aspect"] = f"{case.row}:{player.row(case.row)}"
    elif case.row:
        fields[FIELD_OF_ROW[case.row]] = player.row(case.row)
    return fields


def own_spell(player):
    """The ref of a spell in the player’s own homebrew, which is put in play for the character."""
    mine = Source.objects.filter(homebrew__owner=player.user).first()
    if mine is None:
        mine = homebrew(owner=player.user, published=False)
        spell(mine, f"ember-{mine.homebrew.tag}", "Ember", attack="ranged", damage="2d6 fire", text="Hot.")
        publish(mine)
    if f"source:{mine.slug}" not in player.facts:
        verbs.set_sources(player.pk, Person(player.user), uuid.uuid4().hex, sources=[mine.slug])
    return mine.elements.get().ref
