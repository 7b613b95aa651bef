"""Rules text to HTML: Markdown without raw HTML, then an allowlist of tags."""

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {
    "p", "em", "strong", "a", "ul", "ol", "li", "blockquote", "code", "pre", "hr", "br",
    "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
# Texts are shown below the titles of a page and a section.
LOWEST_HEADING = 3


@lru_cache(maxsize=2048)
def render(text: str) -> SafeString:
    """The safe HTML of a rules text. Headings start at level three; links lead to the web or within the site."""
    tokens = PARSER.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + LOWEST_HEADING - 1)}"
    html = PARSER.renderer.render(tokens, PARSER.options, {})
    clean = nh3.clean(html, tags=TAGS, attributes={"a": {"href", "title"}}, url_schemes={"http", "https", "mailto"})
    return mark_safe(clean)  # noqa: S308  (nh3 has just cleaned it)


def plain(text: str) -> str:
    """A rules text without markup, on one line."""
    blocks = ("".join(map(_words, token.children or ())) for token in PARSER.parse(text))
    return " ".join(" ".join(blocks).split())


def paragraphs(text: str) -> str:
    """A rules text without markup, with an empty line between blocks."""
    blocks = ("".join(map(_words, token.children or ())) or token.content for token in PARSER.parse(text))
    return "\n\n".join(found for block in blocks if (found := " ".join(block.split())))


def _words(token: Token) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else token.content
