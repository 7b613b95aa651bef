from characters import addresses
from characters.build import bundle_of
from characters.journal import Refused, fingerprint_of, perform
from characters.words import clean, listed, who
from rules.engine import derive
from rules.engine.options import options_for
from rules.systems import system_of


def choose(pk, person, key, *, choice, targets, level=1, override=""):
    """Answer one choice at one level with these targets, in place of what was answered before.

    A target is an element's ref, a statistic's key (once for each point of a spread) or, where the choice takes them,
    the player's own words. Fewer than the choice needs are kept as an open choice. What hung on the earlier answer
    goes with it. `override` is the storyteller's reason for an exception to a requirement.
    """
    targets = [clean(target, limit=120, field="targets", empty="Choose something.") for target in targets]
    override = clean(override, limit=200, field="override")

    def act(draft):
        return decide(draft, bundle_of(draft.character, draft.build), choice, level, targets, override)

    what = fingerprint_of(choice=choice, level=level, targets=targets, override=override)
    return perform(pk, person, "choose", key, what, act)


def unchoose(pk, person, key, *, choice, level=1):
    """Take an answer back, with what hung on it: a level pick is given back this way."""

    def act(draft):
        bundle = bundle_of(draft.character, draft.build)
        if not draft.read(addresses.choice(choice, level)):
            raise Refused("Nothing has been chosen there.", "choice")
        before = derive(bundle, draft.build)
        taken = draft.read(addresses.choice(choice, level))
        draft.put(addresses.choice(choice, level), None)
        dropped = drop_what_hung_on_it(draft, bundle, before)
        return f"{who(draft)} takes {listed(named(bundle, taken))} back.{also(dropped)}"

    return perform(pk, person, "unchoose", key, fingerprint_of(choice=choice, level=level), act)


def decide(draft, bundle, key, level, targets, override="") -> str:
    """Put the answer into the draft when the rules allow it; answers the sentence."""
    choice = bundle.choices.get(key)
    if choice is None:
        raise Refused("There is no such choice.", "choice")
    before = derive(bundle, draft.build)
    address = addresses.choice(key, level)
    # What is offered does not depend on the answer that is being replaced, nor on the level's other kinds of pick.
    for shared in sharing(bundle, choice):
        draft.put(addresses.choice(shared.key, level), None)
    asked = derive(bundle, draft.build)
    line = next((line for line in asked.choices if (line.choice.key, line.level) == (key, level)), None)
    if line is None:
        raise Refused("That is not asked of this character now.", "choice")
    offered = {option.ref or option.stat: option for option in options_for(bundle, draft.build, asked, key, level)}
    check_count(line, targets)
    made = [answer(bundle, choice, offered, target, override) for target in dict.fromkeys(targets)]
    for one in made:
        if choice.mode == "spread":
            points = targets.count(one["stat"])
            if points > 1:
                one["points"] = points
    draft.put(address, made)
    check_no_new_problem(draft, bundle, choice, level, asked, override)
    dropped = drop_what_hung_on_it(draft, bundle, before)
    return f"{sentence(draft, bundle, choice, level, made)}{also(dropped)}"


def sharing(bundle, choice):
    """The choices that one pick fills together: the choice itself, and those of its owner with the same budget."""
    if not choice.budget:
        return [choice]
    return [other for other in bundle.elements[choice.owner].choices if other.budget == choice.budget]


def check_count(line, targets):
    choice = line.choice
    if not targets:
        raise Refused("Choose something.", "targets")
    if len(targets) > max(line.needs, line.open, 1 if choice.replaceable else 0):
        thing = "points" if choice.mode == "spread" else "choices"
        raise Refused(f"That is too many: {line.needs} {thing if line.needs != 1 else thing[:-1]} at most.", "targets")
    for target in dict.fromkeys(targets):
        times = targets.count(target)
        if choice.mode == "spread" and times > choice.per_option_max:
            raise Refused(f"No more than +{choice.per_option_max} on one.", "targets")
        if choice.mode != "spread" and times > 1:
            raise Refused("The same thing cannot be chosen twice.", "targets")


def answer(bundle, choice, offered, target, override) -> dict:
    option = offered.get(target)
    if option is None:
        if choice.write_in and target not in bundle.elements and ":" not in target:
            return {"write_in": target}
        raise Refused("That is not offered here.", "targets")
    if option.why_not and not override:
        raise Refused(option.why_not, "targets")
    made = {"stat": option.stat} if option.stat else {"ref": option.ref}
    return {**made, "override": override} if override else made


def check_no_new_problem(draft, bundle, choice, level, asked, override):
    """The engine has the last word: an answer that it would not count is refused with its sentence."""
    if override:
        return
    where = system_of(bundle).path_of(choice.key, level)
    known = {(problem.where, problem.text) for problem in asked.problems}
    for problem in derive(bundle, draft.build).problems:
        if problem.where.startswith(where) and (problem.where, problem.text) not in known:
            raise Refused(problem.text, "targets")


def drop_what_hung_on_it(draft, bundle, before) -> list[str]:
    """Take out answers to questions that were asked before this change and are not asked any more."""
    were_asked = {(line.choice.key, line.level) for line in before.choices}
    dropped: list[str] = []
    while True:
        asked = {(line.choice.key, line.level) for line in derive(bundle, draft.build).choices}
        orphans = [
            address
            for address in draft.all("choice")
            if (parts := addresses.choice_parts(address)) in were_asked and parts not in asked
        ]
        if not orphans:
            return dropped
        for address in orphans:
            dropped += named(bundle, draft.read(address))
            draft.put(address, None)


def named(bundle, made) -> list[str]:
    names = []
    for one in made:
        thing = bundle.elements.get(one.get("ref")) or bundle.stats.get(one.get("stat"))
        points = f"+{one.get('points', 1)} " if "stat" in one else ""
        names.append(f"{points}{thing.name}" if thing else one.get("write_in", "what is no longer in the rules"))
    return names


def sentence(draft, bundle, choice, level, made) -> str:
    at = f" at level {level}" if level > 1 else ""
    role = "" if choice.budget else f" ({choice.slug.replace('-', ' ')})"
    verb = "adds" if choice.mode == "spread" else "takes"
    return f"{who(draft)} {verb} {listed(named(bundle, made))}{at}{role}."


def also(dropped) -> str:
    return f" That takes back {listed(dropped)}." if dropped else ""
