"""An edit stays in the working copy until its source is published: publishing, its refusals, and restoring."""

from datetime import UTC, datetime

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from rules.admin.publishing import MOVED_ON
from rules.compile import bundle_for
from rules.models import (
    Action,
    ActionTiming,
    Circumstance,
    Element,
    Gear,
    Grant,
    Publication,
    Resource,
    Ruleset,
    Source,
    Stat,
    StatModifier,
    Switch,
    Talent,
)  # fmt: skip
from rules.models.ruleset import HOMEBREWS
from rules.packs.load import load_rules
from rules.packs.pack_difference import difference
from rules.packs.source_rows import read_source
from rules.publications import beneath, edited, in_force, packed, publish, publish_missing, unpacked
from rules.search import find
from tests.factories import ResourceFactory, SourceFactory
from tests.rules.admin_form import Form
from tests.rules.small_pack import FILES, write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture(scope="module")
def only_small(shared, django_db_setup, tmp_path_factory):
    shared(django_db_setup.delete)
    shared(lambda: load_rules(write_pack(tmp_path_factory.mktemp("small"))))


@pytest.fixture
def small(only_small):
    return Source.objects.get(slug="small-core")


@pytest.fixture
def odd(small):
    return Talent.objects.get(slug="odd")


class PublishPage:
    def __init__(self, client, source):
        self.client, self.source = client, source
        self.url = reverse("admin:rules_source_publish", args=[source.pk])

    def get(self):
        return self.client.get(self.url)

    def press(self, note="", saw=None):
        if saw is None:
            saw = self.get().context_data["saw"]
        return self.client.post(self.url, {"note": note, "saw": saw})


@pytest.fixture
def page(editor, small):
    return PublishPage(editor, small)


def renamed(talent, name="Odder"):
    Element.objects.filter(pk=talent.pk).update(name=name)


def odd_in_force():
    return bundle_for("small").elements["talent:odd"].name


def test_the_title_of_a_source_changes_at_once_and_the_bundle_does_not(editor, small):
    before = bundle_for("small")
    form = Form(editor, Source, small, drawn=True)
    assert "Everyone reads it as soon as you save" in editor.get(form.url).content.decode()
    form.data.pop("is_core", None)
    assert form.fill(title="Smaller", license="CC0-1.0").send().status_code == 302
    small.refresh_from_db()
    assert (small.title, small.is_core) == ("Smaller", True)
    assert "Smaller" in editor.get("/rules/").content.decode()
    assert bundle_for("small") is before


def test_a_public_source_cannot_have_a_slug_of_homebrew(editor, small):
    form = Form(editor, Source).fill(ruleset=small.ruleset, slug="homebrew-abcdef", title="Mine")
    assert ("slug", HOMEBREWS) in form.errors()
    assert not Source.objects.filter(slug="homebrew-abcdef").exists()


def test_a_ruleset_keeps_its_game(editor, small):
    form = Form(editor, Ruleset, small.ruleset).fill(game="pebbles", name="Smaller")
    assert form.send().status_code == 302
    small.ruleset.refresh_from_db()
    assert (small.ruleset.name, small.ruleset.game) == ("Smaller", "polyhedral")


def test_a_published_version_is_read_back_the_same(small):
    pack = read_source(small)
    assert vars(unpacked(packed(pack))) == vars(in_force(small)) == vars(pack)


def test_a_note_with_a_null_character_is_refused(odd, page):
    """PostgreSQL cannot store it."""
    renamed(odd)
    answer = page.press("a\0b")
    assert answer.status_code == 422
    assert "The note has a character that cannot be stored." in answer.content.decode()
    assert odd_in_force() == "Odd"


def test_an_edit_in_the_admin_is_shown_as_unpublished_until_its_source_is_published(editor, small, odd, page):
    assert "unpublished" not in editor.get("/admin/").content.decode()
    assert Form(editor, Talent, odd).fill(name="Odder").send().status_code == 302
    assert odd_in_force() == "Odd"
    assert not find("odder").results or find("odder").results[0].entry.name == "Odd"
    assert page.url in editor.get("/admin/").content.decode()
    html = page.get().content.decode()
    assert "<del>Odd</del>" in html
    assert "<ins>Odder</ins>" in html
    assert page.press("A better name").status_code == 302
    assert odd_in_force() == "Odder"
    assert find("odder").results[0].entry.name == "Odder"
    publication = small.publications.first()
    assert (publication.number, publication.author.username, publication.note) == (2, "ada", "A better name")
    assert "Everything is published." in page.get().content.decode()
    assert "unpublished" not in editor.get("/admin/").content.decode()


def test_a_save_links_to_the_page_that_publishes(editor, small, odd, page):
    listed = editor.get(Form(editor, Talent, odd).fill(name="Odder").send().headers["Location"]).content.decode()
    assert f'Players have it once <a href="{page.url}">' in listed
    retired = editor.get(Form(editor, Talent, odd).fill(status="retired").send().headers["Location"]).content.decode()
    assert "Players have it once" in retired


@pytest.mark.parametrize("button", ["_continue", "_addanother"])
@pytest.mark.parametrize("new", [False, True], ids=["changed", "new"])
def test_each_button_that_saves_says_that_players_wait_for_the_publication(editor, small, odd, button, new):
    form = Form(editor, Talent, None if new else odd)
    columns = {"slug": "odder", "status": "published", "source": small.pk} if new else {}
    page = editor.get(form.fill(name="Odder", **{button: "1"}, **columns).send().headers["Location"])
    assert page.content.decode().count("Players have it once") == 1


def test_a_window_that_closes_leaves_no_word_for_a_later_page(editor, small, odd):
    form = Form(editor, Stat, Stat.objects.first(), "?_popup=1").fill(_popup="1")
    assert "Location" not in form.send().headers
    assert "Players have it once" not in editor.get("/admin/rules/stat/").content.decode()


@pytest.mark.parametrize(("model", "told"), [(Stat, True), (Resource, True), (Source, False)])
def test_what_entries_are_made_of_waits_for_the_publication_and_the_name_of_a_source_does_not(
    editor, small, odd, model, told
):
    ResourceFactory(owner=odd, max_stat=Stat.objects.first())
    form = Form(editor, model, model.objects.first())
    saved = editor.get(form.send().headers["Location"]).content.decode()
    assert "was changed successfully" in saved
    assert ("Players have it once" in saved) is told


def test_a_saved_draft_asks_for_no_publication(editor, small):
    form = Form(editor, Talent).fill(name="Later", slug="later", status="draft", source=small.pk)
    listed = editor.get(form.send().headers["Location"]).content.decode()
    assert "was added successfully" in listed
    assert "Players have it once" not in listed


def test_the_lists_show_dates_and_times_as_all_pages_do(editor, odd):
    Element.objects.filter(pk=odd.pk).update(updated=datetime(2026, 3, 1, 21, 5, tzinfo=UTC))
    assert "1 Mar 2026, 21:05" in editor.get(reverse("admin:rules_talent_changelist")).content.decode()


def test_nothing_is_published_twice(page, odd, small):
    renamed(odd)
    saw = page.get().context_data["saw"]
    assert page.press(saw=saw).status_code == 302
    answer = page.press(saw=saw)
    assert answer.status_code == 422
    assert MOVED_ON in answer.content.decode()
    answer = page.press()
    assert answer.status_code == 422
    assert "There is nothing to publish" in answer.content.decode()
    assert small.publications.count() == 2


def test_rows_that_changed_since_they_were_shown_are_not_published(page, odd):
    renamed(odd)
    saw = page.get().context_data["saw"]
    renamed(odd, "Oddest")
    answer = page.press(saw=saw)
    assert answer.status_code == 422
    assert MOVED_ON in answer.content.decode()
    assert odd_in_force() == "Odd"


def test_a_note_that_is_too_long_is_refused_and_shown_again(page, odd):
    renamed(odd)
    answer = page.press("x" * 2001)
    assert answer.status_code == 422
    assert "The note is too long: at most 2,000 characters." in answer.content.decode()
    assert "x" * 2001 in answer.content.decode()


def test_what_keeps_rows_from_being_published_is_said_in_their_names(page, small, odd):
    talent = {"kind": "talent", "ruleset": odd.ruleset, "source": small, "status": "published"}
    Talent.objects.create(slug="odd-one", name="Odd one", **talent)
    Stat.objects.create(key="gloom", name="Gloom", ruleset=odd.ruleset, source=small)
    Grant.objects.create(owner=odd, element=Talent.objects.create(slug="late", name="Late", **talent), grant_as="gain")
    Talent.objects.filter(slug="late").update(status="draft")
    said = [
        "Statistic “Gloom”: has no base, no row that adds to it and no input.",
        "Talent “Odd one”: nothing grants it and no choice offers it.",
        "Talent “Odd”: grants talent “Late”, which is draft.",
    ]
    html = page.get().content.decode()
    assert [sentence for sentence in said if f"<li>{sentence}</li>" not in html] == []
    refused = page.press().content.decode()
    assert [sentence for sentence in said if refused.count(sentence) < 2] == []


@pytest.mark.parametrize(
    ("model", "columns", "said"),
    [
        (Stat, {"key": "ebb", "name": "Ebb"}, "statistic “Ebb”"),
        (ActionTiming, {"slug": "idle", "name": "Idle"}, "action timing “Idle”"),
    ],
)
def test_a_row_of_a_source_that_is_not_required_is_said_by_its_name(page, small, odd, model, columns, said):
    other = SourceFactory(ruleset=small.ruleset, slug="other")
    row = model.objects.create(ruleset=small.ruleset, source=other, **columns)
    publish(other)
    if model is Stat:
        StatModifier.objects.create(owner=odd, stat=row, op="add", amount=1)
    else:
        Action.objects.create(owner=odd, slug="wait", name="Wait", timing=row)
    assert f"Talent “Odd”: names {said} of other, which it does not require." in page.get().content.decode()


def test_rows_with_an_error_are_refused_with_its_sentence(page, small, odd):
    one, other = (
        Stat.objects.create(ruleset=small.ruleset, source=small, key=key, name=key) for key in ("ebb", "flow")
    )
    StatModifier.objects.create(owner=odd, stat=one, op="add", of_stat=other)
    StatModifier.objects.create(owner=odd, stat=other, op="add", of_stat=one)
    assert "would depend on itself: ebb → flow → ebb" in page.get().content.decode()
    answer = page.press()
    assert answer.status_code == 422
    assert "would depend on itself: ebb → flow → ebb." in answer.content.decode()
    assert small.publications.count() == 1


def test_an_error_in_the_working_copy_of_another_source_stops_no_publication(page, small, odd):
    """The error is found when the other source is published."""
    other = SourceFactory(ruleset=small.ruleset, slug="other")
    publish(other)
    stat = Stat.objects.create(ruleset=small.ruleset, source=other, key="ebb", name="ebb")
    loop = Talent.objects.create(ruleset=small.ruleset, source=other, slug="loop", name="Loop")
    StatModifier.objects.create(owner=loop, stat=stat, op="add", of_stat=stat)
    renamed(odd)
    assert page.press().status_code == 302
    assert PublishPage(page.client, other).press().status_code == 422


@pytest.fixture
def naming_dusk(small):
    """A published source whose working copy names a circumstance that the core has not published yet."""
    dusk = Circumstance.objects.create(
        ruleset=small.ruleset, source=small, slug="new-dusk", name="at dusk", detection="toggle"
    )
    other = SourceFactory(ruleset=small.ruleset, slug="other")
    hat = Gear.objects.create(ruleset=small.ruleset, source=other, slug="hat", name="Hat")
    publish(other)
    StatModifier.objects.create(owner=hat, stat=Stat.objects.get(key="defense"), op="add", amount=1, when=dusk)
    return other


def test_a_source_that_names_an_unpublished_row_cannot_be_published_before_that_row(editor, page, naming_dusk):
    said = "Gear “Hat”: names circumstance new-dusk, which is not published yet."
    mine = PublishPage(editor, naming_dusk)
    assert said in mine.get().content.decode()
    answer = mine.press()
    assert answer.status_code == 422
    assert said in answer.content.decode()
    publish(page.source)
    assert said not in mine.get().content.decode()


def test_a_wrong_name_in_another_published_source_stops_no_publication(page, odd, naming_dusk):
    publish(naming_dusk)
    StatModifier.objects.filter(when__slug="new-dusk").delete()
    Circumstance.objects.filter(slug="new-dusk").delete()
    renamed(odd)
    assert page.press().status_code == 302


def test_only_an_editor_who_may_change_sources_can_publish(client, small, odd):
    reader = User.objects.create_user("rob", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="change_talent"))
    client.force_login(reader)
    renamed(odd)
    edited(small.pk)
    page = PublishPage(client, small)
    assert page.get().status_code == 403
    assert page.press(saw="").status_code == 403
    assert "unpublished" not in client.get("/admin/").content.decode()
    assert client.get(reverse("admin:rules_source_publication", args=[small.pk, 1])).status_code == 403


def test_the_page_of_a_source_leads_to_publishing_for_whoever_may(client, editor, small):
    reader = User.objects.create_user("rob", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_source"))
    there, publishes = (reverse(f"admin:rules_source_{name}", args=[small.pk]) for name in ("change", "publish"))
    assert publishes in editor.get(there).content.decode()
    client.logout()
    client.force_login(reader)
    assert "Download as a pack" in (shown := client.get(there).content.decode())
    assert publishes not in shown


def test_an_earlier_publication_is_restored_into_the_working_copy_and_takes_effect_once_published(page, small, odd):
    renamed(odd)
    page.press()
    there = reverse("admin:rules_source_publication", args=[small.pk, 1])
    shown = page.client.get(there)
    assert "<ins>Odd</ins>" in shown.content.decode()
    assert page.client.post(there, {"saw": "another"}).status_code == 422
    assert page.client.post(there, {"saw": shown.context_data["saw"]}).status_code == 302
    odd.refresh_from_db()
    assert odd.name == "Odd"
    assert odd_in_force() == "Odder"
    assert Source.objects.get(pk=small.pk).edited is not None
    page.press()
    assert odd_in_force() == "Odd"
    assert [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")] == [
        "Published as number 2.", "Number 1 restored into the rows.", "Published as number 3.",
    ]  # fmt: skip
    third = page.client.get(reverse("admin:rules_source_publication", args=[small.pk, 3]))
    assert "What it changed" in third.content.decode()
    assert [str(line) for line in third.context_data["brought"]] == ["Talent “Odd” is changed: name"]


def test_restoring_retires_an_element_published_since(page, small):
    new = Talent.objects.create(ruleset=small.ruleset, source=small, slug="new", name="New")
    publish(small)
    stat = Stat.objects.create(ruleset=small.ruleset, source=small, key="new", name="New")
    publish(small)
    Talent.objects.create(ruleset=small.ruleset, source=small, slug="draft", name="Draft")
    Stat.objects.create(ruleset=small.ruleset, source=small, key="draft", name="Draft")
    there = reverse("admin:rules_source_publication", args=[small.pk, 1])
    answer = page.client.get(there)
    shown = answer.context_data
    removed = ["Statistic “Draft” is removed", "Talent “Draft” is removed"]
    assert [str(line) for line in shown["lines"]] == [*removed, "Talent “New” is retired"]
    assert "Statistics, circumstances, timings, rests and lookup tables that were published later stay" in (
        answer.content.decode()
    )
    before = read_source(small)
    page.client.post(there, {"saw": shown["saw"]})
    new.refresh_from_db()
    assert new.status == "retired"
    assert Stat.objects.filter(pk=stat.pk).exists()
    assert difference(before, read_source(small), beneath(small)) == shown["lines"]
    assert bundle_for("small").elements["talent:new"].status == "published"


def test_restoring_retires_a_house_rule_published_since(page, small):
    cold = Switch.objects.create(
        ruleset=small.ruleset, source=small, key="coldNights", name="Cold nights", type="flag", default="off",
        allowed=["on", "off"],
    )  # fmt: skip
    publish(small)
    there = reverse("admin:rules_source_publication", args=[small.pk, 1])
    shown = page.client.get(there).context_data
    assert [str(line) for line in shown["lines"]] == ["House rule “Cold nights” is retired"]
    before = read_source(small)
    page.client.post(there, {"saw": shown["saw"]})
    cold.refresh_from_db()
    assert cold.status == "retired"
    assert difference(before, read_source(small), beneath(small)) == shown["lines"]


def test_an_element_renamed_since_is_restored_under_its_present_slug(page, small, odd, tmp_path):
    """Characters use that slug until the next publication."""
    talents = FILES["talents.yaml"].replace("{slug: odd, name: Odd}", "{slug: strange, was: odd, name: Strange}")
    paths = FILES["paths.yaml"].replace("talent:odd", "talent:strange")
    load_rules(write_pack(tmp_path, talents=talents, paths=paths))
    there = reverse("admin:rules_source_publication", args=[small.pk, 1])
    shown = page.client.get(there).context_data
    assert [line.key for line in shown["lines"]] == ["talent:strange"]
    assert page.client.post(there, {"saw": shown["saw"]}).status_code == 302
    odd.refresh_from_db()
    assert (odd.slug, odd.was, odd.name, odd.status) == ("strange", "odd", "Odd", "published")
    assert Talent.objects.filter(source=small).count() == 3
    assert Grant.objects.get(owner__slug="wall").element_id == odd.pk
    assert page.press().status_code == 302
    assert bundle_for("small").elements["talent:strange"].name == "Odd"


def test_restoring_gives_an_old_name_to_the_element_that_has_it_now(page, small, odd, tmp_path):
    """`odd` was renamed, and then another entry was given its name."""
    talents = FILES["talents.yaml"].replace("{slug: odd, name: Odd}", "{slug: strange, was: odd, name: Strange}")
    load_rules(write_pack(tmp_path, talents=talents, paths=FILES["paths.yaml"].replace("talent:odd", "talent:strange")))
    new = Talent.objects.create(ruleset=small.ruleset, source=small, slug="odd", name="New")
    publish(small)
    there = reverse("admin:rules_source_publication", args=[small.pk, 1])
    assert page.client.post(there, {"saw": page.client.get(there).context_data["saw"]}).status_code == 302
    odd.refresh_from_db()
    new.refresh_from_db()
    assert (odd.slug, odd.name, odd.status) == ("strange", "Strange", "retired")
    assert (new.slug, new.name, new.status) == ("odd", "Odd", "published")


def test_restoring_keeps_both_elements_if_one_has_the_others_old_name(page, small, odd, tmp_path):
    talents = FILES["talents.yaml"].replace("{slug: odd, name: Odd}", "{slug: strange, was: odd, name: Strange}")
    talents = talents.replace("{slug: lucky, name: Lucky,", "{slug: odd, was: lucky, name: Lucky,")
    paths = FILES["paths.yaml"].replace("talent:odd", "talent:strange").replace("talent:lucky", "talent:odd")
    load_rules(write_pack(tmp_path, talents=talents, paths=paths))
    there = reverse("admin:rules_source_publication", args=[small.pk, 1])
    assert page.client.post(there, {"saw": page.client.get(there).context_data["saw"]}).status_code == 302
    names = dict(Talent.objects.filter(source=small, status="published").values_list("slug", "name"))
    assert names == {"tough": "Tough", "lucky": "Lucky", "odd": "Odd"}


def test_a_publication_that_cannot_be_restored_is_refused_with_the_reasons(page, small, odd):
    other = SourceFactory(ruleset=small.ruleset, slug="other", is_core=True)
    stat = Stat.objects.create(ruleset=small.ruleset, source=other, key="ebb", name="ebb")
    publish(other)
    row = StatModifier.objects.create(owner=odd, stat=stat, op="add", amount=1)
    publish(small)
    row.delete()
    publish(small)
    stat.delete()
    there = reverse("admin:rules_source_publication", args=[small.pk, 2])
    answer = page.client.post(there, {"saw": page.client.get(there).context_data["saw"]})
    assert answer.status_code == 422
    assert "there is no statistic ebb" in answer.content.decode()
    assert not StatModifier.objects.filter(owner=odd, stat__key="ebb").exists()


def test_an_unknown_publication_is_404(page, small):
    assert page.client.get(reverse("admin:rules_source_publication", args=[small.pk, 9])).status_code == 404


def test_a_published_element_keeps_its_slug(editor, small, odd):
    Form(editor, Talent, odd).fill(slug="even", name="Even").send()
    odd.refresh_from_db()
    assert (odd.slug, odd.name) == ("odd", "Even")
    new = Talent.objects.create(ruleset=small.ruleset, source=small, slug="new", name="New")
    Form(editor, Talent, new).fill(slug="newer").send()
    new.refresh_from_db()
    assert new.slug == "newer"


def test_only_an_element_that_was_never_published_can_be_deleted(editor, small, odd):
    asked = editor.post(reverse("admin:rules_talent_delete", args=[odd.pk]), {"post": "yes"})
    assert "is published. Retire it instead." in asked.content.decode()
    assert "would require deleting" not in asked.content.decode()
    assert Talent.objects.filter(pk=odd.pk).exists()
    new = Talent.objects.create(ruleset=small.ruleset, source=small, slug="new", name="New")
    editor.post(reverse("admin:rules_talent_delete", args=[new.pk]), {"post": "yes"})
    assert not Talent.objects.filter(pk=new.pk).exists()


def test_a_published_house_rule_is_retired_instead_of_deleted(editor, small):
    mood = Switch.objects.get(key="mood")
    url = reverse("admin:rules_switch_delete", args=[mood.pk])
    for several in (False, True):
        chosen = {"action": "delete_selected", "_selected_action": [mood.pk]}
        asked = editor.post(reverse("admin:rules_switch_changelist"), chosen) if several else editor.get(url)
        text = asked.content.decode()
        assert "Mood is published. Retire it instead." in text
        assert "would require deleting" not in text
        assert "at dusk: house rule has the value" in text
    assert Form(editor, Switch, mood).fill(status="retired").send().status_code == 302
    publish(small)
    assert bundle_for("small").switches["mood"].status == "retired"
    assert str(Form(editor, Switch, mood).fill(status="draft").errors()).count("draft is not one of") == 1


def test_a_load_publishes_and_a_load_without_changes_does_not(small, tmp_path):
    assert [one.note for one in small.publications.all()] == ["Loaded from files."]
    load_rules(write_pack(tmp_path), force=True)
    assert small.publications.count() == 1


def test_publish_missing_publishes_the_rows_of_a_site_from_before_publications(small, odd):
    """On such a site the rows were in force, edits included."""
    Publication.objects.all().delete()
    Source.objects.update(revision=0)
    renamed(odd)
    assert publish_missing() == [small]
    assert odd_in_force() == "Odder"
    assert publish_missing() == []


def test_a_start_does_not_publish_what_is_being_written_in_the_admin(editor, small):
    assert Form(editor, Source).fill(title="More", slug="more", ruleset=small.ruleset).send().status_code == 302
    assert publish_missing() == []
    assert Source.objects.get(slug="more").revision == 0


def test_a_pack_of_an_earlier_release_has_the_default_of_a_newer_column(small):
    pack = read_source(small)
    for row in pack.elements.values():
        del row["page_ref"], row["sort"]
        for line in row["choices"]:
            del line["write_in"]
    older = unpacked(packed(pack))
    assert {(row["page_ref"], row["sort"]) for row in older.elements.values()} == {("", 0)}
    assert not any(line["write_in"] for row in older.elements.values() for line in row["choices"])


def test_saving_an_unchanged_text_of_two_lines_leaves_nothing_to_publish(editor, small, odd):
    """A browser sends a line break as two characters."""
    Element.objects.filter(pk=odd.pk).update(text="One line.\nAnother.")
    publish(small)
    form = Form(editor, Talent, odd)
    assert form.fill(text="One line.\r\nAnother.").send().status_code == 302
    assert PublishPage(editor, small).get().context_data["lines"] == ()
