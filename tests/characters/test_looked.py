"""Since you last looked: an owner is told what others changed, until they play on or press Seen; nobody else is."""

import re

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from characters import unseen, verbs
from characters.models import Looked
from tests.characters.cast import as_guest, granted, mira, new_key, person
from tests.characters.play.table import play
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
LIST = 'id="looked"'
MARK = "Changed since you last looked"


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


def hurts(character, who="bo", amount=1):
    return play.take_damage(character.pk, person(who), new_key(), amount=amount)


def told(client, character):
    """The list on the sheet; "" where there is none."""
    return list_of(client.get(character.get_absolute_url()))


def list_of(answer):
    found = re.search(r'<section class="looked.*?</section>', html_of(answer), re.DOTALL)
    return found[0] if found else ""


def says_seen(client, character, number):
    return client.post(f"{character.get_absolute_url()}looked/", {"number": number})


def test_the_name_is_the_first_heading_below_what_is_told_before_it(client, character):
    hurts(character)
    page = html_of(client.get(character.get_absolute_url()))
    assert page.index('id="introduction"') < page.index("<h1") < page.index('id="down"') < page.index(LIST)
    assert re.findall(r"<h[1-6]", page)[0] == "<h1"


def test_turns_that_others_begin_are_not_told(client, character):
    """In a fight there is one each round, and five of them would hide a hit."""
    hit = hurts(character)
    turns = [play.next_round(character.pk, person("bo"), new_key()) for _ in range(6)]
    play.undo(character.pk, person("bo"), new_key(), change=turns[-1].sequence)
    text = told(client, character)
    assert hit.sentence in text
    assert turns[0].sentence not in text
    assert text.count("<time") == 1
    assert unseen.unseen_by_character(person())[0]["many"] == 1


def test_the_list_shows_changes_by_others_with_their_names_until_they_are_seen(client, character):
    assert told(client, character) == ""
    changes = [hurts(character, amount=2), hurts(character, amount=1)]
    for _ in range(2):  # looking marks nothing as seen
        text = told(client, character)
        assert [text.count(change.sentence) > 0 for change in changes] == [True, True]
        assert text.index(changes[1].sentence) < text.index(changes[0].sentence)
        assert text.count("bo, <time") == 2
    assert not Looked.objects.exists()
    number = re.search(r'name="number" value="(\d+)"', text)[1]
    answer = says_seen(client, character, number)
    assert (answer.status_code, answer.headers["Location"]) == (303, character.get_absolute_url())
    assert told(client, character) == ""
    newer = hurts(character, amount=3)
    text = told(client, character)
    assert newer.sentence in text
    assert changes[0].sentence not in text


def test_pressing_seen_again_or_on_an_older_page_changes_nothing(client, character):
    older, newer = hurts(character), hurts(character)
    for number in (newer.sequence, newer.sequence, older.sequence):
        assert says_seen(client, character, number).status_code == 303
        (row,) = Looked.objects.all()
        assert (row.user, row.guest, row.number) == (person().user, "", newer.sequence)


def test_a_change_made_after_the_page_was_drawn_is_still_listed(client, character):
    shown, later = hurts(character), hurts(character, amount=2)
    says_seen(client, character, shown.sequence)
    assert later.sentence in told(client, character)


def test_an_owner_who_plays_on_has_seen_the_earlier_changes(client, character):
    hurts(character)
    hurts(character, "ana")
    assert told(client, character) == ""
    assert not Looked.objects.exists()


def test_a_listed_change_can_be_undone_without_script_and_the_others_stay(client, character):
    first, second = hurts(character, amount=1), hurts(character, amount=2)
    url = f"{character.get_absolute_url()}play/undo/"
    assert f'action="{url}"' in told(client, character)
    assert "hx-post" not in told(client, character)
    assert client.post(url, {"key": new_key(), "change": first.sequence}).status_code == 303
    text = told(client, character)
    assert second.sentence in text
    assert text.count("is-undone") == 1
    assert text.count('name="change"') == 1


def test_a_refused_undo_says_so_in_the_list(client, character):
    first = play.rename(character.pk, person("bo"), new_key(), name="Nell")
    play.rename(character.pk, person("bo"), new_key(), name="Nora")
    answer = client.post(f"{character.get_absolute_url()}play/undo/", {"key": new_key(), "change": first.sequence})
    assert answer.status_code == 422
    assert [text.count("has changed the same thing since") for text in (list_of(answer), html_of(answer))] == [1, 1]


@pytest.mark.parametrize("role", ["storyteller", "player", "spectator"])
def test_only_the_owner_gets_the_list(client, character, role):
    hurts(character)
    granted(character, role, "cid")
    client.force_login(person("cid").user)
    page = client.get(character.get_absolute_url())
    assert page.status_code == 200
    assert LIST not in html_of(page)
    assert says_seen(client, character, 2).status_code == 404
    assert not Looked.objects.exists()


def test_a_secret_roll_of_the_storyteller_and_its_undo_are_not_listed(client, character):
    roll = play.roll(character.pk, person("bo"), new_key(), roll="initiative", secret=True)
    assert "in secret" in roll.sentence
    assert told(client, character) == ""
    play.undo(character.pk, person("bo"), new_key(), change=roll.sequence)
    assert told(client, character) == ""
    assert MARK not in html_of(client.get("/characters/"))
    control = play.roll(character.pk, person("bo"), new_key(), roll="initiative")
    assert control.sentence in told(client, character)
    assert "in secret" not in told(client, character)


def test_the_list_ends_after_five_with_a_link_to_the_history(client, character):
    for _ in range(unseen.MOST):
        hurts(character, amount=1)
    assert "history/" not in told(client, character)
    hurts(character)
    text = told(client, character)
    assert text.count("<li") == unseen.MOST
    assert f'href="{character.get_absolute_url()}history/"' in text


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "1.5", "²", "9" * 30, "999"])
def test_a_number_that_no_page_shows_is_refused(client, character, number):
    hurts(character)
    answer = says_seen(client, character, number)
    assert answer.status_code == 422
    assert html_of(answer).count("Nothing was marked as seen.") == 1
    assert not Looked.objects.exists()


def test_a_get_of_the_address_leads_to_the_sheet(client, character):
    answer = client.get(f"{character.get_absolute_url()}looked/")
    assert (answer.status_code, answer.headers["Location"]) == (302, character.get_absolute_url())


def test_my_characters_marks_a_changed_character_until_it_is_seen(client, character):
    mira(name="Another")
    assert MARK not in html_of(client.get("/characters/"))
    change = hurts(character)
    assert html_of(client.get("/characters/")).count(MARK) == 1
    says_seen(client, character, change.sequence)
    assert MARK not in html_of(client.get("/characters/"))


def test_a_guest_gets_the_list_too_and_what_they_have_seen_stays_seen_after_signing_in(client):
    guest = as_guest(client)
    character = mira(guest)
    granted(character, "storyteller")
    play.take_damage(character.pk, guest, new_key(), amount=1)
    assert told(client, character) == ""
    assert MARK not in html_of(client.get("/characters/"))
    change = hurts(character, amount=2)
    assert change.sentence in told(client, character)
    assert html_of(client.get("/characters/")).count(MARK) == 1
    says_seen(client, character, change.sequence)
    assert told(client, character) == ""
    assert Looked.objects.get().guest == guest.guest
    ana = person().user
    ana.set_password("a long password")
    ana.save()
    client.post("/accounts/login/", {"login": "ana", "password": "a long password"})
    character.refresh_from_db()
    assert character.owner == ana
    row = Looked.objects.get()
    assert (row.user, row.guest, row.number) == (ana, "", change.sequence)
    assert told(client, character) == ""


def test_a_guest_is_not_told_of_their_own_changes_and_undoing(client):
    guest = as_guest(client)
    character = mira(guest)
    granted(character, "storyteller")
    hurts(character)
    play.take_damage(character.pk, guest, new_key(), amount=1)
    assert told(client, character) == ""
    change = hurts(character, amount=2)
    play.undo(character.pk, guest, new_key(), change=change.sequence)
    assert told(client, character).count("<li") == 1


def test_the_row_of_a_guest_who_no_longer_has_the_character_is_deleted(client):
    guest = as_guest(client)
    character, other = mira(guest), mira()
    unseen.note_seen(character, guest, 1)
    unseen.note_seen(other, person(), 1)
    Looked.objects.create(character=other, guest=guest.guest, number=1)
    assert unseen.delete_rows_of_gone_guests() == 1
    assert {row.character for row in Looked.objects.all()} == {character, other}


@pytest.mark.parametrize("columns", [{}, {"guest": "f" * 64, "user": True}, {"guest": "f" * 64, "number": 0}])
def test_a_row_has_one_person_and_a_number(character, columns):
    columns = {"number": 1, **columns, **({"user": person().user} if "user" in columns else {})}
    with pytest.raises(IntegrityError), transaction.atomic():
        Looked.objects.create(character=character, **columns)


def test_each_person_has_one_row_for_each_character(character):
    another = mira()
    for columns in ({"user": person().user}, {"guest": "f" * 64}):
        for one in (character, another):
            Looked.objects.create(character=one, number=1, **columns)
        with pytest.raises(IntegrityError), transaction.atomic():
            Looked.objects.create(character=character, number=2, **columns)


def test_a_list_takes_two_queries_and_a_sheet_without_one_takes_one(character, django_assert_num_queries):
    ana = person()
    with django_assert_num_queries(1):
        assert unseen.shown_to_owner(character, ana) is None
    for _ in range(5):
        hurts(character)
    with django_assert_num_queries(2):
        assert len(unseen.shown_to_owner(character, ana)["entries"]) == 5


def test_a_mark_adds_no_query_to_my_characters(client, character):
    asked = []
    for marks in (0, 1):
        if marks:
            hurts(character)
        client.get("/characters/")
        with CaptureQueriesContext(connection) as captured:
            assert html_of(client.get("/characters/")).count(MARK) == marks
        asked.append(len(captured))
    assert asked[0] == asked[1]


def test_deleting_the_character_deletes_the_row(character):
    unseen.note_seen(character, person(), 1)
    verbs.throw_away(character.pk, person(), new_key())
    character.delete()
    assert not Looked.objects.exists()
