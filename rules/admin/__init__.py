"""The pages on which all content is edited. See docs/design.md, "Rules are rows"."""

from . import definitions, elements  # noqa: F401  (registers the pages)
