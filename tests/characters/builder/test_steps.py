import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from characters.pages.builder.questions import MOST_PICKS
from characters.read import version_cache
from tests.characters.cast import mira
from tests.support.characters import owned_by
from tests.support.derived import sheets_made

STEPS = ["origin", "aspects", "abilities", "job", "equipment", "review"]


@pytest.mark.parametrize("step", STEPS)
def test_every_step_opens_on_an_empty_draft(draft, step):
    assert draft.get(step).status_code == 200


@pytest.mark.parametrize("step", STEPS)
def test_every_step_opens_on_a_character_of_the_seventh_level(client, db, step):
    character = mira()
    client.force_login(character.owner)
    response = client.get(reverse("characters:build", args=[character.pk, step]))
    assert response.status_code == 200
    steps = {one["name"]: (one["chosen"], one["needed"]) for one in response.context["steps"]}
    assert steps["Aspects"] == (3, 5)
    assert all(chosen == needed for name, (chosen, needed) in steps.items() if name != "Aspects")


def test_only_the_first_few_of_very_many_unfinished_levels_are_on_the_page(client, db):
    """A file of 900 such levels took three minutes: each option of each level is tried on the whole character."""
    levels = [{"level": level, "take": "abilities", "ranks": {"strength": 1}} for level in range(2, 30)]
    character = mira(xp=100_000, levels=levels, state=None)
    client.force_login(character.owner)
    response = client.get(reverse("characters:build", args=[character.pk, "job"]))
    questions = [question for section in response.context["sections"] for question in section]
    assert [one.level for one in questions if one.level > 1] == list(range(2, 2 + MOST_PICKS))
    assert "core-rules.job" in [one.key for one in questions]
    assert response.context["onward"]["url"].endswith("-2")


@pytest.mark.parametrize("step", STEPS)
def test_a_step_needs_at_most_fourteen_queries(envoy, step, django_assert_max_num_queries):
    envoy.get(step)
    with django_assert_max_num_queries(14):
        envoy.get(step)


def test_an_unknown_step_is_not_found(draft):
    assert draft.get("magic").status_code == 404


@pytest.mark.parametrize("step", STEPS)
def test_another_person_finds_nothing(draft, client, step):
    client.logout()
    client.force_login(User.objects.create_user("bo"))
    assert draft.get(step).status_code == 404


ABILITIES = ("strength", "agility", "vitality", "mind", "spirit", "presence")
FORMS = {
    "choose": {"choice": "core-rules.lineage", "level": 1, "take": "lineage:elf"},
    "name": {"name": "Mine"},
    "aspect": {"kind": "flaw", "text": "Proud"},
    "ranks": {"method": "points", **dict.fromkeys([f"rank.{one}" for one in ABILITIES], 11)},
    "dice": {},
    "buy": {"custom": "A letter"},
    "item": {"quantity": 3},
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("stranger", [True, False], ids=["a stranger", "the owner, as a control"])
def test_another_person_changes_nothing(draft, client, name, stranger):
    draft.post("buy", custom="A rope")
    before, version = draft.facts, draft.character.version
    fields = FORMS[name] | ({"item": draft.character.items.get().pk} if name == "item" else {})
    if stranger:
        client.logout()
        client.force_login(User.objects.create_user("bo"))
    assert draft.post(name, **fields).status_code == (404 if stranger else 303)
    assert (draft.facts == before, draft.character.version == version) == (stranger, stranger)


@pytest.mark.parametrize("name", FORMS)
def test_forms_accept_only_posts(draft, client, name):
    assert client.get(reverse(f"characters:{name}", args=[draft.pk])).status_code == 405


def test_the_badges_count_what_is_chosen(envoy):
    envoy.choose("human-culture.skills", "skill:athletics")
    steps = {one["slug"]: (one["chosen"], one["needed"]) for one in envoy.get("origin").context["steps"]}
    assert steps == {
        "origin": (4, 12),
        "aspects": (0, 5),
        "abilities": (0, 9),
        "job": (1, 2),
        "equipment": (0, 0),
        "review": (0, 0),
    }


def test_a_guest_is_told_where_the_draft_is_kept(draft):
    assert b"in this browser only" in draft.get("origin").content


def test_a_guest_who_signs_up_after_an_answer_comes_back_to_the_step(draft):
    """The answer comes from the address of its form, which cannot be opened as a page."""
    page = draft.post("choose", htmx=True, choice="core-rules.lineage", level=1, take="lineage:elf").content.decode()
    assert f"{reverse('account_signup')}?next={reverse('characters:build', args=[draft.pk, 'origin'])}" in page


def test_the_review_links_to_what_is_missing(draft):
    links = [one["url"] for one in draft.get("review").context["missing"]]
    assert reverse("characters:build", args=[draft.pk, "origin"]) + "#core-rules-lineage" in links
    assert reverse("characters:build", args=[draft.pk, "abilities"]) + "#ranks" in links
    assert reverse("characters:build", args=[draft.pk, "origin"]) + "#name" in links


def test_a_name_is_saved_without_extra_spaces_and_the_review_has_it(draft):
    assert draft.post("name", name="  Mara  Venn ").status_code == 303
    assert draft.character.name == "Mara Venn"
    assert "<title>Review: Mara Venn · Polyhedral</title>" in draft.get("review").text


def test_a_new_name_is_in_the_title_at_once(draft):
    page = draft.post("name", htmx=True, name="Mara", step="origin").content.decode()
    assert "<title>Origin: Mara</title>" in page
    assert '<hx-partial hx-target="#breadcrumbs"' in page
    assert "Unnamed" not in page


def test_the_next_step_skips_the_shop_only_if_the_character_has_an_item(client, db):
    """Nobody has to buy anything, but nobody should forget to."""
    ana = User.objects.create_user("ana")
    character = owned_by(ana, inventory=None)
    client.force_login(ana)

    def onward(step):
        return client.get(reverse("characters:build", args=[character.pk, step])).context["onward"]

    assert onward("job")["url"].endswith("/build/equipment/#shop")
    assert onward("equipment")["url"] == character.get_absolute_url()
    buy = {"custom": "A letter", "key": "a-key-that-is-long-enough"}
    assert client.post(reverse("characters:buy", args=[character.pk]), buy).status_code == 303
    assert onward("job")["url"] == character.get_absolute_url()


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b", "a\x1bb"])
def test_a_bad_name_stays_in_the_field(draft, name):
    response = draft.post("name", name=name)
    assert response.status_code == 422
    assert response.context["name_error"]
    assert response.context["name_typed"] == name
    assert draft.character.name == ""


def test_htmx_gets_the_region_with_the_changed_numbers_marked(draft):
    response = draft.post("choose", htmx=True, choice="core-rules.lineage", level=1, take="lineage:dwarf")
    assert response.status_code == 200
    assert response.text.count('<div id="builder"') == 1
    assert "<html" not in response.text
    assert "<html" in draft.get("origin").text
    assert "was 0 ft" in response.text
    assert "say" in response.headers["HX-Trigger"]


def test_without_script_the_answer_redirects_and_says_what_changed(draft, client):
    response = draft.choose("core-rules.lineage", "lineage:dwarf")
    assert response.status_code == 303
    assert response.headers["Location"].endswith("#core-rules-lineage")
    assert b"Speed: 0 ft, now 30 ft." in client.get(response.headers["Location"]).content


@pytest.mark.parametrize("raw", ["%ED%A0%80", "%FF%FE", "a%00", "%C3%28"])
def test_bytes_that_are_no_text_are_never_an_error_of_the_site(draft, client, raw):
    url = reverse("characters:name", args=[draft.pk])
    body = f"key={'k' * 32}&name={raw}"
    response = client.post(url, body, content_type="application/x-www-form-urlencoded")
    assert response.status_code in (303, 400, 422)
    assert "\x00" not in draft.character.name
    assert not any("\ud800" <= letter <= "\udfff" for letter in draft.character.name)


@pytest.mark.parametrize(
    ("step", "most"), [("origin", 17), ("abilities", 13), ("job", 20), ("equipment", 32), ("review", 1)]
)
def test_a_step_derives_nothing_twice(envoy, step, most, monkeypatch):
    """The character and each option shown are derived once; the comparison that is the same for all is cached."""
    envoy.get(step)
    version_cache.VERSIONS.values.clear()
    done = sheets_made(monkeypatch)
    envoy.get(step)
    assert 0 < len(done) <= most
    assert len(done) == len(set(done))
