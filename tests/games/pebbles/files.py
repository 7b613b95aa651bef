"""The character file: the decisions and the spent pebbles. Anything that the game does not know is left out."""

import json
from collections.abc import Mapping, Sequence

from rules.engine.build import Build, Decision
from rules.engine.bundle import Bundle
from rules.engine.sheet import Problem, Sheet

FORMAT = "pebbles-character/1"
TRICK = "pebbles.level-talent"
ORIGIN: Mapping[str, str] = {}


def levels_of(decisions: Sequence[Decision]) -> list[int]:
    return sorted({one.level for one in decisions if one.choice == TRICK})


def decision_path(decision: Decision, levels: Sequence[int]) -> str:
    return f"answers.{decision.choice}@{decision.level}"


def read(document: object, bundle: Bundle) -> tuple[Build | None, tuple[Problem, ...]]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return None, (Problem("format", f"This is not a {FORMAT} file."),)
    answers = {key.partition("@"): ref for key, ref in document["answers"].items()}
    unknown = [ref for ref in answers.values() if ref not in bundle.elements]
    if unknown:
        return None, tuple(Problem("answers", f"There is no {ref}.") for ref in unknown)
    decisions = tuple(Decision(choice, int(level), ref=ref) for (choice, _, level), ref in answers.items())
    return Build(name=document["name"], xp=document["xp"], decisions=decisions, spent=document["spent"]), ()


def write(build: Build, sheet: Sheet, bundle: Bundle, left_out: Sequence[str] = ()) -> dict[str, object]:
    return {
        "format": FORMAT,
        "ruleset": bundle.ruleset,
        "name": build.name,
        "xp": build.xp,
        "answers": {f"{one.choice}@{one.level}": one.ref for one in build.decisions},
        "spent": dict(build.spent),
    }


def dump(document: dict[str, object]) -> str:
    return json.dumps(document, indent=2) + "\n"


def answer(sheet: Sheet, bundle: Bundle) -> dict[str, object]:
    return {"name": sheet.name, "values": {key: value.value for key, value in sheet.values.items()}}
