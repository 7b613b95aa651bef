"""The steps of making a character, with the questions and the progress of each."""

from collections.abc import Iterable, Mapping

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Choice, Ref
from rules.engine.sheet import ChoiceLine, Problem, Sheet
from rules.games.contract import Missing, Section, StepProgress
from rules.games.house_rules import setting

from . import wealth
from .creation import NAME, rank_stats

STEPS = {
    "origin": "Origin",
    "aspects": "Aspects",
    "abilities": "Abilities",
    "job": "Job",
    "equipment": "Equipment",
    "review": "Review",
}
LEDES = {
    "origin": "Where you come from. Each option says what it changes.",
    "aspects": "A disposition, and four lines about who you are. Resolve brings them into play.",
    "abilities": "Six ranks, then a small bonus where you want it.",
    "job": "How you earn your keep and survive a fight.",
    "equipment": "What you carry, wear and hold.",
    "review": "What you have, and what is still missing.",
}
START = 10  # every ability, before points are spent or results handed out
ASPECTS = {
    "trait": ("Personality trait", "A habit, a like, a way of being."),
    "ideal": ("Ideal", "The thing you believe in above all. The word beside it says whom it suits."),
    "bond": ("Bond", "Who or what you are tied to."),
    "flaw": ("Flaw", "A weakness, a fear, a temptation."),
}
DISPOSITION = "core-rules.disposition"
BONUSES = "core-rules.ability-bonuses"
# The questions of creation itself, in order. Questions that an answer raises come under it.
ROOTS = {
    "core-rules.lineage": "origin",
    "core-rules.culture": "origin",
    "core-rules.background": "origin",
    "core-rules.replacement-skill": "origin",
    "core-rules.replacement-knowledge": "origin",
    "core-rules.replacement-tool": "origin",
    "core-rules.replacement-language": "origin",
    DISPOSITION: "aspects",
    BONUSES: "abilities",
    "core-rules.job": "job",
    "core-rules.job-skills": "job",
    "core-rules.level-abilities": "job",
    "core-rules.level-job": "job",
    "core-rules.level-talent": "job",
}
# The statistics that the side sheet shows first.
GLANCE: tuple[str, ...] = ("health.max", "defense", "speed", "resolve.max")
VITAL_RESOURCE = "health"
SKILLS, SAVES = "skill.", "save."
UNARMED = "weapon:unarmed-strike"
NAMED = ("lineage", "culture", "background", "job")
# Numbers that are not listed, because each follows another one closely.
UNSAID = {"resources.lifestyle", "zones", "job-ranks", "jump.standing", "breath", "rank.fighter", "stamina.max"}
# The first part of a problem's path -> the step where it can be fixed. `choices` and `origin.disposition` are looked
# up.
PLACES = {
    "origin": "origin",
    "abilities": "abilities",
    "job": "job",
    "levels": "job",
    "inventory": "equipment",
    "aspects": "aspects",
}


def in_words(bundle: Bundle, sheet: Sheet) -> str:
    """The character so far: `Human, Human culture, Ambassador, Fighter`."""
    return ", ".join(element.name for kind in NAMED for element in bundle.of_kind(kind) if element.ref in sheet.active)


def means(sheet: Sheet) -> str:
    """The character's means in words: `Resources 4 (Modest) pay for anything up to Uncommon`; at 0, where Resources
    come from."""
    rank = sheet.value("resources.rank")
    index = wealth.lifestyle(rank)
    held = f"Resources {rank} ({wealth.LIFESTYLES[index]}) pay for"
    if index:
        return f"{held} anything up to {wealth.CLASSES[index]}"
    if sheet.value("resources.lowered"):
        return f"{held} nothing. The ranks you spent beyond your means come back after the adventure"
    return f"{held} nothing. Your background decides the rank you begin with"


def reminder(bundle: Bundle, build: Build, choice: Choice) -> str:
    """A sentence to keep in mind at a choice, about a house rule (section 6, ruling 48) or for newcomers; "" for
    none."""
    if choice.key == "core-rules.culture" and setting(bundle, build, "mixedCultures") == "ask":
        return "Talk to your storyteller before you choose the culture of another lineage."
    if choice.filter_kind in ("skill", "knowledge") and not any(one.choice == choice.key for one in build.decisions):
        return "3D+1 means: roll three dice and add 1."
    if choice.filter_kind == "language" and "languages" in build.switches:
        return f"Spoken in this setting: {build.switches['languages']}."
    return ""


def anchor(key: str, level: int = 1) -> str:
    """The id that a choice has on its page."""
    return key.replace(".", "-") + (f"-{level}" if level > 1 else "")


def sections(bundle: Bundle, build: Build, sheet: Sheet) -> dict[str, tuple[Section, ...]]:
    """Every question in `sheet.choices` by step, each under the question of creation that raised it."""
    order = list(ROOTS)
    roots = sorted((line for line in sheet.choices if line.choice.key in ROOTS and line.needs),
                   key=lambda line: (line.level, order.index(line.choice.key)))  # fmt: skip
    if not roots:  # rules for this game that ask other questions
        asked = tuple(Section(line) for line in sheet.choices if line.needs)
        return {slug: asked if slug == "origin" else () for slug in STEPS}
    answers: dict[str, list[Ref]] = {}
    for decision in build.decisions:
        answers.setdefault(decision.choice, []).append(decision.ref)
    home: dict[Ref, int] = {}  # element -> the first root that brought it
    for at, line in enumerate(roots):
        _settle(home, at, line.chosen, bundle, answers)
    under: list[list[ChoiceLine]] = [[] for _ in roots]
    for line in sheet.choices:
        if line.choice.key not in ROOTS and line.needs:
            under[home.get(line.choice.owner, -1)].append(line)
    found: dict[str, list[Section]] = {slug: [] for slug in STEPS}
    for root, lines in zip(roots, under, strict=True):
        found[ROOTS[root.choice.key]].append(Section(root, tuple(lines)))
    return {slug: tuple(of_step) for slug, of_step in found.items()}


def _settle(
    home: dict[Ref, int], at: int, refs: Iterable[Ref], bundle: Bundle, answers: Mapping[str, list[Ref]]
) -> None:
    """Make this root the home of these elements and of everything they brought (their grants, and the answers to their
    choices) that has no home yet."""
    waiting = list(refs)
    while waiting:
        element = bundle.elements.get(waiting.pop())
        if element is None or element.ref in home:
            continue
        home[element.ref] = at
        waiting += [effect.element for effect in bundle.grants.get(element.ref, ())]
        waiting += [ref for choice in element.choices for ref in answers.get(choice.key, ())]


def progress(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[StepProgress, ...]:
    """Each step with the number of answers given and needed, 0 if it asks for nothing."""
    placed = sections(bundle, build, sheet)
    troubled = {step for step, _, _ in problems(bundle, build, sheet)}
    stats, kinds = rank_stats(bundle), {kind for kind, _ in build.aspects}
    besides = {  # what a step asks for besides its questions: how many are given, and how many needed
        "origin": (int(bool(build.name)), 1),
        "aspects": (len(kinds & ASPECTS.keys()), len(ASPECTS)),  # one of each kind (ruling 46)
        "abilities": (len(build.inputs.keys() & stats.keys()), len(stats)),
    }
    done = []
    for slug, name in STEPS.items():
        lines = [line for section in placed[slug] for line in section.lines]
        given, wanted = besides.get(slug, (0, 0))
        chosen = given + sum(min(line.made, line.needs) for line in lines)
        needed = wanted + sum(line.needs for line in lines)
        done.append(StepProgress(slug, name, chosen, needed, slug in troubled))
    return tuple(done)


def missing(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Missing, ...]:
    """Every answer that a complete character still needs, in the order of the steps."""
    placed = sections(bundle, build, sheet) if any(line.open for line in sheet.choices) else {}
    found = []
    for step in STEPS:
        found += [
            Missing(step, anchor(line.choice.key, line.level), _more(line))
            for section in placed.get(step, ())
            for line in section.lines
            if line.open
        ]
        if step == "aspects":
            kinds = {kind for kind, _ in build.aspects}
            found += [Missing(step, kind, f"{ASPECTS[kind][0]}: one") for kind in ASPECTS if kind not in kinds]
        if step == "abilities" and any(stat not in build.inputs for stat in rank_stats(bundle)):
            found.insert(0, Missing(step, "ranks", NAME))
        if step == "origin" and not build.name:
            found.append(Missing(step, "name", "A name"))
    return tuple(sorted(found, key=lambda one: list(STEPS).index(one.step)))


def _more(line: ChoiceLine) -> str:
    return f"{line.choice.prompt}: {line.open} more" if line.made else line.choice.prompt


def problems(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, str, Problem], ...]:
    """Each problem with the step where it can be fixed, and its anchor there."""
    if not sheet.problems:
        return ()
    steps = {
        line.choice.key: step
        for step, of_step in sections(bundle, build, sheet).items()
        for section in of_step
        for line in section.lines
    }
    found = []
    for problem in sheet.problems:
        if problem.where == "name":  # it is listed as missing
            continue
        head, _, rest = problem.where.replace("[", ".", 1).partition(".")
        key, place = _choice_in(problem.where), PLACES.get(head, "review")
        if problem.where == "origin.disposition":
            key = DISPOSITION
        elif head == "origin":
            key = f"core-rules.{rest}"
        elif problem.where == "job":
            key = "core-rules.job"
        elif problem.where == "abilities.bonuses":
            key = BONUSES
        found.append((steps.get(key, ROOTS.get(key, place)), anchor(key) if key else place, problem))
    return tuple(found)


def _choice_in(where: str) -> str:
    """The choice key inside a path: `choices.human-culture.skills[1]` -> `human-culture.skills`."""
    _, marker, rest = where.partition("choices.")
    return rest.partition("[")[0] if marker else ""
