"""Every word that a requirement may use is tested: it holds for a character that has everything it could ask for."""

import pytest

from rules.engine.content import Requirement
from rules.engine.requirements import RowContext, holds
from rules.models.vocabulary import TestWord as Word

MOST = 99
PLACE = RowContext(first_job=True, trained=True, grip=frozenset({"melee"}), named=True)


class Everything:
    level = MOST

    def stat(self, key):
        return MOST

    def rank(self, ref):
        return MOST

    def switch(self, key):
        return "melee"

    def __getattr__(self, question):
        return lambda *about: True


@pytest.mark.parametrize("word", Word.values)
def test_each_word_has_a_test(word):
    """Without one, its rows would never count. The storyteller's agreement is never assumed."""
    met = holds(Requirement(word, value=MOST, word="melee"), Everything(), PLACE)
    assert met == (word != Word.STORYTELLER)
    assert holds(Requirement(word, value=MOST, word="melee", negate=True), Everything(), PLACE) != met
