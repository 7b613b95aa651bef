"""Pages as they mean: how a template breaks its lines is nobody's business."""

import re

BESIDE_TAG = re.compile(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)")


def html_of(response):
    """The page without line breaks: nothing in place of those beside a tag or in one, a space elsewhere."""
    return re.sub(r"\s+", " ", BESIDE_TAG.sub("", response.content.decode())).replace(" >", ">")


NAMED_BY_ID = "character|combatant|item|relationship|roll|spell|to"  # fields that send the id of a row
ANY_DIGITS = re.compile(
    r'"csrfmiddlewaretoken" value="\w+"|name="key" value="\w+"|data-(number|character|combatant)="[^"]*"'
    rf'|(?<=<option )value="[^"]*"|name="({NAMED_BY_ID})" value="\d+"'
)


def without_tokens(html):
    """The page without what is drawn by chance for it, counts its state or is an id, where any digits may stand."""
    return ANY_DIGITS.sub("", html)


def says(text, number):
    """The text has this number by itself: not among the digits of a time, a longer number, an address or an id."""
    return re.search(rf"(?<![\w./=-]){number}(?!\d)", text) is not None
