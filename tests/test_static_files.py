"""Stylesheets are sent without comments and extra spaces, and otherwise as they are written."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from polyhedral_site.static_files import NOT_SENT

SHEETS = sorted((settings.BASE_DIR / "static/css").glob("*.css"))
COMMENT, TEXT = re.compile(rb"/\*.*?\*/", re.DOTALL), re.compile(rb'"[^"\n]*"')


@pytest.mark.parametrize("path", SHEETS, ids=[path.stem for path in SHEETS])
def test_texts_in_a_stylesheet_are_sent_as_they_are_written(path: Path):
    written = COMMENT.sub(b"", path.read_bytes())
    sent = NOT_SENT["css"].sub(b"", path.read_bytes())
    assert TEXT.findall(sent) == TEXT.findall(written)


def test_comments_and_needless_spaces_are_not_sent():
    written = b'/* why */\na, b {\n  margin: 0 1px;\n  content: ", ";\n}\n'
    assert NOT_SENT["css"].sub(b"", written) == b'\na,b{margin:0 1px;content: ", ";}'
