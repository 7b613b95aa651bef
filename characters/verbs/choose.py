from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from characters.actions.form_values import whole
from characters.change import fact_address
from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.change.text_input import clean, one_level, who
from characters.models import Change
from characters.people import Person
from rules.engine import Bundle, Decision
from rules.engine.content import Choice
from rules.engine.doubles import counting
from rules.engine.options import options_for
from rules.engine.phrases import answer_name
from rules.engine.sheet import ChoiceLine, Option, Sheet
from rules.games.outcome import counted, listed

from .building import rebuild

type StoredAnswer = dict[str, Any]  # one answer in a `choice:` fact (`fact_address.py`)


def choose(pk: int, person: Person, key: str, *, choice: str, take: str, level: int = 1) -> Change:
    """Add an answer to a choice at a level; if the choice takes only one, it replaces the old answer.

    take: the target of the new answer: an element's ref, a statistic's key (another point of a spread) or, where the
    choice allows them, the player's own words. Answers to questions that only the replaced answer raised are dropped.
    """
    target = clean(take, limit=120, field="targets", empty="Choose something.")
    whole(level, least=1, most=10_000, field="level")

    def act(draft: Draft) -> str:
        lines = draft.before.sheet.choices
        line = next((line for line in lines if (line.choice.key, line.level) == (choice, level)), None)
        kept = counting(draft.bundle, draft.before.build, line) if line is not None and line.needs > 1 else []
        earlier = [one.ref or one.stat or one.write_in for one in kept for _ in range(one.points)]
        return decide(draft, choice, level, [*earlier, target]) + also_taken(draft)

    return rebuild(pk, person, "choose", key, {"choice": choice, "take": target, "level": level}, act)


def unchoose(pk: int, person: Person, key: str, *, choice: str, drop: str, level: int = 1) -> Change:
    """Remove the answer with the target `drop`, or one point of it, and the answers that depend on it. It may be a
    level's pick."""
    whole(level, least=1, most=10_000, field="level")

    def act(draft: Draft) -> str:
        bundle, address = draft.bundle, fact_address.choice(choice, level)
        if choice not in bundle.choices:
            raise Refused("There is no such choice.", "choice")
        answers = draft.read(address) or []
        gone = next((one for one in answers if drop == target_of(one)), None)
        if gone is None:
            raise Refused("That is no longer chosen.", "choice")
        before = draft.sheet
        points = gone.get("points", 1) - 1
        fewer = [{**gone, "points": points}] if points else []
        draft.put(address, [kept for one in answers for kept in (fewer if one is gone else [one])])
        dropped = drop_dependents(draft, before, bundle.choices[choice], level)
        return f"{who(draft)} drops {listed(named(bundle, [{**gone, 'points': 1}]))}.{also(dropped)}"

    return rebuild(pk, person, "unchoose", key, {"choice": choice, "drop": drop, "level": level}, act)


def target_of(one: StoredAnswer) -> str:
    """The word by which a form names an answer, as `Option.target`, or the player's own words."""
    return one.get("ref") or one.get("stat") or one["write_in"]


def decide(
    draft: Draft,
    key: str,
    level: int,
    targets: Sequence[str],
    override: str = "",
    *,
    keep: bool = False,
    verb: str = "takes",
) -> str:
    """Put the answers with these targets into the draft if the rules allow them; returns the sentence for the history,
    in which a level's pick has this `verb`.

    Answers to questions that only the earlier answers raised are dropped, and the sentence says so; with `keep` they
    stay as problems.
    """
    bundle = draft.bundle
    choice = bundle.choices.get(key)
    if choice is None:
        raise Refused("There is no such choice.", "choice")
    before = draft.sheet
    kept = [one["ref"] for one in draft.read(fact_address.choice(key, level)) or () if one.get("ref") in choice.retired]
    # The options do not depend on the answer that is being replaced, nor on the level's other kinds of pick.
    for shared in sharing(bundle, choice):
        draft.put(fact_address.choice(shared.key, level), None)
    asked = draft.sheet
    check_count(choice, needed(choice, asked, level, bundle.game.paths.ORIGIN), targets)
    offered = {option.target: option for option in options_for(bundle, draft.build, asked, key, level)}
    offered |= {ref: Option(ref=ref, name=bundle.called(ref)) for ref in kept}
    answers = [allowed_answer(bundle, choice, offered, target, override) for target in dict.fromkeys(targets)]
    for one in answers:
        if choice.mode == "spread" and targets.count(one["stat"]) > 1:
            one["points"] = targets.count(one["stat"])
    draft.put(fact_address.choice(key, level), answers)
    check_it_counts(draft, key, level)
    dropped = [] if keep else drop_dependents(draft, before, choice, level)
    return f"{sentence(draft, choice, level, answers, verb)}{also(dropped)}"


def needed(choice: Choice, asked: Sheet, level: int, origin: Container[str]) -> int:
    """The number of picks or points that the choice takes at this level; Refused if the character does not have the
    choice there.

    A choice that is still open may be answered at a later level, unless it is one of the `origin`.
    """
    lines = [line for line in asked.choices if line.choice.key == choice.key]
    if choice.budget:
        return choice.count
    if any((line.level == level and not choice.every) or (line.level < level and choice.replaceable) for line in lines):
        return sum(line.needs for line in lines)
    still = sum(line.open for line in lines if line.level <= level)
    if still and choice.key not in origin:
        return still
    raise Refused("This character does not have to choose that now.", "choice")


def sharing(bundle: Bundle, choice: Choice) -> Sequence[Choice]:
    """The choices that one pick fills together: the choice itself, and those of its owner with the same budget."""
    if not choice.budget:
        return [choice]
    return [other for other in bundle.elements[choice.owner].choices if other.budget == choice.budget]


def check_count(choice: Choice, needs: int, targets: Sequence[str]) -> None:
    if not targets:
        raise Refused("Choose something.", "targets")
    if len(targets) > needs:
        thing = "point" if choice.mode == "spread" else "choice"
        raise Refused(f"That is too many: at most {counted(needs, thing)}.", "targets")
    for target in dict.fromkeys(targets):
        times = targets.count(target)
        if choice.mode == "spread" and times > choice.per_option_max:
            raise Refused(f"No more than +{choice.per_option_max} on one.", "targets")
        if choice.mode != "spread" and times > 1:
            raise Refused("You cannot choose the same thing twice.", "targets")


def allowed_answer(
    bundle: Bundle, choice: Choice, offered: Mapping[str, Option], target: str, override: str
) -> StoredAnswer:
    """The answer with this target, as it is stored; Refused if the choice does not allow it. `override`: the reason for
    an exception to the requirements."""
    option = offered.get(target) or called_so(offered, target)
    if option is None:
        # A page from before a source was left out still sends the ref of its entry.
        is_ref = target in bundle.elements or target.startswith(f"{choice.filter_kind}:")
        if choice.write_in and not is_ref and target not in bundle.stats:
            return {"write_in": target}
        raise Refused("That is not offered here.", "targets")
    if option.why_not and not (override and option.lacking):
        raise Refused(option.why_not, "targets")
    answer = {"stat": option.stat} if option.stat else {"ref": option.ref}
    return {**answer, "override": override} if option.why_not else answer


def called_so(offered: Mapping[str, Option], words: str) -> Option | None:
    """The option with this name or slug: in a character file, these words would stand for it."""
    said = words.casefold()
    return next((one for one in offered.values() if said in (one.name.casefold(), one.ref.partition(":")[2])), None)


def check_it_counts(draft: Draft, key: str, level: int) -> None:
    """Raise Refused, with the engine's sentence, if the engine would not count the answer. A retired answer counts."""
    bundle, build = draft.bundle, draft.build
    paths, retired = bundle.game.paths, bundle.choices[key].retired
    levels = paths.levels_of(build.decisions)
    made = [one for one in build.decisions if (one.choice, one.level) == (key, level) and one.ref not in retired]
    places = {paths.decision_path(one, levels) for one in made}
    for problem in draft.sheet.problems:
        if problem.where in places:
            raise Refused(problem.text, "targets")


def drop_dependents(draft: Draft, before: Sheet, choice: Choice, level: int) -> list[str]:
    """Drop the answers to questions that were asked before this change and no longer are, but no level's pick; returns
    the names of the dropped answers.

    If a level's pick changes, the swaps made at that level are dropped, too.
    """
    bundle = draft.bundle
    were_asked = {line.choice.key for line in before.choices}
    swaps = {key for key, other in bundle.choices.items() if other.replaceable}
    dropped: list[str] = []
    while True:
        asked = {line.choice.key for line in draft.sheet.choices}
        dependents = []
        for address in draft.all_of("choice"):
            key, at = fact_address.choice_parts(address)
            no_longer_asked = key in were_asked and key not in asked and not bundle.choices[key].budget
            swapped_with_the_pick = choice.budget and at == level and key in swaps
            if no_longer_asked or swapped_with_the_pick:
                dependents.append(address)
        if not dependents:
            return dropped
        for address in dependents:
            dropped += named(bundle, draft.read(address))
            draft.put(address, None)


def also_taken(draft: Draft) -> str:
    """Answer every question that has only one possible answer, and then those that these answers raise; returns a
    sentence about it."""
    bundle, taken = draft.bundle, list[str]()
    while found := without_choice(draft):
        line, options = found
        answers = [allowed_answer(bundle, line.choice, options, target, "") for target in options]
        draft.put(fact_address.choice(line.choice.key, line.level), answers)
        taken += named(bundle, answers)
    if not taken:
        return ""
    so = "are the only options" if len(taken) > 1 else "is the only option"
    return f" {listed(taken)} {so} in your rules: chosen for you."


def without_choice(draft: Draft) -> tuple[ChoiceLine, dict[str, Option]] | None:
    """An unanswered question with only as many options as it needs, and these options; None if there is none.

    A choice that takes the player's own words is skipped, and so is a level's pick, which has its own page.
    """
    bundle, build, sheet = draft.bundle, draft.build, draft.sheet
    for line in sheet.choices:
        choice = line.choice
        if line.open != line.needs or choice.mode != "pick" or choice.write_in or choice.budget:
            continue
        if draft.read(fact_address.choice(choice.key, line.level)):
            continue
        offered = options_for(bundle, build, sheet, choice.key, line.level)
        free = {option.target: option for option in offered if not option.why_not}
        if line.open and len(free) == line.open:
            return line, free
    return None


def named(bundle: Bundle, answers: Iterable[StoredAnswer]) -> list[str]:
    """The answers as a sentence names them: the player's own words lose their period, as the sentence has its own."""
    return [answer_name(bundle, Decision(choice="", **one)).rstrip(".") for one in answers]


def sentence(draft: Draft, choice: Choice, level: int, answers: Sequence[StoredAnswer], verb: str) -> str:
    """`Mira takes Fighter at level 2.` or `Mira chooses a lineage: Elf.` For a name that contains the question, such as
    Elven culture, the question is left out."""
    at = f" at {one_level(draft, level)}" if level > 1 else ""
    role, names = choice.slug.replace("-", " "), listed(named(draft.bundle, answers))
    if choice.budget:
        return f"{who(draft)} {verb} {names}{at}."
    if role in names.lower():
        return f"{who(draft)} chooses {names}{at}."
    article = "" if role.endswith("s") else "an " if role[0] in "aeiou" else "a "
    return f"{who(draft)} chooses {article}{role}{at}: {names}."


def also(dropped: Sequence[str]) -> str:
    return f" That also undoes {listed(dropped)}." if dropped else ""
