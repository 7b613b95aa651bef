"""A pack uploaded in a browser: a wrong one is refused; a right one is reported, stored and downloaded."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rules.models import Source
from rules.packs.load import files_in, load_rules
from rules.packs.packing import unzipped, zipped
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db(transaction=True)
FOLDER = Path(__file__).parents[2] / "docs/packs/river-folk"


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_an_uploaded_pack_is_stored_and_downloads_unchanged(new_page, tmp_path, sound, script):
    files = files_in(FOLDER)
    page = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"), script=script)
    page.goto("/admin/rules/source/")
    page.get_by_role("link", name="Upload a pack").click()
    wrong = tmp_path / "wrong.zip"
    wrong.write_bytes(zipped(files | {"talents.yaml": b"- {slug: a}"}))
    page.get_by_label("The pack").set_input_files(wrong)
    page.get_by_role("button", name="Read the pack").click()
    expect(page.get_by_role("cell", name="talents.yaml")).to_be_visible()
    expect(page.get_by_role("cell", name="`name` is missing")).to_be_visible()
    if script:
        sound(page)
    page.get_by_label("The pack").set_input_files(sorted(FOLDER.iterdir()))
    page.get_by_role("button", name="Read the pack").click()
    page.get_by_role("heading", name="Added").wait_for()
    assert not Source.objects.filter(slug="river-folk").exists()
    if script:
        sound(page)
    page.get_by_role("button", name="Store The river folk").click()
    page.get_by_text("The river folk is stored and in force.").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as a pack").click()
    assert unzipped(Path(download.value.path()).read_bytes()) == files


def test_the_report_names_the_character_and_the_numbers_that_would_change_on_its_sheet(new_page, tmp_path, ana, sound):
    load_rules(FOLDER)
    owned_by(ana, name="Mira", house_rules={"sources": ["polyhedral-core", "river-folk"], "switches": {}})
    more = tmp_path / "more.zip"
    rules = b"- {slug: core, name: River rules, modify: [{stat: defense, op: add, amount: 3}]}"
    more.write_bytes(zipped(files_in(FOLDER) | {"rules.yaml": rules}))
    page = new_page(user=User.objects.create_superuser("ada", "ada@example.com", "a long password"), width=390)
    page.goto("/admin/rules/source/upload/")
    page.get_by_label("The pack").set_input_files(more)
    page.get_by_role("button", name="Read the pack").click()
    characters = page.get_by_role("region", name="Characters")
    expect(characters).to_contain_text("1 of 1 sheets would change.")
    expect(characters.get_by_text("Mira", exact=True)).to_be_visible()
    expect(page.get_by_role("definition").filter(has_text="River rules: +3").first).to_be_visible()
    sound(page)
