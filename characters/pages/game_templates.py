"""Finds a character's templates: the game's own, or else the shared one.

`games/polyhedral/play/story.jinja` is looked for under that name, then as `characters/play/story.jinja`: a game
replaces a shared template by having one of the same name. Templates include each other by relative names
(`./_counter.jinja`), so that a shared template includes its game's replacement of another.
"""

from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Any

import jinja2
from django.template.loaders import filesystem

from rules.engine.bundle import Bundle

GAMES, SHARED = "games", "characters"


def template_of(bundle: Bundle, name: str) -> str:
    """The template's name for the game of these rules: `play/story.jinja` -> `games/polyhedral/play/story.jinja`."""
    return f"{GAMES}/{bundle.game.name}/{name}"


def names(template: str) -> Iterator[str]:
    """The names under which this template is looked for, in order."""
    yield template
    folder, _, of_game = template.partition("/")
    if folder == GAMES:
        yield f"{SHARED}/{of_game.partition('/')[2]}"


class DjangoLoader(filesystem.Loader):
    """Finds pages. A template keeps the name that was asked for, since its relative names are resolved against it."""

    def get_template_sources(self, template_name: str) -> Iterator[Any]:
        for name in names(template_name):
            for origin in super().get_template_sources(name):
                origin.template_name = template_name
                yield origin


class JinjaLoader(jinja2.FileSystemLoader):
    """Finds regions."""

    def get_source(self, environment: jinja2.Environment, template: str) -> Any:
        for name in names(template):
            try:
                return super().get_source(environment, name)
            except jinja2.TemplateNotFound:
                continue
        raise jinja2.TemplateNotFound(template)


def beside(template: str, parent: str) -> str:
    """The name that `template` stands for in `parent`: Jinja2 has no relative names by itself."""
    return normpath(join(dirname(parent), template)) if template.startswith(("./", "../")) else template
