"""Finds docstrings and comments in which a question stands in for a noun: "What a roll came to" is its result.

A reader in a hurry looks for the thing itself in the first word. `tests.support.voice` runs this with its own search.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
ROOMS = ("bench", "campaigns", "characters", "polyhedral_site", "rules", "static", "templates", "tests")
KINDS = (".py", ".html", ".jinja", ".js", ".css")
NOT_OURS = {"migrations", "vendor"}
OPENING = re.compile(r"W(?:hat|ho|hom|hose|here|hich|hether|hy)(?:ever)?\b|How\b")
TEMPLATE_COMMENT = re.compile(r"\{#(.*?)#\}|\{% comment %\}(.*?)\{% endcomment %\}", re.S)
SCRIPT_COMMENT = re.compile(r"(?:^[ \t]*//[^\n]*\n)+|/\*.*?\*/", re.S | re.M)
INSTEAD = "begin with the thing itself, as in “The result of a roll”"

Text = tuple[int, str]  # the line it begins on, and its words


def written_for_engineers() -> Iterator[Path]:
    for room in ROOMS:
        for path in sorted((HOME / room).rglob("*")):
            if path.suffix in KINDS and NOT_OURS.isdisjoint(path.parts):
                yield path


def riddles_in(path: Path, text: str) -> Iterator[str]:
    """A line for each sentence of the docstrings and comments that begins with a question word but is no question."""
    for line, words in texts_of(path, text):
        for sentence in sentences(words):
            if OPENING.match(sentence) and not sentence.rstrip('"”’)').endswith("?"):
                yield f"{path.relative_to(HOME)}:{line}: {' '.join(sentence.split()[:5])} …; {INSTEAD}"


def texts_of(path: Path, text: str) -> Iterator[Text]:
    """The docstrings and comments of this file."""
    yield from READ.get(path.suffix, of_template)(text)


def of_python(text: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [(one.start, one.string.lstrip("#").strip()) for one in tokens if one.type == tokenize.COMMENT]
    # Comments of one column on lines that follow each other are one text.
    blocks = groupby(enumerate(comments), lambda pair: (pair[1][0][0] - pair[0], pair[1][0][1]))
    for _, block in blocks:
        lines = [comment for _, comment in block]
        yield lines[0][0][0], " ".join(words for _, words in lines)


def of_template(text: str) -> Iterator[Text]:
    for comment in TEMPLATE_COMMENT.finditer(text):
        yield text.count("\n", 0, comment.start()) + 1, (comment[1] or comment[2]).strip()


def of_script(text: str) -> Iterator[Text]:
    """Comments of lines that follow each other are one text; so is one between `/*` and `*/`."""
    for comment in SCRIPT_COMMENT.finditer(text):
        words = re.sub(r"^\s*(//|/\*|\*(?!/))|\*/$", "", comment[0].strip(), flags=re.M)
        yield text.count("\n", 0, comment.start()) + 1, words.strip()


READ = {".py": of_python, ".js": of_script, ".css": of_script}


def sentences(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        yield from re.split(r"(?<=[.?!])\s+", " ".join(paragraph.split()))
