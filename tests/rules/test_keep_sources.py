"""Sources and games in the admin: both keep their slugs, and a source that was in play cannot be deleted."""

import pytest
from django.urls import reverse

from characters import verbs
from rules.models import HouseRules, Ruleset, Source
from tests.characters.cast import first_level, new_key, person
from tests.factories import SourceFactory
from tests.rules.admin_form import Form

pytestmark = pytest.mark.django_db


@pytest.fixture
def extra():
    core = Source.objects.get(is_core=True)
    return SourceFactory(ruleset=core.ruleset, slug="extra", title="Extra")


def test_the_admin_cannot_change_the_slug_of_a_source(editor, extra):
    form = Form(editor, Source, extra).fill(title="Extra rules", slug="renamed")
    assert form.send().status_code == 302
    extra.refresh_from_db()
    assert (extra.title, extra.slug) == ("Extra rules", "extra")


def test_the_admin_cannot_change_the_slug_of_a_game(editor, extra):
    form = Form(editor, Ruleset, extra.ruleset).fill(name="Another title", slug="renamed")
    assert form.send().status_code == 302
    extra.ruleset.refresh_from_db()
    assert (extra.ruleset.name, extra.ruleset.slug) == ("Another title", "polyhedral")


def test_the_admin_sets_the_slug_of_a_new_source(editor, extra):
    form = Form(editor, Source).fill(title="More", slug="more", ruleset=extra.ruleset)
    assert form.send().status_code == 302
    assert Source.objects.get(slug="more").ruleset == extra.ruleset


@pytest.fixture(params=["its own page", "the list"])
def delete(request, editor, extra):
    """Deletes the source in the admin and returns the text of the page."""

    def send():
        if request.param == "the list":
            fields = {"action": "delete_selected", "_selected_action": extra.pk, "post": "yes"}
            return editor.post(reverse("admin:rules_source_changelist"), fields).content.decode()
        return editor.post(reverse("admin:rules_source_delete", args=[extra.pk]), {"post": "yes"}).content.decode()

    return send


def test_the_admin_deletes_a_source_that_nobody_played(delete, extra):
    delete()
    assert not Source.objects.filter(pk=extra.pk).exists()


def test_the_admin_keeps_a_source_that_is_in_play(delete, extra):
    HouseRules.objects.create(ruleset=extra.ruleset).sources.add(extra)
    assert "Extra is in play: house rules name it." in delete()
    assert Source.objects.filter(pk=extra.pk).exists()


def test_the_admin_keeps_a_source_that_a_history_names(delete, extra):
    character = first_level()
    for slugs in (["extra"], []):
        verbs.set_sources(character.pk, person(), new_key(), sources=slugs)
    assert "Extra was in play: the history of a character names it." in delete()
    assert Source.objects.filter(pk=extra.pk).exists()
