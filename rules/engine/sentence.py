"""Reads every row of content back as an English sentence, which shows a wrong row at once.

`names` is anything that maps refs, keys and slugs to things with a `name`: a `Bundle`, or `phrases.NamesByHand`.
"""

from collections.abc import Iterable

from .content import (
    Action,
    Amount,
    Choice,
    Condition,
    Effect,
    Recovery,
    Requirement,
    Resource,
)
from .phrases import (
    MINUS,
    TIMES,
    Lookup,
    amount_phrase,
    dice_words,
    each_of,
    factor_of,
    first_up,
    from_rank,
    is_plain,
    kind_words,
    listed_or_counted,
    name_of,
    number,
    quoted,
    settings_words,
    signed,
    step_of,
    when,
)

WORN = {"any": "wears armor", "armor": "wears armor", "shield": "wears a shield"}
WORN["unproficient"] = "wears armor or a shield without being proficient"
WIELDED = {
    "two-hands": "holds the weapon in two hands",
    "one-hand": "holds the weapon in one hand",
    "off-hand": "holds the weapon in the off hand",
    "thrown": "throws the weapon",
    "melee": "strikes in melee",
    "ranged": "strikes at range",
    "melee-spell": "attacks in melee with a spell",
    "unarmed": "strikes unarmed",
    "versatile": "holds a versatile weapon",
    "nothing": "holds no weapon and no shield",
    "two-weapons": "holds two weapons",
    "spell": "casts a spell",
}
MADE = {"check": "an ability check", "save": "a saving throw", "attack": "an attack roll"}
FAILED = {"check": "a failed ability check", "save": "a failed saving throw", "attack": "a missed attack"}
CHANGED = {"reroll": "rolls {} again", "succeed": "makes {} succeed"}
GRANTED = {
    "gain": "gains",
    "skilled": "is proficient with",
    "knows": "knows",
    "own": "owns",
    "resist": "resists",
    "immune": "is immune to",
    "vulnerable": "is vulnerable to",
    "rank": "gains a rank in",
}
PICKED_TO = {
    "skilled": "to be proficient with",
    "knows": "to know",
    "own": "to own",
    "resist": "to resist",
    "immune": "to be immune to",
    "vulnerable": "to be vulnerable to",
    "rank": "to gain a rank in",
}


def effect_sentence(effect: Effect, names: Lookup) -> str:
    """One effect row as a sentence without a period: "+1 Defense while wearing armor".

    If `names` lacks a key (in a draft's row), shows the key itself. Never raises for a word of the vocabulary.
    """
    if effect.kind == "note":
        about = name_of(names.stats, effect.stat) if effect.stat else _scope(effect, names) if effect.roll else ""
        return first_up(f"{about}: {effect.text}" if about else effect.text)
    core = {"modify": _modify, "roll": _roll, "grant": _grant}[effect.kind](effect, names)
    parts = [core + when(effect.when, names)]
    if effect.from_rank > 1:
        parts.append(from_rank(effect.owner, effect.from_rank, names))
    if effect.stack_group:
        parts.append(f"(the best of {quoted(effect.stack_group)} counts)")
    if effect.text:
        parts.append(f"({effect.text})")
    return first_up(" ".join(parts))


def choice_sentence(choice: Choice, names: Lookup) -> str:
    """A choice as a request: "Choose 2 skills to be proficient with", "Spread 3 points over 6 statistics"."""
    if choice.mode == "spread":
        over = listed_or_counted(
            [name_of(names.stats, key) for key in choice.stats], "and", at_most=3, noun="statistics"
        )
        core = f"Spread {_how_many(choice, names)} points over {over}"
        core += f", at most {choice.per_option_max} on each"
    else:
        core = _pick(choice, names)
    core += when(choice.when, names)
    if choice.from_rank > 1:
        core += f", {from_rank(choice.owner, choice.from_rank, names)}"
    if choice.every:
        steps = step_of(choice.owner, names)
        core += f", again every {choice.every} {steps}s" if choice.every > 1 else f", again at every {steps}"
    if choice.ceiling:
        core += f", none above {name_of(names.stats, choice.ceiling)}"
    if choice.budget:
        core += f" (one for all {quoted(choice.budget)} choices)"
    if choice.replaceable:
        core += "; may be swapped later"
    return core


def requirement_sentence(row: Requirement, names: Lookup) -> str:
    """One test: "Fighter rank 3 or more", "does not wear armor"."""
    return first_up(_requirement(row, names))


def requirements_sentences(rows: Iterable[Requirement], names: Lookup) -> tuple[str, ...]:
    """All tests of an owner, which must all hold; rows that share an `either` number are joined by "or"."""
    groups: dict[object, list[str]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(row.either or ("alone", place), []).append(_requirement(row, names))
    return tuple(first_up(", or ".join(group)) for group in groups.values())


def resource_sentence(resource: Resource, names: Lookup) -> str:
    """A resource and its maximum: "Luck: points, as many as Most luck", "Scars: counted up to Most scars"."""
    maximum = name_of(names.stats, resource.max_stat)
    if resource.counts_up:
        return f"{resource.name}: counted up to {maximum}"
    dice = f"d{resource.die} dice"
    units = {"uses": "uses", "pool": "points", "dice": dice, "track": "steps", "turn": "part of a turn"}
    unit = units[resource.style]
    return f"{resource.name}: {unit}" + (f", as many as {maximum}" if maximum != resource.name else "")


def recovery_sentence(recovery: Recovery, names: Lookup) -> str:
    """An event and what it brings back: "Long rest: all Luck comes back"."""
    resource = name_of(names.resources, recovery.resource)
    event = name_of(names.events, recovery.event)
    counts_up = getattr(names.resources.get(recovery.resource), "counts_up", False)
    if recovery.full:
        back = f"{resource} back to 0" if counts_up else f"all {resource} comes back"
    else:
        back = f"{resource} {MINUS if counts_up else '+'}{amount_phrase(recovery.amount, names)}"
    return first_up(f"{event}: {back}{when(recovery.when, names)}")


def action_sentence(action: Action, names: Lookup) -> str:
    """An action with its cost and roll: "Bonus action: Second Wind, heals 2D + 2 x Fighter rank"."""
    parts = [f"{action.timing.replace('-', ' ')}: {action.name}"]
    if action.trigger:
        parts.append(action.trigger)
    if action.range:
        parts.append(action.range)
    if action.roll:
        parts.append(_action_roll(action, names))
    if action.changes:
        parts.append(CHANGED[action.changes].format(FAILED[action.of_roll]))
    if action.begins:
        parts.append(f"begins: {name_of(names.elements, action.begins)}")
    if action.resource:
        parts.append(f"spends {action.uses} {name_of(names.resources, action.resource)}")
    if action.fires:
        parts.append(f"counts as: {name_of(names.events, action.fires)}")
    if action.when:
        parts.append(when(action.when, names).strip())
    if action.from_rank > 1:
        parts.append(from_rank(action.owner, action.from_rank, names))
    return first_up(", ".join(parts))


def condition_sentence(condition: Condition, names: Lookup) -> str:
    """The end of a condition, unless its cause names another: "Ends when the next turn starts or with an attack roll";
    "" for none."""
    turns, ends = condition.turns, []
    if turns:
        ends.append("when the next turn starts" if turns == 1 else f"when {turns} turns have started")
    if condition.until:
        ends.append(f"with: {name_of(names.events, condition.until)}")
    if condition.ends_with:
        ends.append(f"with {MADE[condition.ends_with]}")
    return f"Ends {' or '.join(ends)}" if ends else ""


# Statistics


def _modify(effect: Effect, names: Lookup) -> str:
    stat, amount = name_of(names.stats, effect.stat), effect.amount
    in_feet = _in_feet(effect.stat, names)
    if effect.this_item_only:
        stat += " with this item"
    if getattr(names.stats.get(effect.stat), "format", "") == "flag" and effect.op in ("base", "set"):
        return stat if amount.flat else f"{stat}: no"
    if effect.op == "multiply":
        return _multiplied(stat, amount, names, effect.owner)
    if effect.op == "add" and is_plain(amount):
        return f"{signed(amount.flat)}{' feet' if in_feet else ''} {stat}{each_of(amount, effect.owner, names)}"
    words = amount_phrase(amount, names, effect.owner)
    if in_feet and not _in_feet(amount.of_stat, names):
        words += " feet" if words[-1:].isdigit() and not amount.of_stat else ", in feet"
    return {
        "add": f"{stat}: add {words}",
        "base": f"{stat} starts at {words}",
        "at_least": f"{stat} is at least {words}",
        "at_most": f"{stat} is at most {words}",
        "set": f"{stat} becomes {words}",
    }[effect.op]


def _in_feet(stat: str, names: Lookup) -> bool:
    return getattr(names.stats.get(stat), "format", "") == "feet"


def _multiplied(stat: str, amount: Amount, names: Lookup, owner: str) -> str:
    if not amount.plain:
        words = amount_phrase(amount, names, owner)
        return f"{stat} {TIMES} ({words})" if amount.of_stat and amount.flat else f"{stat} {TIMES} {words}"
    words = factor_of(amount)
    return f"{stat} {words}" if words.startswith(TIMES) else f"{stat} is {words}"


# Rolls


def _roll(effect: Effect, names: Lookup) -> str:
    scope = _scope(effect, names)
    amount = amount_phrase(effect.amount, names, effect.owner)
    ability = name_of(names.elements, effect.ability)
    plain = is_plain(effect.amount)
    each = each_of(effect.amount, effect.owner, names)
    more = f"{signed(effect.amount.flat)}{each}" if plain else f"+({amount})"
    die = f"d{amount}" if plain else f"one whose sides are {amount}"
    return {
        "advantage": f"advantage on {scope}",
        "disadvantage": f"disadvantage on {scope}",
        "dice": f"{signed(effect.amount.flat)}D on {scope}{each}" if plain else f"{amount} more dice on {scope}",
        "bonus": f"{more} on {scope}",
        "training": f"skill bonus {TIMES} {amount} on {scope}",
        "fails": f"{scope} fail without a roll",
        "succeeds": f"{scope} succeed without a roll",
        "criticals_on": f"{scope} are critical from {amount} on a die",
        "criticals_from_pool": f"{scope} can be critical with {amount} dice or more",
        "uses_ability": f"{scope} use {ability}",
        "may_use_ability": f"{scope} may use {ability}",
        "damage_die": f"{scope}: the die is at least {die}",
        "damage_die_step": f"{scope}: the die grows by {amount}",
        "damage_die_set": f"{scope}: the die becomes {die}",
        "damage_dice": f"{scope}: dice {TIMES} {amount}",
        "damage_type": f"damage{_with_item(effect)} becomes {name_of(names.elements, effect.subject)}",
        "ability_times": f"{scope}: the ability counts {TIMES} {amount}",
        "reach": f"reach {more} feet on {scope}" if plain else f"reach further on {scope}, in feet, by {amount}",
        "damage_at_least": f"{scope} is at least {amount}",
        "range": f"{scope}: a range in feet, normal and far",
        "thrown": f"{scope}: may be thrown, with a range in feet",
        "attacks_at_most": f"at most {amount} {'attack' if amount == '1' else 'attacks'}{_with(effect, names)}",
    }[effect.aspect]


def _scope(effect: Effect, names: Lookup) -> str:
    uses = effect.aspect in ("uses_ability", "may_use_ability")  # which ability to use, not a filter
    ability = "" if uses or not effect.ability else name_of(names.elements, effect.ability)
    if effect.roll == "check":
        subject = name_of(names.elements, effect.subject) if effect.subject else ""
        named = f"{ability} ({subject})" if ability and subject else ability or subject or "ability"
        return f"{named} checks{_with_item(effect)}"
    with_words = _with(effect, names)
    return {
        "save": f"{ability} saving throws{with_words}".strip(),
        "attack": f"{ability} attack rolls{with_words}".strip(),
        "damage": f"{ability} damage{with_words}".strip(),
        "initiative": f"initiative{with_words}",
        "against": "attack rolls against this character",
    }[effect.roll]


def _with(effect: Effect, names: Lookup) -> str:
    subject = f" with {name_of(names.elements, effect.subject)}" if effect.subject else ""
    return subject + _with_item(effect)


def _with_item(effect: Effect) -> str:
    return " with this item" if effect.this_item_only else ""


# Grants, choices, tests, actions


def _grant(effect: Effect, names: Lookup) -> str:
    name = name_of(names.elements, effect.element)
    if effect.grant_as == "skilled" and effect.element.startswith("ability:"):
        return f"is proficient with {name} saving throws"
    many = f"{effect.quantity} {TIMES} " if effect.quantity > 1 else ""
    return f"{GRANTED[effect.grant_as]} {many}{name}"


def _pick(choice: Choice, names: Lookup) -> str:
    kinds = {choice.filter_kind} if choice.filter_kind else {ref.partition(":")[0] for ref in choice.options}
    kind = kinds.pop() if len(kinds) == 1 else ""
    one = not choice.count_of and choice.count == 1
    single, several = kind_words(kind, names.kinds) if kind else ("option", "options")
    noun = single if one else several
    if choice.for_duplicates:
        return f"Choose another {single} for each that you have twice"
    if choice.count_of and not choice.count:
        core = f"Choose as many {noun} as {name_of(names.stats, choice.count_of)}"
    else:
        core = f"Choose {_how_many(choice, names)} {noun}"
    if choice.grant_as in PICKED_TO:
        core += f" {PICKED_TO[choice.grant_as]}"
    if 0 < len(choice.options) <= 4:
        core += ": " + listed_or_counted([name_of(names.elements, ref) for ref in choice.options], "or")
    if choice.write_in:
        core += ", or write your own" if choice.options or choice.filter_kind else " in your own words"
    return core


def _how_many(choice: Choice, names: Lookup) -> str:
    if not choice.count_of:
        return str(choice.count)
    return f"{choice.count} + {name_of(names.stats, choice.count_of)}"


def _requirement(row: Requirement, names: Lookup) -> str:
    element = name_of(names.elements, row.ref) if row.ref else ""
    no = row.negate
    match row.test:
        case "has":
            return f"does not have {element}" if no else f"has {element}"
        case "skilled":
            return f"is {'not ' if no else ''}proficient with {element}"
        case "stat_min" | "stat_max":
            below = (row.test == "stat_max") != no
            value = row.value if not no else row.value + (1 if row.test == "stat_max" else -1)
            return f"{name_of(names.stats, row.stat)} {number(value)} or {'less' if below else 'more'}"
        case "level":
            return f"below {names.level} {row.value}" if no else f"{names.level} {row.value} or more"
        case "rank":
            return f"below {element} rank {row.value}" if no else f"{element} rank {row.value} or more"
        case "wears" | "wields":
            known = WORN if row.test == "wears" else WIELDED
            words = f"{row.test} {element}" if element else known.get(row.word, f"{row.test} {row.word}")
            verb, _, rest = words.partition(" ")
            return f"does not {verb.removesuffix('s')} {rest}" if no else words
        case "first_job":
            return "it is not the starting job" if no else "it is the starting job"
        case "roll_trained":
            return "the roll uses no proficiency" if no else "the roll uses a proficiency"
        case "roll_named":
            return f"the roll is of {'no' if no else 'a'} skill, knowledge or tool"
        case "resource_empty":
            return f"{'some' if no else 'no'} {name_of(names.resources, row.word)} left"
        case "switch":
            words = settings_words(names.switches, row.switch, row.word)
            return f"house rule {quoted(name_of(names.switches, row.switch))} is {'not ' if no else ''}set to {words}"
        case _:
            return "the storyteller does not agree" if no else "the storyteller agrees"


def _action_roll(action: Action, names: Lookup) -> str:
    thrown = dice_words(action.dice, action.die) if action.dice else ""
    amount = "" if action.amount == Amount() else amount_phrase(action.amount, names)
    total = " + ".join(part for part in (thrown, amount) if part)
    words = {"attack": f"{total} attack roll", "check": f"{total} check", "heal": f"heals {total}"}
    return words.get(action.roll, f"{total} damage").strip()
