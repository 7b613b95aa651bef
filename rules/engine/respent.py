"""What most of an evening comes to: points lost and won back, which no other number reads."""

from dataclasses import replace

from .build import Build
from .bundle import Bundle
from .sheet import Sheet


def respent(bundle: Bundle, was: Build, build: Build, sheet: Sheet) -> Sheet | None:
    """The sheet of `build`, from that of `was`, where they differ only in what is spent and in words that no number
    reads. None where something else has moved or may have: then it takes a `derive`.

    Equal to `derive(bundle, build)` wherever it answers. The same sheet when no amount has moved.
    """
    if build.left or was.left or as_spent(build, was) != was:
        return None
    moved = {slug for slug in {*was.spent, *build.spent} if was.spent.get(slug, 0) != build.spent.get(slug, 0)}
    if moved & bundle.read_spent:
        return None
    lines = dict(sheet.resources)
    for slug in moved:
        line, spent = lines.get(slug), build.spent.get(slug, 0)
        if line is None or line.max <= 0:
            return None
        left = max(0, line.max - spent)
        if slug in bundle.read_empty and (left == 0) != (line.left == 0):
            return None
        if max(spent, line.spent) > line.max:
            return None  # the audit has a word to say
        lines[slug] = line._replace(left=left, spent=spent)
    return replace(sheet, resources=lines) if moved else sheet


def as_spent(build: Build, was: Build) -> Build:
    """The build with what is spent, and what no number reads, as it was."""
    return replace(
        build,
        spent=was.spent,
        rest=was.rest,
        rest_dice=was.rest_dice,
        relationships=was.relationships,
        notes=was.notes,
        downtimes=was.downtimes,
    )
