"""Only people who made a homebrew or play by it can find it, in every list and every lookup."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from characters import verbs
from characters.change.refusals import Refused
from characters.models import Character
from characters.read.character_file import write_file
from characters.read.open_sources import open_sources, readable_homebrew
from characters.read.versions import read
from characters.sharing import make_link
from characters.verbs.begin import BadFile
from rules.engine.sheet import Problem, Sheet
from rules.homebrew import begun
from rules.library import libraries
from rules.lint import check_rules
from rules.models import Element, Homebrew, Source, Talent, Weapon
from rules.packs import check
from rules.packs.load import PackError, load_rules
from rules.patterns.words import NotUnderstood, Words
from rules.publications import publish, publish_missing
from rules.unpublished import Unpublished
from tests.characters.cast import browser_of, facts, mira, new_key, person
from tests.support.characters import fresh
from tests.support.homebrew import homebrew, in_play, talent
from tests.support.rows_of_lines import understood

pytestmark = pytest.mark.django_db


@pytest.fixture
def moths():
    return homebrew("Moths", owner=person().user, moth="Mothwing")


PUBLIC = (
    "/rules/",
    "/rules/search/?q=Mothw",
    "/rules/search/?kind=talent&source=homebrew",
    "/rules/polyhedral/talent/",
    "/rules/polyhedral/compare/talent/",
)


def sung():
    """The public pages, opened by Ana, that name Mothwing or its source."""
    pages = {page: browser_of().get(page).content.decode() for page in PUBLIC}
    return [page for page, text in pages.items() if "othwing" in text or "Moths" in text]


def test_no_public_page_names_homebrew_even_to_its_maker(moths):
    assert sung() == []
    assert browser_of("ana").get("/rules/polyhedral/talent/moth/").status_code == 404
    assert browser_of("ana").get("/rules/polyhedral/compare/talent/?entry=moth").status_code == 404


def test_control_every_public_page_names_an_entry_that_is_not_homebrew(moths):
    Homebrew.objects.all().delete()
    assert sung() == list(PUBLIC)
    assert browser_of("ana").get("/rules/polyhedral/talent/moth/").status_code == 200


def test_the_files_of_a_pack_are_read_before_anything_is_locked(moths, monkeypatch):
    outside, inside, read_file = len(connection.savepoint_ids), [], check.read_file

    def read(*file):
        inside.append(len(connection.savepoint_ids))
        return read_file(*file)

    monkeypatch.setattr(check, "read_file", read)
    files = {"source": "ruleset: {slug: polyhedral}\nsource: {slug: a, title: A}", "talents": "- {slug: a}"}
    sent = [SimpleUploadedFile(f"{name}.yaml", text.encode()) for name, text in files.items()]
    assert browser_of("ana").post("/homebrew/polyhedral/take/", {"pack": sent}).status_code == 422
    assert inside == [outside] * 2


def test_publishing_homebrew_changes_no_public_library(moths):
    before = [library.bundle.revision for library in libraries()]
    talent(moths, "moth-two", "Mothdust")
    publish(moths)
    assert [library.bundle.revision for library in libraries()] == before


def test_homebrew_is_open_to_its_maker_and_to_those_who_have_it_in_play(moths):
    assert moths in open_sources(person())
    assert moths not in open_sources(person("bo"))
    assert moths in open_sources(person("bo"), [moths.slug])


def test_homebrew_is_open_to_the_owner_of_a_character_that_plays_by_it(moths):
    in_play(moths, mira(person("bo")))
    assert moths in open_sources(person("bo"))
    assert moths not in open_sources(person("cid"))


def test_a_guessed_slug_puts_no_homebrew_in_play(moths):
    character = mira(person("bo"))
    with pytest.raises(Refused, match="no such source"):
        verbs.set_sources(character.pk, person("bo"), new_key(), sources=[moths.slug])
    page = browser_of("bo").get(f"/characters/{character.pk}/content/")
    assert "Moths" not in page.content.decode()
    sent = {"key": new_key(), f"source-{moths.slug}": "in", "save": "1"}
    browser_of("bo").post(f"/characters/{character.pk}/content/change/", sent)
    assert f"source:{moths.slug}" not in facts(character)


def test_the_maker_puts_homebrew_in_play_and_is_offered_its_talent(moths):
    character = mira()
    assert "Moths" in browser_of("ana").get(f"/characters/{character.pk}/content/").content.decode()
    verbs.set_sources(character.pk, person(), new_key(), sources=[moths.slug])
    assert "Mothwing" in browser_of("ana").get(f"/characters/{character.pk}/can-take/?q=mothw").content.decode()
    assert "Mothwing" not in browser_of("ana").get("/rules/search/?q=mothw").content.decode()
    assert moths.slug in read(Character.objects.get(pk=character.pk)).build.sources


def test_only_its_maker_and_those_who_play_by_it_can_read_an_entry(moths):
    page = "/homebrew/polyhedral/talent/moth/"
    assert "Mothwing in short" in browser_of("ana").get(page).content.decode()
    assert browser_of("bo").get(page).status_code == 404
    in_play(moths, mira(person("bo")))
    assert browser_of("bo").get(page).status_code == 200
    assert Client().get(page).status_code == 404
    assert browser_of("ana").get("/homebrew/polyhedral/talent/tough/").status_code == 404  # a public entry
    assert list(readable_homebrew(person("cid"))) == []


def test_a_sheet_links_to_the_pages_of_homebrew_only_for_those_who_may_open_them(moths):
    """A stranger with the link reads the names; readers who made it or play by it follow them."""
    bo, cid = mira(person("bo")), mira(person("cid"))
    blade = Weapon.objects.create(
        ruleset=moths.ruleset,
        source=moths,
        slug="blade",
        name="Wingblade",
        category=Element.objects.get(slug="simple-weapons"),
        damage_type=Element.objects.get(slug="slashing"),
    )
    publish(moths)
    bo.awards.create(element=Talent.objects.get(slug="moth"))
    bo.items.create(element=blade, state="carried")
    in_play(moths, bo, cid)
    link = f"/shared/{make_link(bo.pk, person('bo'), new_key())}/"
    pages = [link, f"{link}explain/defense/", f"{link}compare/?first=1&second=3"]

    def links(client, path):
        text = client.get(path).content.decode()
        assert "Mothwing" in text or "compare" in path
        return re.findall(r'href="(/homebrew/[^"]+)"', text)

    assert [links(Client(), path) for path in pages] == [[], [], []]
    assert "Wingblade" in Client().get(link).content.decode()
    for name in ("ana", "cid"):
        found = {one for path in pages for one in links(browser_of(name), path)}
        assert found == {f"/homebrew/polyhedral/{one}/" for one in ("talent/moth", "weapon/blade")}
        assert {browser_of(name).get(one).status_code for one in found} == {200}
    assert links(browser_of("bo"), bo.get_absolute_url())


def test_homebrew_that_was_never_published_is_not_offered_even_to_its_maker(moths):
    draft = begun(moths.ruleset, "Owls", person().user)
    assert moths in open_sources(person())
    assert draft not in open_sources(person())


def test_an_unpublished_entry_has_no_page(moths):
    talent(moths, "larva", "Larva")
    assert browser_of("ana").get("/homebrew/polyhedral/talent/larva/").status_code == 404


def test_a_file_that_names_homebrew_can_be_imported_only_by_its_maker(moths):
    character = mira()
    verbs.set_sources(character.pk, person(), new_key(), sources=[moths.slug])
    text = write_file(fresh(character.pk))
    assert moths.slug in json.loads(text)["house_rules"]["sources"]
    with pytest.raises(BadFile, match="no source"):
        verbs.import_file(person("bo"), new_key(), text=text)
    assert f"source:{moths.slug}" in facts(verbs.import_file(person(), new_key(), text=text).character)


def test_a_copy_by_someone_else_leaves_homebrew_out(moths):
    character = mira()
    verbs.set_sources(character.pk, person(), new_key(), sources=[moths.slug])
    token = make_link(character.pk, person(), new_key())
    copied = verbs.copy_shared(person("bo"), new_key(), token=token).character
    assert f"source:{moths.slug}" not in facts(copied)
    assert f"source:{moths.slug}" in facts(verbs.copy(character.pk, person(), new_key()).character)


def test_a_shared_sheet_says_beside_its_button_that_the_copy_goes_without_homebrew(moths):
    bo, plain = mira(person("bo")), mira(person("bo"))
    in_play(moths, bo)
    link, other = (f"/shared/{make_link(one.pk, person('bo'), new_key())}/" for one in (bo, plain))
    told = "Your copy leaves out the private homebrew in play here."
    assert told not in Client().get(other).content.decode()
    assert told in Client().get(link).content.decode()
    assert told not in browser_of("ana").get(link).content.decode()  # its maker
    assert told in browser_of("cid").get(link).content.decode()
    in_play(moths, mira(person("cid")))
    assert told not in browser_of("cid").get(link).content.decode()


def test_no_pack_can_build_on_homebrew(moths, tmp_path):
    (tmp_path / "source.yaml").write_text(
        f"ruleset: {{slug: polyhedral}}\nsource: {{slug: thief, title: Thief, requires: [{moths.slug}]}}\n"
    )
    (tmp_path / "talents.yaml").write_text(
        "- {slug: a-thief, name: A thief, grant: [{element: talent:moth, as: gain}]}\n"
    )
    with pytest.raises(PackError) as refused:
        load_rules(tmp_path)
    assert f"there is no source {moths.slug} to require" in str(refused.value)
    assert "there is no element talent:moth" in str(refused.value)
    assert "has it" not in str(refused.value)


def test_suggestions_for_a_misspelled_name_leave_homebrew_out(moths):
    core = moths.ruleset.sources.get(is_core=True)
    assert understood(["gains Mothwing"], Words(moths, "Dusk"))
    with pytest.raises(NotUnderstood) as refused:
        understood(["gains Mothwin"], Words(core, "Dusk"))
    assert "Mothwing" not in str(refused.value)


def test_slugs_of_uses_carry_the_homebrew_tag_so_that_two_tables_never_clash(moths):
    other = homebrew("Other")
    slugs = [Words(one, "Dusk").new_slug("Dusk") for one in (moths, other)]
    assert slugs == [f"dusk-{moths.homebrew.tag}", f"dusk-{other.homebrew.tag}"]


def test_checks_of_public_rules_and_of_other_homebrew_leave_it_out(moths):
    broken = homebrew("Broken", published=False)
    Talent.objects.create(ruleset=broken.ruleset, source=broken, slug="lost", name="Lost")
    told = [*check_rules(moths.ruleset), *Unpublished(moths).findings]
    assert not [finding for finding in told if "lost" in finding.where]


def test_the_check_before_publication_tries_only_entries_of_its_own_source(moths, monkeypatch):
    tried = []

    def derive(bundle, build):
        tried.extend(award.ref for award in build.awards)
        return Sheet(
            name="",
            level=1,
            picks=None,
            solver=None,
            problems=(Problem("", "It does not work."),) if build.awards else (),
        )

    monkeypatch.setattr("rules.lint.derive", derive)
    (found,) = Unpublished(moths).faults
    assert str(found) == "error  talent:moth: alone on a character: It does not work."
    assert tried == ["talent:moth"]


def test_starting_the_site_publishes_no_homebrew(moths):
    waits = homebrew("Waits", published=False, larva="Larva")
    assert waits not in publish_missing()
    assert Source.objects.get(pk=waits.pk).revision == 0


def test_after_publication_of_homebrew_only_its_own_names_are_read_again(moths, django_assert_num_queries):
    from rules.index import index_for

    index_for("polyhedral")
    publish(moths)
    with django_assert_num_queries(7):  # the revisions, and six tables of this source
        assert "talent:moth" in index_for("polyhedral").elements


def test_the_admin_filter_has_one_line_for_all_homebrew(moths, admin_client):
    many = [homebrew(f"Book {number}", **{f"bug-{number}": f"Bug {number}"}) for number in range(3)]
    page = admin_client.get("/admin/rules/talent/?source=homebrew").content.decode()
    assert "Mothwing" in page
    assert "Tough" not in page.partition('id="result_list"')[2]
    assert not [one for one in many if f"By {one.title}" in page or f"?source={one.pk}" in page]
    assert "Tough" in admin_client.get("/admin/rules/talent/?source=nonsense").content.decode()
    assert "Book 1" not in admin_client.get("/admin/").content.decode()
