"""Old links to the rules keep working: the page of a renamed or retired entry opens and says so."""

import pytest

from rules.models import Element, Source, Talent
from rules.packs.export import export_rules
from rules.packs.load import PackError, load_rules
from rules.publications import publish

from .small_pack import write_layer, write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]


@pytest.fixture
def house(tmp_path):
    """A pack over a small one, with one talent."""
    load_rules(write_pack(tmp_path / "small"))

    def load(talents):
        return load_rules(write_layer(tmp_path / "house", talents=talents))

    load("- {slug: brisk, name: Brisk}")
    return load


def test_an_entry_renamed_by_its_pack_keeps_its_row_and_its_old_link(house, client):
    row = Talent.objects.get(slug="brisk").pk
    house("- {slug: swift, was: brisk, name: Swift}")
    assert Talent.objects.get(slug="swift").pk == row
    assert not Talent.objects.filter(slug="brisk").exists()
    answer = client.get("/rules/small/talent/brisk/")
    assert answer.status_code == 200
    assert "This is now called Swift" in answer.content.decode()
    assert 'href="/rules/small/talent/swift/"' in answer.content.decode()
    assert "is now called" not in client.get("/rules/small/talent/swift/").content.decode()
    assert client.get("/rules/small/talent/bris/").status_code == 404  # part of the old slug


def test_an_old_slug_renames_nothing_if_the_new_one_exists_already(house):
    house("- {slug: brisk, name: Brisk}\n- {slug: swift, name: Swift}")
    rows = set(Talent.objects.filter(slug__in=["brisk", "swift"]).values_list("pk", flat=True))
    house("- {slug: brisk, name: Brisk}\n- {slug: swift, was: brisk, name: Swift}")
    assert set(Talent.objects.filter(slug__in=["brisk", "swift"]).values_list("pk", flat=True)) == rows


def test_a_pack_cannot_rename_an_entry_of_another(house):
    house("- {slug: brisk, name: Brisk}\n- {slug: odder, was: odd, name: Odder}")
    assert Element.objects.get(ruleset__slug="small", kind="talent", slug="odd").source.slug == "small-core"


@pytest.mark.parametrize("was", ["Not a slug", "a--b", "-a"])
def test_a_malformed_old_slug_is_refused(house, was):
    with pytest.raises(PackError, match=r"talents\.yaml:1: `was`"):
        house(f"- {{slug: swift, was: {was}, name: Swift}}")


@pytest.mark.parametrize("address", ["/rules/polyhedral/talent/{}/", "/rules/polyhedral/compare/talent/?entry={}"])
def test_a_slug_longer_than_any_is_not_found(house, client, address):
    assert client.get(address.format("b" * 60_000)).status_code == 404


def test_each_old_slug_of_an_entry_keeps_its_row(house):
    row = Talent.objects.get(slug="brisk").pk
    house("- {slug: swift, was: fleet brisk, name: Swift}")
    assert Talent.objects.get(slug="swift").pk == row


def test_old_slugs_are_exported_and_loaded_again(house, tmp_path):
    house("- {slug: swift, was: fleet brisk, name: Swift}")
    source = Source.objects.get(slug="house")
    export_rules(source, tmp_path / "first")
    assert b"was: fleet brisk" in (tmp_path / "first/talents.yaml").read_bytes()
    load_rules(tmp_path / "first", force=True)
    export_rules(source, tmp_path / "second")
    names = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert [(tmp_path / "second" / name).read_bytes() for name in names] == [
        (tmp_path / "first" / name).read_bytes() for name in names
    ]


def test_a_retired_entry_says_so(client):
    Talent.objects.filter(slug="tough").update(status="retired")
    for source in Source.objects.all():
        publish(source)
    answer = client.get("/rules/polyhedral/talent/tough/")
    assert answer.status_code == 200
    assert "Retired: those who have it keep it" in answer.content.decode()
