"""Docstrings and comments begin with the thing itself, and the check finds any that do not."""

import pytest

from tests.support import docstrings

PLANTED = {
    "module.py": '"""What a roll came to."""\n',
    "function.py": 'def act():\n    """Rolls. Whoever asked is told.\n\n    Nothing else.\n    """\n',
    "comment.py": "x = 1  # fine\n# Fine. Which of them\n# is the first.\ny = 2\n",
    "reason.py": "x = 1  # Why it fails, as a sentence\n",
    "paragraph.py": '"""Fine:\n\nWhether it holds"""\n',
    "template.html": "<p>Fine</p>{# How it is drawn. #}\n",
    "script.js": "// Fine. Fine\n// again. Where one was\n// is kept.\nlet x;\n",
    "style.css": "a { top: 0; } /* What stands\n   above. */\n",
    "template.jinja": "{# Fine. Where it stands.\n   Fine. #}\n",
}
HARMLESS = {
    "question.py": '"""Two answers: does it hold? Who is asking?"""\n# Which of the two\n# is it?\n',
    "inside.py": '"""The person who asks, and what they ask. However, `What` is fine."""\nWhat = "Who is there."\n',
    "script.js": "// Is it there? Then it stays.\nlet url = 'https://where.example'; // What may stand here.\n",
    "text.html": "<p>What a roll came to.</p>\n",
}


def test_no_docstring_or_comment_begins_with_a_question_word_for_a_noun():
    files = docstrings.written_for_engineers()
    assert [line for path in files for line in docstrings.riddles_in(path, path.read_text())] == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_question_word_is_found(name):
    (found,) = docstrings.riddles_in(docstrings.HOME / name, PLANTED[name])
    assert found.startswith(f"{name}:")
    assert found.endswith(docstrings.INSTEAD)


@pytest.mark.parametrize("name", HARMLESS)
def test_questions_and_sentences_for_people_are_let_through(name):
    assert list(docstrings.riddles_in(docstrings.HOME / name, HARMLESS[name])) == []
