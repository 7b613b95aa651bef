"""Two steps, origin and review. Levels have pages of their own."""

from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.content import Choice, Ref
from rules.engine.sheet import Problem, Sheet
from rules.games.contract import Missing, Section, StepProgress

STEPS = {"origin": "Origin", "review": "Review"}
LEDES = {"origin": "Who you throw with.", "review": "What you have, and what is still missing."}
ASPECTS: dict[str, tuple[str, str]] = {}
GLANCE: tuple[str, ...] = ("luck", "grip", "heart", "pebbles.max")
VITAL_RESOURCE = "pebbles"
UNSAID: set[str] = set()
START = 0
SKILLS, SAVES = "skill.", "save."
UNARMED: Ref = ""


def sections(bundle: Bundle, build: Build, sheet: Sheet) -> dict[str, tuple[Section, ...]]:
    return {"origin": tuple(Section(line) for line in sheet.choices if line.needs), "review": ()}


def progress(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[StepProgress, ...]:
    lines = [line for line in sheet.choices if line.needs]
    chosen, needed = sum(min(line.made, line.needs) for line in lines), sum(line.needs for line in lines)
    named = int(bool(build.name))
    return StepProgress("origin", "Origin", chosen + named, needed + 1), StepProgress("review", "Review", 0, 0)


def missing(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[Missing, ...]:
    asked = [line for line in sheet.choices if line.open]
    found = [Missing("origin", anchor(line.choice.key, line.level), line.choice.prompt) for line in asked]
    return (*found, *([] if build.name else [Missing("origin", "name", "A name")]))


def problems(bundle: Bundle, build: Build, sheet: Sheet) -> tuple[tuple[str, str, Problem], ...]:
    return tuple(("origin", "", problem) for problem in sheet.problems if problem.where != "name")


def anchor(key: str, level: int = 1) -> str:
    return f"{key.replace('.', '-')}-{level}"


def in_words(bundle: Bundle, sheet: Sheet) -> str:
    return ", ".join(element.name for element in bundle.of_kind("lineage") if element.ref in sheet.active)


def means(sheet: Sheet) -> str:
    return "Pebbles buy nothing"


def reminder(bundle: Bundle, build: Build, choice: Choice) -> str:
    return ""
