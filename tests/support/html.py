"""Reads pages without the line breaks of their templates."""

import re

LIVE = re.compile(r'<form[^>]*method="post"[^>]*>|hx-post|hx-put|data-watch')  # what only players get
BESIDE_TAG = re.compile(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)")


def html_of(response):
    """The page without line breaks: those beside or inside a tag are left out, others become a space."""
    return re.sub(r"\s+", " ", BESIDE_TAG.sub("", response.content.decode())).replace(" >", ">")


NAMED_BY_ID = "character|combatant|item|relationship|roll|spell|to"  # fields that send the id of a row
ANY_DIGITS = re.compile(
    r'"csrfmiddlewaretoken" value="\w+"|name="key" value="\w+"|data-(number|character|combatant)="[^"]*"'
    rf'|(?<=<option )value="[^"]*"|name="({NAMED_BY_ID})" value="\d+"'
)


def without_tokens(html):
    """The page without random tokens, counts of its state, and ids, which may contain any digits."""
    return ANY_DIGITS.sub("", html)


def says(text, number):
    """True if the text has this number by itself, and not within a time, a longer number, an address or an id."""
    return re.search(rf"(?<![\w./=-]){number}(?!\d)", text) is not None
