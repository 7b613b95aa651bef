"""Reads pages for their meaning: line breaks of templates do not matter."""

import re

BESIDE_TAG = re.compile(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)")


def html_of(response):
    """The page without line breaks: those beside a tag or inside one are left out, others become a space."""
    return re.sub(r"\s+", " ", BESIDE_TAG.sub("", response.content.decode())).replace(" >", ">")


NAMED_BY_ID = "character|combatant|item|relationship|roll|spell|to"  # fields that send the id of a row
ANY_DIGITS = re.compile(
    r'"csrfmiddlewaretoken" value="\w+"|name="key" value="\w+"|data-(number|character|combatant)="[^"]*"'
    rf'|(?<=<option )value="[^"]*"|name="({NAMED_BY_ID})" value="\d+"'
)


def without_tokens(html):
    """The page without random tokens, counts of its state, and ids: any digits may be in these."""
    return ANY_DIGITS.sub("", html)


def says(text, number):
    """The text has this number by itself: not among the digits of a time, a longer number, an address or an id."""
    return re.search(rf"(?<![\w./=-]){number}(?!\d)", text) is not None
