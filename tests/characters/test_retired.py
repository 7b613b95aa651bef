"""Content that is retired stays with whoever has it, and nobody else is offered it."""

import pytest

from characters import verbs
from characters.change.refusals import Refused
from characters.pages.compare.house_rules_page import RETIRED
from characters.read.versions import read
from rules.games.polyhedral import chance
from rules.models import Element, Source, Switch
from rules.publications import publish
from tests.characters.cast import document, mira, new_key, person
from tests.characters.play.table import Seat
from tests.support.characters import sheet_of
from tests.support.edits import retire, retire_house_rule

pytestmark = pytest.mark.django_db
KEPT = " is no longer offered. You keep it until you choose another."
HELD = {
    "talent:medic": "levels[3]",
    "feature:defense": "choices.fighter.fighting-style[0]",
    "background:ambassador": "origin.background",
    "job:fighter": "job",
}


@pytest.mark.parametrize("ref", HELD)
def test_a_character_keeps_retired_content_that_it_has(ref):
    character = mira()
    before = sheet_of(character)[2]
    retire(ref)
    after = sheet_of(character)[2]
    assert ref in after.active
    assert after.active == before.active
    assert {key: one.value for key, one in after.values.items()} == {k: one.value for k, one in before.values.items()}
    assert not before.problems
    told = f"{Element.objects.get(kind=ref.partition(':')[0], slug=ref.partition(':')[2])}{KEPT}"
    assert HELD[ref] in {one.where for one in after.problems if one.text == told}


def test_a_file_with_a_retired_job_is_read_and_the_sheet_says_so():
    """It may be a backup of a character who had the job before."""
    retire("job:fighter")
    sheet = sheet_of(mira())[2]
    assert sheet.value("rank.fighter") == 3
    assert [one.where for one in sheet.problems if one.text == f"Fighter{KEPT}"] == ["job"]


def test_an_old_slug_takes_nothing_from_a_retired_entry(client):
    """Of two entries that became one, whoever has the retired one keeps it, and links to it lead to it."""
    character = mira()
    retire("talent:medic")
    Element.objects.filter(kind="talent", slug="tough").update(was="medic")
    publish(Source.objects.get(slug="polyhedral-core"))
    bundle, _, sheet = sheet_of(character)
    assert "talent:medic" in sheet.active
    assert "talent:tough" in sheet.active
    assert bundle.former == {}
    page = client.get("/rules/polyhedral/talent/medic/").content.decode()
    assert "<h1>Medic" in page
    assert "is now called" not in page


def style(client, character, key="fighter.fighting-style"):
    """The question of the builder for a fighting style, or another one of that page."""
    client.force_login(character.owner)
    sections = client.get(f"/characters/{character.pk}/build/job/").context["sections"]
    (question,) = (one for section in sections for one in section if one.key == key)
    return question


def offered(client, character):
    return [card.value for card in style(client, character).cards]


def test_retired_content_is_not_offered(client):
    choices = document()["choices"]
    character = mira(choices={key: one for key, one in choices.items() if key != "fighter.fighting-style"})
    before = offered(client, character)
    retire("feature:defense")
    assert "feature:defense" in before
    assert offered(client, character) == [ref for ref in before if ref != "feature:defense"]
    with pytest.raises(Refused, match="not offered"):
        verbs.choose(character.pk, person(), new_key(), choice="fighter.fighting-style", take="feature:defense")
    verbs.choose(character.pk, person(), new_key(), choice="fighter.fighting-style", take="feature:dueling")


def test_retired_conditions_and_teaching_are_not_offered_on_a_sheet():
    character = mira()

    def offers():
        bundle, _, sheet = sheet_of(character)
        conditions = [ref for ref, _ in read(character).table.offered]
        return conditions, [one.ref for one in bundle.game.page_rules.teachable(bundle, sheet)]

    before = offers()
    retire("condition:prone")
    retire("knowledge:arcana")
    assert offers() == tuple(
        [ref for ref in refs if ref not in ("condition:prone", "knowledge:arcana")] for refs in before
    )
    assert "condition:prone" in before[0]
    assert "knowledge:arcana" in before[1]


def test_a_retired_house_rule_stays_with_a_character_that_has_set_it(client):
    key = "trackAmmunition"
    has, lacks = mira(), mira()
    verbs.set_switches(has.pk, person(), new_key(), values={key: "off"})
    client.force_login(person().user)

    def page(character):
        return client.get(f"/characters/{character.pk}/house-rules/")

    before = sheet_of(has)[1].switches
    retire_house_rule(key)
    assert sheet_of(has)[1].switches == before
    assert before[key] == "off"
    assert RETIRED in page(has).content.decode()
    assert key not in page(lacks).context["form"].fields
    assert RETIRED not in page(lacks).content.decode()
    retire_house_rule(key, "published")
    assert key in page(lacks).context["form"].fields


def test_a_retired_house_rule_is_set_only_back_where_it_is_set():
    has, lacks = mira(house_rules=None), mira(house_rules=None)
    verbs.set_switches(has.pk, person(), new_key(), values={"shieldBonus": "4"})
    retire_house_rule("shieldBonus")
    with pytest.raises(Refused, match="no such house rule"):
        verbs.set_switches(lacks.pk, person(), new_key(), values={"shieldBonus": "4"})
    assert sheet_of(lacks)[1].switches == {}
    verbs.set_switches(has.pk, person(), new_key(), values={"shieldBonus": "2"})
    assert sheet_of(has)[1].switches == {}


def test_the_menu_leads_to_house_rules_only_while_there_are_some(client):
    character = mira(house_rules=None)
    client.force_login(character.owner)
    address = f"/characters/{character.pk}/house-rules/"

    def linked():
        return f'href="{address}"' in client.get(f"/characters/{character.pk}/").content.decode()

    assert linked()
    verbs.set_switches(character.pk, person(), new_key(), values={"shieldBonus": "4"})
    Switch.objects.update(status="retired")
    publish(Source.objects.get(slug="polyhedral-core"))
    assert linked()
    verbs.set_switches(character.pk, person(), new_key(), values={"shieldBonus": "2"})
    assert not linked()
    assert client.get(address).status_code == 404


def test_a_retired_weapon_is_in_no_outfit_at_random():
    bundle = sheet_of(mira())[0]
    proficient = {element.weapon.category for element in bundle.of_kind("weapon") if element.weapon}
    before = [one.ref for one in chance.arms(bundle, proficient, 5)]
    retire("weapon:longsword")
    after = [one.ref for one in chance.arms(sheet_of(mira())[0], proficient, 5)]
    assert after == [ref for ref in before if ref != "weapon:longsword"] != before


def skills(client, character):
    """The two skills of Mira's culture as the builder shows them: the taken ones, and the problems beside them."""
    client.force_login(character.owner)
    found = client.get(f"/characters/{character.pk}/build/origin/").context["sections"]
    (question,) = (one for section in found for one in section if one.key == "human-culture.skills")
    return [card.value for card in question.taken], question.problems, question.forced


def test_the_builder_shows_a_retired_answer_with_a_word_and_the_other_answer_can_be_changed(client):
    character = mira()
    both = ["skill:athletics", "skill:awareness"]
    assert skills(client, character) == (both, (), False)
    retire("skill:athletics")
    assert skills(client, character) == (both[::-1], (f"Athletics{KEPT}",), False)
    pk, choice = character.pk, "human-culture.skills"
    verbs.unchoose(pk, person(), new_key(), choice=choice, drop="skill:awareness")
    verbs.choose(pk, person(), new_key(), choice=choice, take="skill:stealth")
    assert set(skills(client, character)[0]) == {"skill:athletics", "skill:stealth"}
    verbs.unchoose(pk, person(), new_key(), choice=choice, drop="skill:athletics")
    with pytest.raises(Refused, match="not offered"):
        verbs.choose(pk, person(), new_key(), choice=choice, take="skill:athletics")
    verbs.choose(pk, person(), new_key(), choice=choice, take="skill:awareness")
    assert sheet_of(character)[2].problems == ()


def test_an_answer_that_is_retired_is_not_called_the_only_option(client):
    character = mira()

    def forced():
        return style(client, character).forced

    styles = Element.objects.filter(kind="feature", groups__slug="fighting-styles")
    styles.exclude(slug="defense").update(status="retired")
    publish(Source.objects.get(slug="polyhedral-core"))
    assert forced()
    retire("feature:defense")
    assert not forced()


@pytest.mark.parametrize(
    ("ref", "act"),
    [
        ("weapon:dagger", lambda seat, ref: verbs.purchase(seat.character.pk, seat.who, new_key(), ref=ref)),
        ("weapon:dagger", lambda seat, ref: seat.purchase_together(ref=ref, ranks=[3])),
        ("weapon:dagger", lambda seat, ref: seat.add_item(ref=ref)),
        ("condition:frightened", lambda seat, ref: seat.add_condition(condition=ref)),
        ("knowledge:arcana", lambda seat, ref: seat.spend_downtime(days=1, activity="Study", learn=ref)),
    ],
    ids=["bought", "bought-together", "taken", "condition", "learned"],
)
def test_an_old_page_takes_nothing_that_is_retired_since(ref, act):
    seat = Seat(mira())
    retire(ref)
    before = seat.character.changes.count()
    with pytest.raises(Refused, match=" is no longer offered."):
        act(seat, ref)
    assert seat.character.changes.count() == before


def test_a_retired_condition_goes_on_where_it_is():
    seat = Seat(mira())
    seat.add_condition(condition="condition:frightened", source="the wolf")
    retire("condition:frightened")
    seat.add_condition(condition="condition:frightened", source="the ogre")
    assert {"condition:condition:frightened|the wolf", "condition:condition:frightened|the ogre"} <= set(seat.facts)


def test_the_builder_says_at_the_job_that_it_is_retired(client):
    character = mira()
    retire("job:fighter")
    assert style(client, character, "core-rules.job").problems == (f"Fighter{KEPT}",)
