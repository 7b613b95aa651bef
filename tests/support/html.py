"""Pages as they mean: how a template breaks its lines is nobody's business."""

import re

BESIDE_TAG = re.compile(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)")


def html_of(response):
    """The page without line breaks: nothing in place of those beside a tag or in one, a space elsewhere."""
    return re.sub(r"\s+", " ", BESIDE_TAG.sub("", response.content.decode())).replace(" >", ">")


def without_tokens(html):
    """The page without what is drawn by chance for it or counts its state, where any digits may stand."""
    return re.sub(r'"csrfmiddlewaretoken" value="\w+"|name="key" value="\w+"|data-number="[^"]*"', "", html)


def says(text, number):
    """The text has this number by itself: not among the digits of a time, a longer number, an address or an id."""
    return re.search(rf"(?<![\w./=-]){number}(?!\d)", text) is not None
