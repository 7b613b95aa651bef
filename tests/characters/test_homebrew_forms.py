"""The forms of homebrew: text that cannot be saved is not lost, and a copy sent twice makes one entry."""

import re

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.verbs.table_rules import homebrew_of
from characters.pages.homebrew.mine import PersonPlace
from rules.models import Element, Feature, Homebrew, Path, Prerequisite
from rules.publications import edited
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import new_key, person
from tests.support.at_once import at_once
from tests.support.edits import retire
from tests.support.homebrew import homebrew, talent

pytestmark = pytest.mark.django_db

TEXT = "Salt & “fog”. ".ljust(8_000, "x")
DOES = "+1 to Defense\n".ljust(4_000, "y")
HIDDEN = r'<input type="hidden" name="(\w+)"(?: id="\w+")?(?: value="([^"]*)")?'
HERE = {"Origin": "http://testserver"}


def client_of(name="ana", **more):
    client = Client(**more)
    client.force_login(person(name).user)
    return client


def hidden_in(answer):
    """The hidden fields of the first form of a page, as a browser sends them."""
    form = re.search(r'<form[^>]* method="post".*?</form>', answer.content.decode().partition("<main")[2], re.S)[0]
    return {name: value for name, value in re.findall(HIDDEN, form) if name != "csrfmiddlewaretoken"}


def written(client, url):
    return hidden_in(client.get(url)) | {"name": "Shadow Step", "summary": "Gone in a step", "text": TEXT, "does": DOES}


def keeps(answer, sent):
    """The page shows what was typed, in fields, and carries the rest."""
    html = answer.content.decode().replace("&amp;", "&")
    for name, value in sent.items():
        if name in ("text", "does"):
            assert re.search(rf'<textarea[^>]* name="{name}"[^>]*>\n{re.escape(value)}</textarea>', html), name
        else:
            assert f'name="{name}" value="{value}"' in html
            assert (f'type="hidden" name="{name}"' in html) == (name not in ("name", "summary")), name


@pytest.fixture
def moths():
    """Homebrew of Ana's, with one entry."""
    return homebrew("Moths", owner=person().user, moth="Mothwing")


def urls(moths):
    return ("/homebrew/polyhedral/new/talent/", f"/homebrew/polyhedral/{moths.elements.get().pk}/")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("Moth\u202ewing", "This name is taken."), ("\u202e\u2069", "Give it a name.")],
)
def test_a_name_is_told_apart_without_marks_that_turn_the_line(moths, name, sentence):
    client, url = client_of(), "/homebrew/polyhedral/new/talent/"
    answer = client.post(url, written(client, url) | {"name": name, "does": ""})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()


@pytest.mark.parametrize(
    ("kind", "columns", "sentence"),
    [
        ("armor", {"base_defense": 999_999_999_999}, "Write a number from 0 to 32,767."),
        ("armor", {"ability_cap": -99_999}, "Write a number from −32,768 to 32,767."),
        ("armor", {"hands": 3}, "Armor takes no hand, 1 or 2."),
        ("armor", {"adds_ability": 2**70}, "That is not offered here any more. Choose another one."),
        ("weapon", {"dice": 41}, "At most 40 dice."),
        ("weapon", {"die": 21}, "The die of a weapon has from 1 to 20 sides."),
        ("weapon", {"hands": 3}, "A weapon takes no hand, 1 or 2."),
        ("job", {"max_rank": 99_999}, "Write a number from 0 to 32,767."),
    ],
)
def test_a_number_that_no_pack_could_have_is_refused_at_its_field(kind, columns, sentence):
    client, url = client_of(), reverse("characters:homebrew-new", args=["polyhedral", kind])
    [name] = columns
    page = client.post(url, hidden_in(client.get(url)) | {"name": "Odd"} | columns).content.decode()
    field = page.partition(f'name="{name}"')[2].partition("</div>")[0]
    assert sentence in page.partition(f'id="id_{name}_error"')[2][:300] or sentence in field
    assert not Element.objects.filter(name="Odd").exists()


def test_an_author_who_was_signed_out_gets_the_form_back_and_can_send_it_again(moths):
    for url in urls(moths):
        client = client_of()
        sent = written(client, url) | {"does": ""}
        client.logout()
        answer = client.post(url, sent)
        assert answer.status_code == 401
        keeps(answer, {name: value for name, value in sent.items() if name != "does"})
        client.force_login(person().user)
        assert client.post(url, sent | {"name": f"Shadow {len(url)}"}).status_code == 303
        assert Element.objects.get(name=f"Shadow {len(url)}").text == TEXT


def test_an_author_who_signed_in_again_in_another_tab_gets_the_form_back(moths):
    for url in urls(moths):
        client = client_of(enforce_csrf_checks=True)
        sent = written(client, url)
        answer = client.post(url, sent | {"csrfmiddlewaretoken": "a" * 64}, headers=HERE)
        assert answer.status_code == 403
        keeps(answer, sent)


def test_an_author_who_was_removed_from_the_table_gets_the_form_back():
    campaign = saltmarsh()
    member = sits(campaign, person("bo"), "co-storyteller")
    source = homebrew("Moths", campaign=campaign, moth="Mothwing")
    for below in ("new/talent/", f"{source.elements.get().pk}/"):
        url, client = f"/campaigns/{campaign.pk}/homebrew/{below}", client_of("bo")
        type(member).objects.update(gone_at=None)
        sent = written(client, url)
        type(member).objects.filter(pk=member.pk).update(gone_at=timezone.now())
        answer = client.post(url, sent)
        assert answer.status_code == 404
        keeps(answer, sent)


def test_the_form_comes_back_when_the_database_is_away(moths, monkeypatch):
    def away(self):
        raise OperationalError("the connection is closed") from psycopg.OperationalError()

    client = client_of(raise_request_exception=False)
    sent = {url: written(client, url) for url in urls(moths)}
    monkeypatch.setattr(PersonPlace, "locked", away)
    for url, fields in sent.items():
        answer = client.post(url, fields)
        assert answer.status_code == 503
        keeps(answer, fields)


@pytest.mark.parametrize("below", ["copy/", "publish/"])
def test_a_picked_entry_comes_back_too(moths, below):
    talent(moths, "pupa", "Pupa")
    edited(moths.pk)
    client, url = client_of(), f"/homebrew/polyhedral/{below}"
    sent = hidden_in(client.get(url)) | {"entry": "1"}
    client.logout()
    answer = client.post(url, sent)
    assert answer.status_code == 401
    keeps(answer, sent)


def test_a_pack_that_was_read_comes_back_and_can_be_sent_again(moths):
    client, url = client_of("bo"), "/homebrew/polyhedral/take/"
    assert "key" not in hidden_in(client.get(url))
    pack = SimpleUploadedFile("pack.zip", b"".join(client_of().get("/homebrew/polyhedral/download/")))
    sent = hidden_in(client.post(url, {"pack": pack}))
    client.logout()
    answer = client.post(url, sent)
    assert answer.status_code == 401
    keeps(answer, sent)
    client.force_login(person("bo").user)
    assert client.post(url, sent).status_code == 303


NEW = "/homebrew/polyhedral/new/talent/"


def test_a_new_entry_sent_twice_is_made_once_and_both_answers_are_the_same():
    client = client_of()
    sent = written(client, NEW) | {"does": ""}
    first, second = client.post(NEW, sent), client.post(NEW, sent)
    assert (first.status_code, first.url) == (second.status_code, second.url) == (303, "/homebrew/polyhedral/")
    made = Element.objects.get(source__homebrew__owner=person().user)
    assert client.get(second.url).content.decode().count("Shadow Step is saved.") == 2
    Element.objects.filter(pk=made.pk).update(name="Shadow Stride")
    assert client.post(NEW, sent).status_code == 303
    assert Element.objects.get(source__homebrew__owner=person().user).name == "Shadow Stride"


def test_a_new_entry_sent_again_with_other_words_is_not_taken_for_the_first():
    client = client_of()
    sent = written(client, NEW) | {"does": ""}
    client.post(NEW, sent)
    answer = client.post(NEW, sent | {"text": "Other words."})
    assert answer.status_code == 422
    assert "This name is taken." in answer.content.decode()
    assert client.post(NEW, sent | {"name": "Shadow Stride"}).status_code == 303
    assert Element.objects.filter(source__homebrew__owner=person().user).count() == 2


def test_a_table_and_a_person_each_get_an_entry_by_one_key():
    campaign, client, key = saltmarsh(), client_of(), new_key()
    for url in (NEW, f"/campaigns/{campaign.pk}/homebrew/new/talent/"):
        assert client.post(url, {"key": key, "name": "Shadow Step"}).status_code == 303
    assert homebrew_of(campaign).elements.get().name == "Shadow Step"


@pytest.mark.parametrize("below", ["new/talent/", "new/spell/", "new/feature/", "publish/", "copy/"])
@pytest.mark.parametrize("table", [False, True])
def test_a_form_that_is_refused_stores_no_source(table, below):
    base = f"/campaigns/{saltmarsh().pk}/homebrew/" if table else "/homebrew/polyhedral/"
    assert client_of().post(f"{base}{below}", {"key": new_key()}).status_code == 422
    assert not Homebrew.objects.exists()


@pytest.fixture
def tough():
    return Element.objects.get(slug="tough", kind="talent", source__is_core=True)


def test_a_copy_sent_twice_makes_one_entry_and_both_answers_lead_to_it(tough):
    client, url = client_of(), "/homebrew/polyhedral/copy/"
    sent = hidden_in(client.get(url)) | {"entry": tough.pk}
    first, second = client.post(url, sent), client.post(url, sent)
    made = Element.objects.get(name="Tough (copy)")
    assert (
        (first.status_code, first.url) == (second.status_code, second.url) == (303, f"/homebrew/polyhedral/{made.pk}/")
    )
    assert made.slug.endswith(f"-{made.source.homebrew.tag}")
    assert len(made.slug) <= 80


def test_a_copy_sent_twice_makes_one_entry_even_at_the_limit_of_entries(tough, monkeypatch):
    monkeypatch.setattr("characters.pages.homebrew.listing.MOST_ENTRIES", 1)
    client, url, key = client_of(), "/homebrew/polyhedral/copy/", new_key()
    assert client.post(url, {"key": key, "entry": tough.pk}).status_code == 303
    assert client.post(url, {"key": key, "entry": tough.pk}).status_code == 303
    assert client.post(url, {"key": new_key(), "entry": tough.pk}).status_code == 422


def test_a_copy_sent_again_leads_to_the_first_even_after_a_rename(tough):
    client, url, key = client_of(), "/homebrew/polyhedral/copy/", new_key()
    client.post(url, {"key": key, "entry": tough.pk})
    Element.objects.filter(name="Tough (copy)").update(name="Tougher")
    again = client.post(url, {"key": key, "entry": tough.pk})
    assert again.url == f"/homebrew/polyhedral/{Element.objects.get(name='Tougher').pk}/"
    assert not Element.objects.filter(name="Tough (copy)").exists()


def test_another_form_or_another_entry_makes_another_copy(tough):
    client, url, key = client_of(), "/homebrew/polyhedral/copy/", new_key()
    other = Element.objects.get(slug="medic", kind="talent", source__is_core=True)
    for sent in ((key, tough), (key, other), (new_key(), tough)):
        assert client.post(url, {"key": sent[0], "entry": sent[1].pk}).status_code == 303
    assert Element.objects.filter(source__homebrew__owner=person().user).count() == 3


def test_the_same_key_in_a_campaign_makes_another_copy(tough):
    campaign, key = saltmarsh(), new_key()
    for url in ("/homebrew/polyhedral/copy/", f"/campaigns/{campaign.pk}/homebrew/copy/"):
        assert client_of().post(url, {"key": key, "entry": tough.pk}).status_code == 303
    assert homebrew_of(campaign).elements.get().name == "Tough (copy)"


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_make_one_copy():
    tough = Element.objects.get(slug="tough", kind="talent", source__is_core=True)
    clients, key = [client_of(), client_of()], new_key()
    answers = at_once(
        *[lambda one=one: one.post("/homebrew/polyhedral/copy/", {"key": key, "entry": tough.pk}) for one in clients]
    )
    made = Element.objects.get(name="Tough (copy)")
    assert [answer.url for answer in answers] == [f"/homebrew/polyhedral/{made.pk}/"] * 2


def test_a_retired_entry_stays_in_the_form_of_what_names_it_and_is_offered_to_nothing_else(moths):
    """A path of the Fighter, and a feature among those that it offers, are edited after both were retired."""
    fighter, styles = (Element.objects.get(slug=slug) for slug in ("fighter", "fighting-styles"))
    made = {"ruleset": moths.ruleset, "source": moths}
    path = Path.objects.create(**made, slug="salt", name="Salt", parent=fighter)
    Prerequisite.objects.create(owner=path, test="rank", element=fighter, value=2)
    style = Feature.objects.create(**made, slug="spray", name="Spray")
    style.groups.set([styles])
    for one in (fighter, styles):
        retire(f"{one.kind}:{one.slug}")
    client = client_of()
    for entry, field, named in ((path, "parent", fighter), (style, "group", styles)):
        url = f"/homebrew/polyhedral/{entry.pk}/"
        form = client.get(url).context["form"]
        assert (named.pk, f"{named} (no longer offered)") in form.fields[field].choices
        sent = {name: form[name].value() or "" for name in form.fields if name != "gone"} | {"text": "Salt."}
        assert client.post(url, sent).status_code == 303
        entry.refresh_from_db()
        assert entry.text == "Salt."
    assert path.parent == fighter
    assert path.prerequisites.get().element == fighter
    assert style.groups.get() == styles
    for kind, field in (("path", "parent"), ("feature", "group")):
        assert "no longer offered" not in str(client.get(f"/homebrew/polyhedral/new/{kind}/").context["form"][field])
