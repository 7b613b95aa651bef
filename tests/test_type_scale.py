"""Font sizes, corners and shadows come from the scales of base.css, and so do plain lists; no other stylesheet has its
own."""

import re

import pytest
from django.conf import settings

STYLES = settings.BASE_DIR / "static/css"
# The admin keeps Django's sizes, and paper has points.
OWN = {"base.css", "admin.css"} | {style.name for style in STYLES.glob("*print.css")}
SIZE = re.compile(r"font(?:-size)?: [^;]*?(?<![\w.-])[\d.]+(?:rem|px|pt)[^;]*;")
GROWING = re.compile(r"(?:clamp|min|max)\(")  # between two sizes, as the screen has room
CORNER = re.compile(r"border-radius: [^;]*(?<![\w.-])[\d.]+rem[^;]*;|calc\(var\(--radius\)[^;]*;")
SHADOW = re.compile(r"box-shadow: [^;]*rgb[^;]*;")
TOKEN = re.compile(r"(--[\w-]+): ([^;]+);")
STAND_INS = re.compile(r'"Until \w+", ')  # of fonts that have not come, on the first page of a visit
PLAIN_LIST = re.compile(r"^ *((?:\.[\w-]+(?:, )?)+) \{[^}]*list-style: none", re.MULTILINE)


@pytest.mark.parametrize("style", [style.name for style in STYLES.glob("*.css") if style.name not in OWN])
def test_every_size_of_letters_is_of_the_scale(style):
    assert [size for size in SIZE.findall((STYLES / style).read_text()) if not GROWING.search(size)] == []


@pytest.mark.parametrize("style", [style.name for style in STYLES.glob("*.css") if style.name not in OWN])
def test_a_list_with_a_class_is_plain_without_saying_so(style):
    assert PLAIN_LIST.findall((STYLES / style).read_text()) == []


@pytest.mark.parametrize("style", [style.name for style in STYLES.glob("*.css")])
def test_corners_and_shadows_are_of_the_scale(style):
    text = (STYLES / style).read_text()
    assert CORNER.findall(text) + SHADOW.findall(text) == []


def test_the_glance_page_copies_tokens_as_they_are():
    base, copied = (
        (STYLES / name).read_text().partition(":root {")[2].partition("}")[0] for name in ("base.css", "glance.css")
    )
    tokens = dict(TOKEN.findall(STAND_INS.sub("", base)))
    assert {name: value for name, value in TOKEN.findall(copied) if tokens.get(name) != value} == {}
