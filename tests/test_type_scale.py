"""All letters have a size of the one scale, and lists are plain, by base.css; no other stylesheet says so again."""

import re

import pytest
from django.conf import settings

STYLES = settings.BASE_DIR / "static/css"
# The admin keeps Django's sizes, and paper has points.
OWN = {"base.css", "admin.css"} | {style.name for style in STYLES.glob("*print.css")}
SIZE = re.compile(r"font(?:-size)?: [^;]*?(?<![\w.-])[\d.]+(?:rem|px|pt)[^;]*;")
GROWING = re.compile(r"(?:clamp|min|max)\(")  # between two sizes, as the screen has room
PLAIN_LIST = re.compile(r"^ *((?:\.[\w-]+(?:, )?)+) \{[^}]*list-style: none", re.MULTILINE)


@pytest.mark.parametrize("style", [style.name for style in STYLES.glob("*.css") if style.name not in OWN])
def test_every_size_of_letters_is_of_the_scale(style):
    assert [size for size in SIZE.findall((STYLES / style).read_text()) if not GROWING.search(size)] == []


@pytest.mark.parametrize("style", [style.name for style in STYLES.glob("*.css") if style.name not in OWN])
def test_a_list_with_a_class_is_plain_without_saying_so(style):
    assert PLAIN_LIST.findall((STYLES / style).read_text()) == []
