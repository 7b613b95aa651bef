"""Finds the words that docs/voice.md forbids in the rules, pages, scripts and sentences that people read.

`python -m tests.support.voice` prints each with its place, and fails if there is one. It does the same for riddles in
docstrings and comments (`docstrings.py`), and for British spelling in these and in documents.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from tests.support.docstrings import riddles_in, texts_of, written_for_engineers

HOME = Path(__file__).resolve().parents[2]
CODE = ("campaigns", "characters", "polyhedral_site", "rules")
ROW = re.compile(r"^\| (?!Never |British |---)(.+?) \| (.+?) \|$", re.M)
CODE_SPAN = re.compile(r"```.*?```|`[^`]*`", re.S)
COMMENT = re.compile(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}|<!--.*?-->", re.S)
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
QUOTED = re.compile(r"""("[^"]*"|'[^']*')|[^"']+""")
TEXT = re.compile(r"""("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)""")  # in a script, where sentences are quoted like this
REMARK = re.compile(r"^\s*//.*$", re.M)
UNREAD = re.compile(r'(?<=\s)(?!aria-label|alt|placeholder|title)[a-z-]+="[^"]*"')

Sentence = tuple[int, str]  # the line it begins on, and its words


def main() -> int:
    found = [one for path in read_by_people() for one in forbidden_in(path, path.read_text())]
    for path in written_for_engineers():
        found += [*riddles_in(path, path.read_text()), *british_in(path, path.read_text())]
    found += [one for path in documents() for one in british_in(path, path.read_text())]
    print("\n".join(found) or "No word that docs/voice.md forbids, and no riddle in a docstring or comment.")
    return bool(found)


def read_by_people() -> Iterator[Path]:
    """Every file that holds sentences for people."""
    yield from sorted(path for path in (HOME / "templates").rglob("*") if path.is_file())
    yield from sorted((HOME / "static/js").glob("*.js"))
    for folder in CODE:
        for path in sorted((HOME / folder).rglob("*")):
            if path.suffix in (".py", ".yaml") and "migrations" not in path.parts:
                yield path


def documents() -> Iterator[Path]:
    """Every document but the one that lists the words."""
    yield from (path for path in sorted({*HOME.glob("*.md"), *HOME.glob("docs/**/*.md")}) if path != VOICE)


def forbidden_in(path: Path, text: str) -> Iterator[str]:
    """A line for each forbidden word in the text of this file: its place, and the word to use instead."""
    for line, sentence in sentences(path, text):
        yield from _found(path, line, sentence, WORDS)


def british_in(path: Path, text: str) -> Iterator[str]:
    """The same for British spelling in a document, or in the docstrings and comments of code."""
    texts = [(1, CODE_SPAN.sub(blank, text))] if path.suffix == ".md" else texts_of(path, text)
    for line, words in texts:
        yield from _found(path, line, words, SPELLING)


def _found(path: Path, line: int, text: str, forbidden: list[tuple[re.Pattern, str]]) -> Iterator[str]:
    for word, instead in forbidden:
        for match in word.finditer(text):
            at = line + text.count("\n", 0, match.start())
            yield f'{path.relative_to(HOME)}:{at}: "{match[0]}"; say: {instead}'


def sentences(path: Path, text: str) -> Iterator[Sentence]:
    if path.suffix == ".py":
        yield from of_python(text)
    elif path.suffix == ".yaml":
        yield from of_yaml(yaml.compose(text, yaml.SafeLoader))
    elif path.suffix == ".js":
        yield from of_script(REMARK.sub(blank, text))
    else:
        yield 1, UNREAD.sub(blank, TAG.sub(without_names, COMMENT.sub(blank, text)))


def of_python(text: str) -> Iterator[Sentence]:
    """The strings of this code, except its docstrings, which are for engineers."""
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings and is_sentence(node.value):
            yield node.lineno, node.value


def of_script(text: str) -> Iterator[Sentence]:
    for found in TEXT.finditer(text):
        if is_sentence(found[1]):
            yield 1 + text.count("\n", 0, found.start()), found[1]


def of_yaml(node: yaml.Node | None) -> Iterator[Sentence]:
    if isinstance(node, yaml.ScalarNode):
        if is_sentence(node.value):
            yield node.start_mark.line + 1, node.value
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from of_yaml(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from of_yaml(value)


def is_sentence(value) -> bool:
    """True for a text of several words; a single one may be the name of something."""
    return isinstance(value, str) and len(value.split()) > 1


def without_names(tag: re.Match) -> str:
    """A template tag with only its quoted sentences left."""
    return QUOTED.sub(lambda part: part[0] if is_sentence(part[1]) else blank(part), tag[0])


def blank(match: re.Match) -> str:
    """Spaces in place of a match. Its line breaks stay, so that line numbers do, too."""
    return re.sub(r"[^\n]", " ", match[0])


def words(table: str) -> list[tuple[re.Pattern, str]]:
    """The rows of the table: a pattern for each word that is forbidden, and the word to use instead."""
    return [(pattern(word), instead) for row, instead in ROW.findall(table) for word in row.split(", ")]


def pattern(word: str) -> re.Pattern:
    """Whole words; a star at the end stands for any ending."""
    words = r"\s+".join(map(re.escape, word.removesuffix("*").split()))
    return re.compile(rf"(?<![\w.-]){words}{r'\w*' if word.endswith('*') else ''}(?![\w-])", re.IGNORECASE)


VOICE = HOME / "docs/voice.md"
WORDS = words(VOICE.read_text())
SPELLING = words(VOICE.read_text().partition("## Spelling")[2])

if __name__ == "__main__":
    sys.exit(main())
