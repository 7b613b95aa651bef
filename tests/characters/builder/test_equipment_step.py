import uuid

import pytest
from django.test import Client
from django.urls import reverse

from rules.engine import Item
from rules.models import Element, Stat
from rules.publications import publish

pytestmark = pytest.mark.full


def things(draft):
    found = {k: v for k, v in draft.facts.items() if k.startswith("item:")}
    return [(value.get("ref") or value["custom"], value["quantity"], value["state"]) for value in found.values()]


def key_of(draft, ref):
    return next(k.partition(":")[2] for k, v in draft.facts.items() if k.startswith("item:") and v.get("ref") == ref)


def ware(draft, ref, shelf):
    return next(ware for ware in draft.get("equipment", shelf=shelf).context["wares"] if ware.ref == ref)


def test_the_items_of_the_background_are_listed(envoy):
    assert ("Fine clothes", 1, "Ambassador") in envoy.get("equipment").context["given"]


def test_a_purchase_within_means_costs_nothing(envoy):
    assert envoy.post("buy", ref="armor:leather").status_code == 303
    assert things(envoy) == [("armor:leather", 1, "worn")]


@pytest.mark.parametrize(
    ("shelf", "weapon", "printed"),
    [
        ("martial-weapons", "pistol-revolver", "Reload (6 shots)"),
        ("martial-weapons", "whip", "Reach (10 ft)"),
        ("simple-weapons", "spear", "Thrown (30/90)"),
    ],
)
def test_a_weapon_shows_its_properties_with_their_figures(envoy, shelf, weapon, printed):
    assert printed in ware(envoy, f"weapon:{weapon}", shelf).tags


def test_one_of_several_items_bought_at_once_is_held(envoy):
    assert envoy.post("buy", ref="weapon:dagger", quantity="3").status_code == 303
    assert things(envoy) == [("weapon:dagger", 1, "main"), ("weapon:dagger", 2, "carried")]


def test_an_offered_outfit_is_bought_with_one_press_and_all_of_it_is_used(envoy):
    offered = envoy.get("equipment").context["outfit"]
    assert "Defense" in [move.name for move in offered["moves"]]
    assert envoy.post("outfit", saw=offered["refs"]).status_code == 303
    assert [ref for ref, _, _ in things(envoy)] == offered["refs"]
    assert {"worn"} < {place for _, _, place in things(envoy)} <= {"worn", "main", "two-hands"}
    assert envoy.get("equipment").context["outfit"] is None


def test_an_outfit_shows_every_change_that_it_would_bring(envoy, monkeypatch):
    """Also what gets worse: a list that stopped early would hide it."""
    wear = (Item(ref="armor:splint", state="worn"), Item(ref="weapon:handaxe", state="main"))
    suggested = (*wear, Item(ref="weapon:hammer", state="off"))
    monkeypatch.setattr("characters.pages.builder.shop.outfit", lambda *who: suggested)
    moves = envoy.get("equipment").context["outfit"]["moves"]
    assert {"Defense", "Stealth", "Handaxe (one hand)", "Hammer (thrown)"} <= {move.name for move in moves}


@pytest.mark.parametrize("saw", [[], ["armor:plate"], ["armor:leather"] * 300])
def test_an_outfit_other_than_the_one_shown_is_not_bought(envoy, saw):
    response = envoy.post("outfit", saw=saw)
    assert response.status_code == 422
    assert "Look at what suits it now." in response.text
    assert things(envoy) == []


def test_the_same_outfit_form_twice_counts_once(envoy):
    saw = envoy.get("equipment").context["outfit"]["refs"]
    for _ in range(2):
        assert envoy.post("outfit", saw=saw, key="the-same-outfit").status_code == 303
    assert [ref for ref, _, _ in things(envoy)] == saw


@pytest.mark.parametrize(
    ("bought", "places"),
    [
        (["armor:chain-mail"], ["worn"]),
        (["armor:leather", "armor:chain-shirt"], ["worn", "carried"]),
        (["weapon:greatsword"], ["two-hands"]),
        (["weapon:longsword", "weapon:dagger"], ["main", "off"]),
        (["weapon:longsword", "armor:shield"], ["main", "worn"]),
        (["weapon:greatsword", "armor:shield"], ["two-hands", "carried"]),
        (["weapon:longsword", "weapon:greatsword"], ["main", "carried"]),
        (["weapon:dagger", "weapon:dagger"], ["main", "carried"]),
        (["gear:torch"], ["carried"]),
    ],
)
def test_a_bought_item_is_used_if_its_place_is_free(envoy, bought, places):
    for ref in bought:
        assert envoy.post("buy", ref=ref).status_code == 303
    assert [place for _, _, place in things(envoy)] == places


def test_a_purchase_says_where_the_item_is(envoy):
    response = envoy.post("buy", ref="armor:leather", htmx=True)
    assert "buys Leather, now worn." in response.headers["HX-Trigger"]


def test_the_review_lists_an_unused_item_with_one_press_to_use_it(envoy):
    envoy.post("buy", ref="armor:leather")
    envoy.post("buy", ref="armor:chain-shirt")
    (unused,) = envoy.get("review").context["unused"]
    assert (unused.name, unused.place, unused.instead) == ("Chain shirt", "worn", ("Leather",))
    response = envoy.post("item", item=unused.key, state=unused.place, step="review")
    assert response.headers["Location"].endswith("/build/review/#unused")
    (unused,) = envoy.get("review").context["unused"]
    assert unused.name == "Leather"


def test_the_rest_of_a_pile_in_use_is_not_listed_as_unused(envoy):
    envoy.post("buy", ref="weapon:dagger", quantity="3")
    envoy.post("buy", custom="A letter in green wax")
    assert envoy.get("review").context["unused"] == []


def test_an_item_in_use_is_not_compared_with_itself(envoy):
    envoy.post("buy", ref="weapon:longsword")
    assert ware(envoy, "weapon:longsword", "martial-weapons").moves == ()
    assert ware(envoy, "weapon:greatsword", "martial-weapons").moves


def test_a_number_that_gets_worse_is_marked_as_worse(envoy):
    moves = {move.name: move for move in ware(envoy, "armor:chain-mail", "armor").moves}
    assert moves["Defense"].worse is False
    assert moves["Stealth"].worse is True


@pytest.mark.parametrize("quantity", ["0", "-2", "many", "1001", "1.5"])
def test_a_bad_quantity_is_refused_at_its_field(envoy, quantity):
    shelf = reverse("characters:buy", args=[envoy.pk]) + "?shelf=simple-weapons"
    response = envoy.client.post(shelf, {"key": uuid.uuid4().hex, "ref": "weapon:dagger", "quantity": quantity})
    text = " ".join(response.content.decode().split())
    assert response.status_code == 422
    assert 'id="weapon-dagger-error" role="alert">Enter a whole number from 1 to 1,000.' in text
    assert f'value="{quantity}" aria-invalid="true" autofocus aria-describedby="weapon-dagger-error"' in text
    assert things(envoy) == []


def test_a_purchase_beyond_means_is_confirmed_first(envoy):
    assert ware(envoy, "armor:plate", "armor").overspends
    assert envoy.post("buy", ref="armor:plate").status_code == 422
    assert things(envoy) == []
    assert envoy.post("buy", ref="armor:plate", overspend="1").status_code == 303
    assert envoy.facts["spent:resources-lowered"] == 1
    assert envoy.get("equipment").context["wealth"].startswith("Resources 3 (Modest)")


def test_who_has_spent_all_means_is_told_when_they_come_back(envoy):
    for ref in ("armor:plate", "armor:plate", "armor:chain-mail", "armor:chain-mail"):
        assert envoy.post("buy", ref=ref, overspend="1").status_code == 303
    page = envoy.get("equipment")
    assert page.context["no_means"]
    assert page.context["wealth"].startswith("Resources 0 (destitute) pay for nothing. The ranks you spent")


def test_a_ware_out_of_reach_says_why(envoy):
    found = ware(envoy, "weapon:rifle-bolt-action", "martial-weapons")
    assert not found.allowed
    assert "two or more classes above" in found.sentence
    assert envoy.post("buy", ref=found.ref, overspend="1").status_code == 422


def test_a_shelf_says_what_armor_would_change(envoy):
    moves = ware(envoy, "armor:leather", "armor").moves
    assert ("Defense", "10", "12") in [(move.name, move.before, move.after) for move in moves]


def test_a_ware_shows_at_most_four_numbers_that_it_would_change(envoy):
    leather = Element.objects.get(kind="armor", slug="leather")
    for stat in Stat.objects.filter(key__startswith="modifier.")[:6]:
        leather.effects.create(kind="modify", stat=stat, op="add", amount=1)
    publish(leather.source)
    assert len(ware(envoy, "armor:leather", "armor").moves) == 4


def test_a_weapon_that_a_ware_would_replace_is_named_once(envoy):
    envoy.post("buy", ref="weapon:warhammer")
    moves = ware(envoy, "weapon:dagger", "simple-weapons").moves
    assert [move.name for move in moves if move.gone] == ["Warhammer"]


def test_the_side_sheet_follows_what_is_worn(envoy):
    response = envoy.post("buy", htmx=True, ref="armor:leather")
    defense = next(line for line in response.context["side"].vitals if line.key == "defense")
    assert (defense.now, defense.was) == ("12", "10")


def test_a_weapon_in_both_hands_puts_the_other_away(envoy):
    for ref in ("weapon:longsword", "weapon:greatsword"):
        envoy.post("buy", ref=ref)
    envoy.post("item", item=key_of(envoy, "weapon:greatsword"), state="two-hands")
    assert sorted(things(envoy)) == [("weapon:greatsword", 1, "two-hands"), ("weapon:longsword", 1, "carried")]


def test_items_are_counted_and_removed(envoy):
    envoy.post("buy", ref="gear:torch")
    key = key_of(envoy, "gear:torch")
    envoy.post("item", item=key, quantity=3)
    assert things(envoy) == [("gear:torch", 3, "carried")]
    envoy.post("item", item=key, remove="1")
    assert things(envoy) == []


def test_an_item_of_your_own_costs_nothing(draft):
    assert draft.post("buy", custom="A letter in green wax").status_code == 303
    assert things(draft) == [("A letter in green wax", 1, "carried")]


@pytest.mark.parametrize(
    "fields",
    [
        {"ref": "armor:moonlight"},
        {"ref": "skill:athletics"},
        {"ref": "weapon:unarmed-strike"},
        {"ref": ""},
        {"ref": "armor:leather", "quantity": 0},
        {"ref": "armor:leather", "quantity": 2**70},
        {"ref": "armor:leather", "quantity": "NaN"},
        {"ref": "armor:leather\x00"},
        {"custom": "x" * 121},
        {"custom": "a\x00b"},
        {"ref": "armor:leather", "key": ""},
    ],
)
def test_a_bad_purchase_is_refused(envoy, fields):
    assert envoy.post("buy", **fields).status_code == 422
    assert things(envoy) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"state": "main"},
        {"state": "on the head"},
        {"quantity": 0},
        {"quantity": 2**70},
        {"quantity": ""},
        {"item": 2**70, "state": "worn"},
        {"item": 10**9, "state": "worn"},
        {"item": "x", "state": "worn"},
        {"state": "stowed", "step": "origin"},
    ],
)
def test_a_bad_place_or_number_is_refused(envoy, fields):
    envoy.post("buy", ref="armor:leather")
    before = things(envoy)
    assert envoy.post("item", **{"item": key_of(envoy, "armor:leather"), **fields}).status_code == 422
    assert things(envoy) == before


@pytest.mark.parametrize("theirs", [False, True], ids=["the same visitor", "a stranger"])
def test_an_item_of_another_character_is_refused(envoy, client, theirs):
    from .conftest import Draft

    envoy.post("buy", ref="armor:leather")
    other = Draft(Client() if theirs else client)
    response = other.post("item", item=key_of(envoy, "armor:leather"), remove="1")
    assert response.status_code == 422
    assert "The character does not have that thing." in response.text
    assert things(envoy) == [("armor:leather", 1, "worn")]


def test_a_shelf_counts_what_is_owned(envoy):
    envoy.post("buy", ref="weapon:dagger", quantity="3")
    assert ware(envoy, "weapon:dagger", "simple-weapons").owned == 3
    assert ware(envoy, "weapon:club", "simple-weapons").owned == 0


@pytest.mark.parametrize(("ref", "defense"), [("weapon:greatsword", [("12", "10")]), ("weapon:longsword", [])])
def test_only_a_weapon_for_both_hands_would_put_the_shield_away(envoy, ref, defense):
    envoy.post("buy", ref="armor:shield")
    moves = ware(envoy, ref, "martial-weapons").moves
    assert [(move.before, move.after) for move in moves if move.name == "Defense"] == defense


def test_without_script_a_purchase_comes_back_to_its_shelf(envoy):
    shelf = reverse("characters:buy", args=[envoy.pk]) + "?shelf=simple-weapons"
    answer = envoy.client.post(shelf, {"key": "b" * 32, "ref": "weapon:dagger", "quantity": "1"})
    assert (
        answer.url == reverse("characters:build", args=[envoy.pk, "equipment"]) + "?shelf=simple-weapons#weapon-dagger"
    )
