"""New rules: after a publication, only the owners of characters whose numbers changed are told, until Seen."""

import re
from random import Random

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from characters.models import Character, Grant
from characters.pages.publications.moved_characters import moved_by_publishing
from characters.pages.publications.new_rules import MOST_NOTES, OPEN, new_rules
from characters.read import former_rules
from characters.read.version_cache import VERSIONS
from characters.read.versions import read
from characters.verbs import surprise
from rules import models
from rules.models import Publication, Source
from rules.packs.export import files_of
from rules.packs.load import load_files, restore
from rules.packs.source_rows import read_source
from rules.publications import publish
from tests.characters.cast import as_guest, granted, mira, new_key, person
from tests.characters.play.table import play
from tests.factories import ElementFactory, SourceFactory
from tests.support.characters import fresh
from tests.support.edits import EDITS
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]
BADGE = "Changed by new rules"


def begin():
    """Ana's, with Bo as its storyteller."""
    character = mira()
    granted(character, "storyteller")
    return character


@pytest.fixture
def character(character, client):
    """Ana is signed in."""
    client.force_login(person().user)
    return character


def tougher(source, amount=3, note=""):
    """Publishes rules that raise everyone's Defense."""
    base = models.StatModifier.objects.filter(stat__key="defense", op="base", owner__kind="rules").first()
    models.StatModifier.objects.create(owner=base.owner, stat=base.stat, op="add", amount=amount)
    return publish(source, note=note)


def another(source):
    """Publishes a text that changes no number on a sheet."""
    models.Term.objects.update(text="Another.")
    return publish(source)


def told(client, character):
    """The words of the sheet about new rules; "" where there are none."""
    found = re.search(r'<section class="looked-rules.*?</section>', html_of(client.get(url(character))), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split()) if found else ""


def url(character):
    return character.get_absolute_url()


def says_seen(client, character, **sent):
    return client.post(f"{url(character)}looked/", sent)


def is_told(character):
    one = fresh(character.pk)
    return new_rules(one, read(one)) is not None


def test_the_sheet_shows_before_after_why_and_the_note_until_seen(client, character, core):
    assert told(client, character) == ""
    publication = tougher(core, note="Armor was too weak.")
    for _ in range(2):  # looking marks nothing as seen
        text = told(client, character)
        assert re.search(r"Defense (\d+) (\d+)", text)
        before, after = map(int, re.search(r"Defense (\d+) (\d+)", text).groups())
        assert after - before == 3
        assert "+3" in text
        assert f"{core.title}, " in text
        assert "Armor was too weak." in text
    assert fresh(character.pk).rules_seen == character.rules_seen
    sent = re.search(r'name="rules" value="(\d+)"', html_of(client.get(url(character))))[1]
    assert int(sent) == publication.revision
    assert 'name="number"' not in html_of(client.get(url(character))).split('id="looked"')[1].split("</section>")[0]
    answer = says_seen(client, character, rules=sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, url(character))
    assert told(client, character) == ""
    tougher(core, amount=2)
    assert re.search(rf"Defense {after} {after + 2}\b", told(client, character))


def test_exactly_the_owners_whom_the_preview_named_are_told(core):
    """For each kind of edit, with random characters that have seen the edits before."""
    for seed in range(8):
        surprise(person(), new_key(), chance=Random(seed))
    heroes = list(Character.objects.select_related("ruleset"))
    trials = 0
    for what, (model, columns) in EDITS.items():
        assert model.objects.update(**columns), what
        named = {one.character.pk: one.moves for one in moved_by_publishing(core, heroes)}
        assert not any(is_told(one) for one in heroes), what
        publish(core)
        for one in [fresh(hero.pk) for hero in heroes]:
            rules = new_rules(one, read(one))
            assert (rules is not None) == (one.pk in named), (what, one.pk)
            if rules is not None:
                assert {move.shown for move in (*rules.moves, *rules.others)} <= {m.shown for m in named[one.pk]}, what
                Character.objects.filter(pk=one.pk).update(rules_seen=rules.newest)
        trials += len(named)
    assert trials > len(EDITS)


def test_the_notes_are_those_of_the_newest_publications_since_seen(character, core):
    Character.objects.filter(pk=character.pk).update(rules_seen=tougher(core, note="Seen").revision)
    publications = [tougher(core, note=f"Edit {number}") for number in range(MOST_NOTES + 1)]
    one = fresh(character.pk)
    found = new_rules(one, read(one))
    assert [one.note for one in found.notes] == [f"Edit {number}" for number in range(MOST_NOTES, 0, -1)]
    assert found.newest == publications[-1].revision


def test_a_number_that_the_game_does_not_show_is_told_by_its_name_if_no_other_has_changed(character, core):
    rules = models.StatModifier.objects.filter(stat__key="defense", op="base", owner__kind="rules").first().owner
    gloom = models.Stat.objects.create(ruleset=core.ruleset, source=core, key="gloom", name="Gloom", visible=False)
    base = models.StatModifier.objects.create(owner=rules, stat=gloom, op="base", amount=1)
    Character.objects.filter(pk=character.pk).update(rules_seen=publish(core).revision)
    models.StatModifier.objects.filter(pk=base.pk).update(amount=2)
    publish(core)

    def names():
        one = fresh(character.pk)
        found = new_rules(one, read(one))
        return [move.shown.name for move in (*found.moves, *found.others)]

    assert names() == ["Gloom"]
    tougher(core)
    assert "Defense" in names()
    assert "Gloom" not in names()


@pytest.mark.parametrize("how", ["published", "loaded from files", "restored"])
def test_owners_are_told_however_the_rules_were_published(client, character, core, how):
    if how == "restored":
        publish(core)
        Character.objects.update(rules_seen=tougher(core).revision)
        restore(Publication.objects.filter(source=core).order_by("number")[1])
        publish(core)
        assert told(client, character)
    elif how == "loaded from files":
        files = {name: text.encode() for name, text in files_of(read_source(core)).items()}
        tougher(core)
        Character.objects.update(rules_seen=Source.objects.get(pk=core.pk).revision)
        load_files(files)
        assert "Loaded from files." in told(client, character)
    else:
        tougher(core)
        assert told(client, character)


def test_rules_that_were_published_and_withdrawn_are_not_told(client, character, core):
    publish(core)
    tougher(core)
    assert told(client, character)
    restore(Publication.objects.filter(source=core).order_by("-number")[1])
    publish(core)
    assert told(client, character) == ""


def test_the_owner_of_a_character_begun_after_a_publication_is_not_told(client, character, core):
    tougher(core)
    later = mira()
    assert told(client, character)
    assert told(client, later) == ""


def test_an_edit_that_is_not_published_is_not_told(client, character, core):
    models.Stat.objects.filter(key="defense").update(minimum=30)
    assert told(client, character) == ""
    publish(core)
    assert told(client, character)


@pytest.mark.parametrize("who", ["bo", "cid"])
def test_only_the_owner_is_told_and_may_press_seen(client, character, core, who):
    Grant.objects.get_or_create(character=character, user=person(who).user, defaults={"role": "player"})
    publication = tougher(core)
    client.force_login(person(who).user)
    assert told(client, character) == ""
    assert says_seen(client, character, rules=publication.revision).status_code == 404
    client.force_login(person().user)
    assert told(client, character)


def test_a_publication_that_changed_no_number_counts_as_seen_at_the_next_change(character, core):
    """So a talent chosen later is not told as an effect of the new rules. One that did change numbers stays."""
    publication = another(core)
    assert fresh(character.pk).rules_seen == character.rules_seen
    play.take_damage(character.pk, person(), new_key(), amount=1)
    assert fresh(character.pk).rules_seen == publication.revision
    moved = tougher(core)
    play.take_damage(character.pk, person(), new_key(), amount=1)
    assert fresh(character.pk).rules_seen == publication.revision < moved.revision
    assert is_told(character)


def test_the_first_publication_of_a_source_is_not_told(character, core):
    source = SourceFactory(ruleset=core.ruleset, slug="other", title="Another book")
    stat = models.Stat.objects.get(key="defense")
    rules = ElementFactory(ruleset=core.ruleset, source=source, kind="rules", slug="other")
    models.StatModifier.objects.create(owner=rules, stat=stat, op="add", amount=1)
    publish(source)
    house_rules = models.HouseRules.objects.create(ruleset=core.ruleset)
    house_rules.sources.add(source)
    Character.objects.filter(pk=character.pk).update(house_rules=house_rules)
    assert not is_told(character)
    models.StatModifier.objects.filter(owner=rules).update(amount=4)
    publish(source)
    assert is_told(character)
    (move,) = [
        move for move in new_rules(fresh(character.pk), read(fresh(character.pk))).moves if move.shown.name == "Defense"
    ]
    assert int(move.shown.after) - int(move.shown.before) == 3


@pytest.mark.parametrize("rules", ["", "0", "-1", "x", "1.5", "²", "9" * 30, "9" * 17])
def test_a_revision_that_no_page_shows_is_refused(client, character, core, rules):
    tougher(core)
    answer = says_seen(client, character, rules=rules)
    assert answer.status_code == 422
    assert html_of(answer).count("Nothing was marked as seen.") == 1
    assert fresh(character.pk).rules_seen == character.rules_seen


def test_pressing_seen_on_an_older_page_leaves_newer_publications_unseen(client, character, core):
    older, newer = tougher(core), tougher(core)
    says_seen(client, character, rules=older.revision)
    assert told(client, character)
    for publication in (newer, older):
        says_seen(client, character, rules=publication.revision)
        assert fresh(character.pk).rules_seen == newer.revision
    assert told(client, character) == ""


def test_new_rules_and_changes_by_others_share_a_list_and_are_marked_as_seen_separately(client, character, core):
    hurt = play.take_damage(character.pk, person("bo"), new_key(), amount=1)
    publication = tougher(core)
    html = html_of(client.get(url(character)))
    assert html.count('id="looked"') == 1
    says_seen(client, character, rules=publication.revision)
    assert hurt.sentence in html_of(client.get(url(character))).split('id="looked"')[1].split("</section>")[0]
    says_seen(client, character, number=hurt.sequence)
    assert 'id="looked"' not in html_of(client.get(url(character)))


def test_all_but_the_first_few_numbers_are_folded(client, character, core):
    models.StatModifier.objects.update(amount=7)
    publish(core)
    html = html_of(client.get(url(character)))
    part = re.search(r'<section class="looked-rules.*?</section>', html, re.DOTALL)[0]
    first, others = re.split("<details[^>]*>", part)
    assert first.count("<li>") == OPEN + 1  # and the publication
    assert f"<summary>{others.count('<li>')} more</summary>" in others


def test_former_rules_that_this_release_cannot_read_tell_nothing(client, character, core, monkeypatch):
    tougher(core)

    def broken(*args):
        raise KeyError("a name that the rules of a game need")

    with monkeypatch.context() as patch:
        patch.setattr(former_rules, "bundle_at", broken)
        assert told(client, character) == ""
        assert client.get(reverse("characters:list")).status_code == 200
    assert told(client, character)


def test_the_sheet_by_former_rules_is_cached_with_its_version(character, core):
    tougher(core)
    one = fresh(character.pk)
    version = read(one)
    former = former_rules.by_former_rules(one, version)
    assert (former_rules.by_former_rules(one, version) is former) == bool(VERSIONS.size)
    play.take_damage(character.pk, person(), new_key(), amount=1)
    one = fresh(character.pk)
    assert former_rules.by_former_rules(one, read(one)).build.spent != former.build.spent


def test_my_characters_marks_a_character_changed_by_new_rules_until_seen(client, character, core):
    assert BADGE not in html_of(client.get(reverse("characters:list")))
    another(core)
    assert BADGE not in html_of(client.get(reverse("characters:list")))
    publication = tougher(core)
    mira(name="Another")
    assert html_of(client.get(reverse("characters:list"))).count(BADGE) == 1
    says_seen(client, character, rules=publication.revision)
    assert BADGE not in html_of(client.get(reverse("characters:list")))


def queries(client, address):
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def test_the_sheet_takes_one_more_query_only_while_it_has_new_rules_to_show(client, character, core):
    """A publication that changes nothing adds no query; one that does adds the query for publications."""
    counted = [queries(client, url(character))]
    another(core)
    counted.append(queries(client, url(character)))
    publication = tougher(core)
    counted.append(queries(client, url(character)))
    says_seen(client, character, rules=publication.revision)
    counted.append(queries(client, url(character)))
    assert counted == [counted[0], counted[0], counted[0] + 1, counted[0]]


def test_a_mark_adds_no_query_to_my_characters(client, character, core):
    before = queries(client, reverse("characters:list"))
    tougher(core)
    mira(name="Another")
    assert queries(client, reverse("characters:list")) - before == queries_of_one_more(client)


def queries_of_one_more(client):
    before = queries(client, reverse("characters:list"))
    mira(name="A third")
    return queries(client, reverse("characters:list")) - before


def test_a_guest_is_told_and_what_they_have_seen_stays_seen_after_signing_in(client, core):
    guest = as_guest(client)
    character = mira(guest)
    publication = tougher(core)
    assert told(client, character)
    assert says_seen(client, character, rules=publication.revision).status_code == 303
    ana = User.objects.create_user("dora", "dora@example.com", "a long password")
    client.post("/accounts/login/", {"login": "dora", "password": "a long password"})
    assert fresh(character.pk).owner == ana
    assert told(client, character) == ""
