"""Attacks at the table, and their ammunition (sections 19 and 20, rulings 5, 36, 60 and 63)."""

from dataclasses import replace

from rules.engine.build import Build, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Element, Ref
from rules.engine.sheet import Attack, Sheet
from rules.games.house_rules import setting, switched_on
from rules.games.outcome import NotAllowed, Outcome, counted, listed, name_of
from rules.games.table_action import THINGS, At, RowNumber, TableAction, Tick

from ..places import AMMUNITION, FIREARM, RELOAD
from .body import conscious
from .ends import ended_by_roll, no_longer
from .points import came_to, paid
from .pool import Ready, RollOptions, fell, ready
from .turn import by_attack

SPECIAL = "property:special"
UNEXPLAINED = {RELOAD, SPECIAL}
NO_RELOAD = "That cannot be reloaded."


def attack_of(sheet: Sheet, item: str, grip: str) -> Attack:
    """The attack with this weapon (its slug, or the item's key) in this grip, with one in hand if possible."""
    for attack in sheet.attacks:
        if item in (attack.item_key, attack.item) and attack.grip == grip:
            return attack
    raise NotAllowed("The character has no such attack.", "attack")


def attack_ready(bundle: Bundle, build: Build, attack: Attack, asked: RollOptions) -> Ready:
    made = ready(bundle, build, attack.roll, asked, "attack")
    return replace(made, roll=made.roll._replace(key=f"attack.{attack.item}.{attack.grip}", name=attack.name))


def attacked(at: At, attack: Attack, asked: RollOptions) -> Outcome:
    """One attack roll. It uses up a piece of ammunition, a loaded shot, or the thrown weapon itself.

    A boomerang that misses comes back (ruling 60). Conditions end that last until an attack: a hidden character is seen
    (section 27.8).
    """
    bundle, build, sheet = at.bundle, at.build, at.sheet
    conscious(build)
    spends = {**paid(sheet, asked.resolve), **by_attack(sheet)}
    used = pieces(bundle, build, attack)
    rolled = fell(attack_ready(bundle, build, attack, asked), at.chance)
    if attack.grip == "thrown" and rolled.success is False and SPECIAL in properties(bundle, build, attack):
        used.pop(attack.item_key, None)
    word = "rolls in secret" if asked.secret else f"{'rolls ' * bool(rolled.faces)}{came_to(bundle, build, rolled)}"
    over = ended_by_roll(bundle, build, "attack")
    sentence = f"{name_of(build)} attacks with {attack.name}: {word}.{no_longer(bundle, over)}"
    return Outcome(sentence, spends, used=used, ends=over, rolls=(rolled,))


def properties(bundle: Bundle, build: Build, attack: Attack) -> dict[Ref, tuple[int | None, str]]:
    """The weapon's printed properties, with their numbers. Properties that the rules never explain count only if the
    house rules list them (ruling 60)."""
    listed = {word.strip() for word in setting(bundle, build, "customProperties").split(",")}
    return {
        use.property: (use.a, use.note)
        for use in bundle.elements[attack.ref].properties
        if use.property not in UNEXPLAINED or bundle.elements[use.property].name in listed
    }


def pieces(bundle: Bundle, build: Build, attack: Attack) -> dict[str, int]:
    """The pieces that one attack uses up, by item key. Raises NotAllowed if none is left or the weapon is empty."""
    if not switched_on(bundle, build, "trackAmmunition"):
        return {}
    has = properties(bundle, build, attack)
    used: dict[str, int] = {}
    if RELOAD in has and attack.item_key:
        shots = has[RELOAD][0] or 1
        if weapon(build, attack.item_key).used >= shots:
            raise NotAllowed(f"{attack.name} is empty. Reload it first.", "attack")
        used[attack.item_key] = 1
    elif (
        attack.item_key and not reloads(bundle.elements[attack.ref]) and pieces_left(weapon(build, attack.item_key)) < 1
    ):
        how = "left to throw" if attack.grip == "thrown" else "in hand: it has been thrown"
        raise NotAllowed(f"There is no {attack.name} {how}.", "attack")
    if attack.grip == "thrown" and attack.item_key:
        used[attack.item_key] = 1
    if AMMUNITION in has and attack.grip != "thrown":
        ref = shoots(has[AMMUNITION][1])
        pile = next((item for item in build.items if item.ref == ref and pieces_left(item)), None)
        if pile is None:
            name = bundle.elements[ref].name.lower() if ref in bundle.elements else "ammunition"
            raise NotAllowed(f"There is no {name} left for {attack.name}. Add some under Equipment first.", "attack")
        used[pile.key] = 1
    return used


def weapon(build: Build, key: str) -> Item:
    return next(item for item in build.items if item.key == key)


def pieces_left(item: Item) -> int:
    """The pieces of a pile that have not been shot or thrown."""
    return max(0, item.quantity - item.used)


def reloads(element: Element | None) -> bool:
    return element is not None and any(use.property == RELOAD for use in element.properties)


def reload(at: At, *, item: int) -> Outcome:
    """Fill a weapon that holds several shots: an action or a bonus action (ruling 60)."""
    bundle, build, key = at.bundle, at.build, str(item)
    thing = next((one for one in build.items if one.key == key), None)
    element = bundle.elements.get(thing.ref) if thing else None
    conscious(build)
    if thing is None or element is None or not reloads(element):
        raise NotAllowed(NO_RELOAD, "item")
    if not thing.used:
        raise NotAllowed(f"{element.name} is loaded already.", "item")
    return Outcome(f"{name_of(build)} reloads {element.name}.", used={key: -thing.used})


def gather_ammunition(at: At, *, search: bool) -> Outcome:
    """After a battle, the pieces that were shot and thrown are gone. Ten minutes of `search` find half of them, but no
    firearm bullets (ruling 63)."""
    bundle, build = at.bundle, at.build
    lost, used, words = {}, {}, []
    for piles in shot_or_thrown(bundle, build):
        shot, thing = sum(item.used for item in piles), piles[0]
        bullets = from_firearms(bundle, build, thing.ref)
        left_to_find = back = recovered(shot, bullets=bullets) if search else 0
        words.append(f"{back} of {shot} × {thing.custom or bundle.called(thing.ref)}")
        for item in piles:
            found = min(left_to_find, item.used)
            left_to_find -= found
            lost[item.key] = min(item.quantity, item.used - found)
            used[item.key] = -item.used
    if not used:
        raise NotAllowed("Nothing has been shot or thrown.")
    if not search:
        return Outcome(f"{name_of(build)} leaves what was shot and thrown behind.", used=used, lost=lost)
    return Outcome(f"{name_of(build)} finds {listed(words)} again.", used=used, lost=lost)


def shot_or_thrown(bundle: Bundle, build: Build) -> list[list[Item]]:
    """The things that were shot or thrown, each with its piles. Pieces thrown from a hand one after another are
    separate piles."""
    away: dict[str, list[Item]] = {}
    for item in build.items:
        if item.used and not reloads(bundle.elements.get(item.ref)):
            away.setdefault(item.ref or item.custom, []).append(item)
    return [*away.values()]


def recovered(shot: int, *, bullets: bool = False) -> int:
    """Pieces of ammunition found again after a fight: half, rounded down; no firearm bullets (ruling 63)."""
    return 0 if bullets else shot // 2


def from_firearms(bundle: Bundle, build: Build, ammunition: Ref) -> bool:
    """True if this ammunition is lost because it was shot from a firearm (ruling 63): the character has a firearm that
    takes it. The bullets of a blowgun can be found again."""
    armed = [bundle.elements[item.ref] for item in build.items if item.ref in bundle.elements]
    printed = [{use.property: use.note for use in element.properties} for element in armed]
    return any(FIREARM in has and shoots(has.get(AMMUNITION, "")) == ammunition for has in printed)


def shoots(note: str) -> Ref:
    """The ref of the ammunition that is printed on a weapon."""
    return f"gear:{note.replace(' ', '-')}"


def shots_left(bundle: Bundle, build: Build, attack: Attack) -> str:
    """The ammunition left for an attack, in words: pieces, loaded shots, or pieces of the weapon itself once some are
    thrown; "" if none is counted."""
    if not switched_on(bundle, build, "trackAmmunition"):
        return ""
    has, words = properties(bundle, build, attack), []
    held = weapon(build, attack.item_key) if attack.item_key else None
    if held and held.used and not reloads(bundle.elements[attack.ref]):
        words.append(f"{pieces_left(held)} left to throw" if pieces_left(held) else "thrown, not in hand")
    pieces = None
    if AMMUNITION in has:
        ref = shoots(has[AMMUNITION][1])
        pieces = sum(pieces_left(item) for item in build.items if item.ref == ref)
        words.append(counted(pieces, has[AMMUNITION][1].rstrip("s")))
    if RELOAD in has and attack.item_key:
        loaded = max(0, (has[RELOAD][0] or 1) - weapon(build, attack.item_key).used)
        words.insert(0, f"{loaded if pieces is None else min(loaded, pieces)} loaded")
    return ", ".join(words)


ACTIONS = (
    TableAction("reload", reload, THINGS, "attacks", {"item": RowNumber(NO_RELOAD)}, form="thing", by=("item",)),
    TableAction(
        "gather_ammunition",
        gather_ammunition,
        THINGS,
        "equipment",
        {"search": Tick(otherwise=True)},
        form="gather",
    ),
)
