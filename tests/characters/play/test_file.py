"""The state at the table is in the character file, and comes back the same."""

import pytest

from characters import verbs
from characters.read.character_file import write_file
from tests.characters.cast import new_key, person
from tests.characters.play.table import Seat, seated

pytestmark = pytest.mark.django_db


def test_exporting_importing_and_exporting_again_gives_the_same_bytes():
    seat = seated(
        level=3,
        state={"spent": {"second-wind": 1}},
        inventory=[{"item": "longbow", "state": "main"}, {"item": "arrows", "quantity": 9}],
    )
    seat.roll(roll="attack.longbow.one-hand", target=12)
    seat.add_condition(condition="condition:slowed", source="ice", rounds=3)
    seat.add_condition(condition="condition:exhausted")
    seat.toggle(switch="+dim-light")
    seat.add_relationship(other="Garret", based_on="bond", text="Owes me a boat")
    seat.add_note(text="Two lines\n  and an indent\n\nafter a gap")
    seat.spend_downtime(days=3, activity="Research", ranks=1, learn="knowledge:nature")
    seat.adjust(resource="health", amount="0")
    seat.death_save(faces=(1, 2))
    text = write_file(seat.fresh)
    again = Seat(verbs.import_file(person(), new_key(), text=text).character)
    assert write_file(again.fresh) == text
    assert again.sheet.resources == seat.sheet.resources
    assert again.sheet.rolls == seat.sheet.rolls
    copied = Seat(verbs.copy(seat.character.pk, person(), new_key()).character)
    assert write_file(copied.fresh).replace("Mira (copy)", "Mira") == text
