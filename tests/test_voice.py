"""The sentences for people break no rule of docs/voice.md, and the check finds any that do."""

import re

import pytest

from tests.support import voice

PLANTED = {
    "planted.yaml": "- slug: torch\n  summary: A light that anybody can carry.\n",
    "planted.html": '<p>Fine.</p>\n<button aria-label="For anybody here">Add</button>\n',
    "planted.jinja": '{{ button("Ask\nanybody") }}\n',
    "planted.js": 'const who = 1;\nsay("Not for anybody here.");\n',
    "planted.py": '"""For anybody."""\nraise Refused(f"{name} is not for anybody else.")\n',
}
HARMLESS = {
    "harmless.yaml": "# for anybody\n- slug: anybody\n  summary: Fine.\n",
    "harmless.html": '{# for anybody #}{% if anybody %}<p class="for-anybody">{{ row.anybody }}</p>{% endif %}\n',
    "harmless.js": "// for anybody\nconst anybody = found['anybody'];\n",
    "harmless.py": '"""For anybody."""\nanybody = {"anybody": 1}  # anybody\n',
}


def test_no_sentence_says_what_the_voice_forbids():
    assert [line for path in voice.read_by_people() for line in voice.forbidden_in(path, path.read_text())] == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_word_is_found_at_its_line(name):
    line = next(number for number, text in enumerate(PLANTED[name].splitlines(), 1) if "anybody" in text)
    if name.endswith(".py"):
        line = 2  # not the docstring in line 1, which is for engineers
    (found,) = voice.forbidden_in(voice.HOME / name, PLANTED[name])
    assert found == f'{name}:{line}: "anybody"; say: someone, anyone, everyone'


@pytest.mark.parametrize("name", HARMLESS)
def test_names_comments_and_docstrings_may_say_anything(name):
    assert list(voice.forbidden_in(voice.HOME / name, HARMLESS[name])) == []


@pytest.mark.parametrize(
    ("word", "sentence", "found"),
    [
        ("Go on", "Press go\n  on here.", "go\n  on"),
        ("one", "someone, one-handed, no.one", None),
        ("colour*", "Coloured by hand.", "Coloured"),
        ("colour*", "Of the color, discolour.", None),
    ],
)
def test_a_phrase_may_break_over_lines_and_is_made_of_whole_words(word, sentence, found):
    match = voice.pattern(word).search(sentence)
    assert (match and match[0]) == found


# A label, a choice, or the words behind a box to tick, if they begin small.
SMALL = re.compile(r"<(?:label|option|input)\b(?:{{[^}]*}}|{%[^%]*%}|[^>{])*>\s*[a-z][^<]*")


def test_labels_and_choices_begin_with_a_capital():
    paths = [path for kind in ("html", "jinja") for path in (voice.HOME / "templates").rglob(f"*.{kind}")]
    assert len(paths) > 100
    assert [found for path in paths for found in SMALL.findall(path.read_text())] == []
    assert SMALL.search('<label class="tick"><input type="checkbox"{{ ticked(1 > 0) }}> in secret</label>')


PLANTED_BRITISH = {
    "docs/planted.md": "# Fine\n`colour` is fine.\nThe colour is not.\n",
    "planted.py": 'colour = 1\n\n"""The colour."""\n',
    "planted.css": ".colour {}\n\n/* The colour. */\n",
    "planted.html": "<p>colour</p>\n\n{# The colour. #}\n",
}


@pytest.mark.parametrize("name", PLANTED_BRITISH)
def test_british_spelling_is_found_in_documents_docstrings_and_comments(name):
    (found,) = voice.british_in(voice.HOME / name, PLANTED_BRITISH[name])
    assert found == f'{name}:3: "colour"; say: the same with -or'


def test_the_table_is_read_from_the_document():
    assert ("anybody", "someone, anyone, everyone") in [
        (re.sub(r"\(\?.*?\)", "", word.pattern), instead) for word, instead in voice.WORDS
    ]
