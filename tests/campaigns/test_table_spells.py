"""A table's spell: written, published, copied by a player, undone; included in a pack; found by nobody else."""

import json

import pytest
from django.test import Client

from campaigns.verbs import table_rules
from campaigns.verbs.table_rules import homebrew_of
from characters import verbs
from characters.change.refusals import Refused
from characters.models import Character
from characters.read.character_file import write_file
from characters.sharing import make_link
from rules.models import Ruleset, Source, Spell
from rules.publications import publish
from tests.campaigns.homebrew_pages import at, pack_of, press_publish, put_in_play, take
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import browser_of, facts, mira, new_key, person
from tests.characters.play.table import play
from tests.support.homebrew import homebrew, in_play, spell
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
EMBER = {
    "name": "Ember", "summary": "A spark that leaps.", "text": "It *leaps*\nfar.\n\nIt burns.", "time": "action",
    "range": "60 ft", "test": "ranged", "damage": "2d6 fire", "cantrip": "on",
}  # fmt: skip
NOTED = {
    "name": "Ember", "time": "action", "range": "60 ft", "cantrip": True, "attack": "ranged", "saving_throw": "",
    "damage": "2d6 fire", "text": "It leaps far.\n\nIt burns.", "position": 0,
}  # fmt: skip


def make(campaign, **fields):
    return browser_of().post(at(campaign, "new/spell/"), {**EMBER, **fields})


@pytest.fixture
def table(campaign, party):
    """Ana's table with Ember in play; Bo's character sits at it."""
    make(campaign)
    press_publish(campaign)
    put_in_play(campaign)
    return campaign


def ref_of(campaign):
    return Spell.objects.get(source=homebrew_of(campaign)).ref


def sheet(character, name="bo"):
    html = html_of(browser_of(name).get(f"/characters/{character.pk}/"))
    return html.partition('id="spells"')[2].partition("</section>")[0]


def spells_of(character):
    return [value for address, value in facts(character).items() if address.startswith("spell:")]


def learn(character, ref, name="bo"):
    return play.learn_spell(character.pk, person(name), new_key(), ref=ref)


def bos():
    return Character.objects.select_related("ruleset").get(owner=person("bo").user)


def test_a_player_takes_a_tables_spell_over_and_undoes_it(table):
    character, ref = bos(), ref_of(table)
    offered = sheet(character)
    for words in ("Cantrip. Action, 60 ft. Ranged spell attack, 2d6 fire.", "A spark that leaps.", f'value="{ref}"'):
        assert words in offered
    url = f"/characters/{character.pk}/play/learn-spell/"
    assert browser_of("bo").post(url, {"key": new_key(), "ref": ref}).status_code == 303
    assert spells_of(character) == [NOTED]
    change = character.changes.latest("sequence")
    assert (change.verb, change.what, change.sentence) == ("learn_spell", {"ref": ref}, "Bo has a new spell, Ember.")
    after = sheet(character)
    assert "On the sheet" in after
    assert f'value="{ref}"' not in after
    play.undo(character.pk, person("bo"), new_key(), change=change.sequence)
    assert spells_of(character) == []
    assert f'value="{ref}"' in sheet(character)


def test_the_copy_stays_when_the_entry_is_edited_or_retired(table):
    character = bos()
    learn(character, ref_of(table))
    Spell.objects.update(damage="9d9 cold", name="Frost")
    publish(homebrew_of(table))
    assert spells_of(character) == [NOTED]
    assert "Frost" in sheet(character)
    Spell.objects.update(status="retired")
    publish(homebrew_of(table))
    assert spells_of(character) == [NOTED]
    assert "Frost" not in sheet(character)
    with pytest.raises(Refused, match="no such spell"):
        learn(character, ref_of(table))


def test_the_characters_file_has_only_the_spells_copied_fields(table):
    character = bos()
    learn(character, ref_of(table))
    document = json.loads(write_file(character))
    assert document["spells"] == [
        {name: NOTED[name] for name in ("name", "time", "range", "cantrip", "attack", "damage", "text")}
    ]


def test_spells_from_elsewhere_cannot_be_taken_over(table):
    """Another table's spell, an unpublished one, one out of play and a missing one are refused alike."""
    character = bos()
    far = homebrew("Far", campaign=saltmarsh(), published=False)
    spell(far, "far", "Far")
    publish(far)
    mine = homebrew("Mine", owner=person("bo").user, published=False)
    spell(mine, "mine", "Mine")
    publish(mine)
    spell(homebrew_of(table), "raw", "Raw")
    said = set()
    for ref in ("spell:far", "spell:mine", "spell:raw", "spell:none", "talent:tough", "", "x", "spell:"):
        with pytest.raises(Refused) as refused:
            learn(character, ref)
        said.add((str(refused.value), refused.value.field))
    assert said == {("There is no such spell.", "ref")}
    shown = sheet(character)
    assert not [name for name in ("Far", "Mine", "Raw") if f">{name}</a>" in shown]
    assert spells_of(character) == []


def test_a_solo_player_takes_over_their_own_spell():
    mine = homebrew("Mine", owner=person().user, published=False)
    spell(mine, "mine", "Moonlight", text="Cold.")
    publish(mine)
    character = mira()
    verbs.set_sources(character.pk, person(), new_key(), sources=[mine.slug])
    learn(character, "spell:mine", "ana")
    assert [one["name"] for one in spells_of(character)] == ["Moonlight"]


def test_a_public_source_may_have_spells_too():
    public = Source.objects.create(ruleset=Ruleset.objects.get(slug="polyhedral"), slug="stars", title="Stars")
    spell(public, "star", "Starfall")
    publish(public)
    character = mira()
    in_play(public, character)
    assert "/rules/polyhedral/spell/star/" in sheet(Character.objects.get(pk=character.pk), "ana")


def test_without_magic_nothing_is_offered(table):
    sources = [homebrew_of(table).slug]
    table_rules.decide(table.pk, person(), new_key(), switches={"magic": "off"}, sources=sources)
    assert "Ember" not in sheet(bos())
    with pytest.raises(Refused, match="no magic"):
        learn(bos(), ref_of(table))


def test_readers_of_the_sheet_are_offered_no_spells(table):
    link = make_link(bos().pk, person("bo"), new_key())
    for client, page in ((Client(), f"/shared/{link}/"), (browser_of("bo"), f"/characters/{bos().pk}/at/1/")):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "Ember" not in html_of(answer)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Give it a name."),
        ({"name": "x" * 81}, "A sheet has room for 80 characters."),
        ({"text": "x" * 4001}, "A sheet has room for 4,000 characters."),
        ({"damage": "much"}, "Write dice and their kind"),
        ({"damage": "2d6 " + "x" * 40}, "at most 40"),
        ({"range": "x" * 41}, "at most 40"),
        ({"time": "x" * 41}, "at most 40"),
        ({"test": "luck"}, "Choose one of those."),
    ],
)
def test_a_bad_spell_is_refused_at_its_field(campaign, fields, sentence):
    answer = make(campaign, **fields)
    assert answer.status_code == 422
    assert sentence in html_of(answer)
    assert not Spell.objects.exists()


@pytest.mark.parametrize(
    ("test", "attack", "save"), [("", "", None), ("melee", "melee", None), ("mind", "", "ability:mind")]
)
def test_one_field_chooses_an_attack_a_save_or_neither(campaign, test, attack, save):
    assert make(campaign, test=test).status_code == 303
    made = Spell.objects.get()
    assert (made.attack, made.saving_throw and made.saving_throw.ref) == (attack, save)
    where = at(campaign, f"{made.pk}/")
    form = browser_of().get(where).context["form"]
    assert form["test"].value() == test
    assert dict(form.fields["test"].choices)["mind"] == "Mind save"
    assert dict(form.fields["test"].choices)["melee"] == "Melee spell attack"
    changed = {**EMBER, "test": "ranged", "was": form.initial["was"]}
    assert browser_of().post(where, changed).status_code == 303
    made.refresh_from_db()
    assert (made.attack, made.saving_throw) == ("ranged", None)


def test_the_form_explains_copies_and_does_not_mention_sentences(campaign):
    page = html_of(browser_of().get(at(campaign, "new/spell/")))
    assert "One sentence to a line" not in page
    assert "What you change here later does not change theirs." in page


def test_another_table_takes_a_spell_in_and_its_pack_stays_the_same(campaign):
    make(campaign, test="mind")
    other = saltmarsh()
    assert take(other, pack_of(campaign)).status_code == 303
    columns = ("name", "summary", "text", "time", "range", "cantrip", "attack", "saving_throw", "damage")
    mine, theirs = (Spell.objects.filter(source=homebrew_of(one)).values(*columns).get() for one in (campaign, other))
    assert theirs == {**mine, "text": theirs["text"]}
    assert theirs["text"].split() == mine["text"].split()
    once = pack_of(other)
    take(other, once)
    assert pack_of(other) == once


def test_members_read_a_spell_at_the_table_and_on_its_own_page(table):
    read = html_of(browser_of("bo").get(at(table)))
    for words in ("A spark that leaps.", "60 ft", "2d6 fire", "<em>leaps</em>"):
        assert words in read
    page = f"/homebrew/polyhedral/spell/{ref_of(table).partition(':')[2]}/"
    assert browser_of("bo").get(page).status_code == 200
    assert browser_of("dee").get(page).status_code == 404
    assert Client().get("/rules/polyhedral/spell/").status_code == 404


def test_a_spell_with_a_name_too_long_for_a_sheet_is_refused(table):
    """Such a spell can be published in other ways than by these pages."""
    Spell.objects.update(name="x" * 100)
    publish(homebrew_of(table))
    with pytest.raises(Refused, match="at most 80 characters"):
        learn(bos(), ref_of(table))
