"""Words of one game occur in its content, in its folder of `rules/games` and of `templates/games`, and nowhere else."""

import re
from pathlib import Path

import pytest

from tests.support.site import ROOT

ROOMS = (
    "characters",
    "campaigns",
    "polyhedral_site",
    "rules/engine",
    "rules/models",
    "rules/packs",
    "rules/admin",
    "templates",
    "static/css",
    "static/js",
)
WRITTEN = {".py", ".html", ".jinja", ".txt", ".css", ".js"}
WORDS = re.compile(
    r"(?<![a-z])(health|wounds?|wounded|stamina|resolve|death|dying|lowered|rally|stabilize)(?![a-z])", re.IGNORECASE
)
# Python and the loading of packs have a `resolve` of their own; `/health/` is the page about the state of the site.
OTHER_MEANINGS = re.compile(
    r"import resolve|, resolve$|\bresolve\(|\.resolve\b|\bdef resolve|does not resolve"
    r"|health/|\"health\"|\bhealth(?=[.,(])"
)


def files():
    rooms = [path for room in ROOMS for path in (ROOT / room).rglob("*")]
    shared = [
        *(ROOT / "rules").glob("*.py"),
        *(ROOT / "rules/games").glob("*.py"),
        *(ROOT / "rules/patterns").glob("*.py"),
    ]
    for path in (*rooms, *shared):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in WRITTEN and not re.search(r"migrations/|templates/games/|templates/style/", name):
            yield name, path


def words_in(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [line.strip() for line in lines if WORDS.search(OTHER_MEANINGS.sub("", line))]


FOUND = {name: found for name, path in files() if (found := words_in(path))}


def test_no_shared_code_or_template_has_words_of_one_game():
    assert len(list(files())) > 300
    assert FOUND == {}


@pytest.mark.parametrize(
    ("line", "speaks"),
    [
        ("DEATH_SAVES = 3", True),
        ("the character’s wounds", True),
        ("cheat_death", True),
        ("Path(x).resolve()", False),
        ("healthy", False),
        ('path("health/", health.health, name="well")', False),
    ],
)
def test_the_words_are_found_in_names_and_sentences(line, speaks):
    assert bool(WORDS.search(OTHER_MEANINGS.sub("", line))) == speaks
