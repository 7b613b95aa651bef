"""Text from people: what is dropped from it, and what is refused."""

import pytest

from characters.change.refusals import Refused
from characters.change.text_input import clean, several_lines
from characters.verbs.name import rename
from tests.characters.cast import mira, new_key, person

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("take", [clean, several_lines])
class TestTurning:
    """A mark in a name that turns the direction of text would turn the rest of the line, too."""

    @pytest.mark.parametrize("one", TURNING)
    def test_marks_that_turn_the_direction_of_a_line_are_dropped(self, take, one):
        assert take(f"Bo{one}Thorn", limit=20, field="name") == "BoThorn"

    def test_letters_of_any_direction_and_their_marks_stay(self, take):
        for name in ("מירה", "ليلى‎", "नमस्ते", "👩‍🚀"):
            assert take(name, limit=20, field="name") == name

    def test_a_text_of_direction_marks_alone_counts_as_empty(self, take):
        with pytest.raises(Refused, match="A name"):
            take(TURNING, limit=20, field="name", empty="A name")

    @pytest.mark.parametrize("unseen", ["\u200b\u200b", "\ufeff", "\u2060 \u200d"])
    def test_a_text_of_which_nothing_is_visible_counts_as_empty(self, take, unseen):
        with pytest.raises(Refused, match="A note"):
            take(unseen, limit=20, field="text", empty="A note")


def test_several_lines_of_which_nothing_is_visible_are_none():
    assert several_lines("\u200b\r\n\u200b", limit=20, field="text") == ""
    assert several_lines("\u200b\nTide", limit=20, field="text") == "\u200b\nTide"


@pytest.mark.django_db
def test_a_name_is_saved_without_its_direction_marks():
    character = mira()
    rename(character.pk, person(), new_key(), name="Mira \u202e of the Vale")
    character.refresh_from_db()
    assert character.name == "Mira of the Vale"
