"""Buying: by class of goods and Resources rank (section 17), each worked example by its id."""

import pytest

from characters import verbs
from characters.change.refusals import Refused
from characters.verbs.purchase import outfit
from rules.engine.build import Build, Item
from rules.engine.bundle import Bundle
from rules.engine.content import Element, Switch
from rules.engine.sheet import Picks, Sheet, Value
from rules.games import polyhedral
from rules.games.polyhedral import wealth
from tests.characters.cast import facts, first_level, new_key, person, refuses
from tests.characters.play.table import play, with_resources
from tests.support.characters import sheet_of

COMMON, UNCOMMON, RARE, VERY_RARE, LEGENDARY = range(1, 6)
# One thing to buy of each class; the rules have nothing Legendary yet.
GOODS = {
    COMMON: "armor:leather", UNCOMMON: "armor:chain-mail", RARE: "armor:plate", VERY_RARE: "weapon:rifle-bolt-action",
}  # fmt: skip


def offer(rank, cost_class, *, owned=(), limit="flag", quantity=1):
    goods = {f"gear:{n}": Element(f"gear:{n}", "gear", str(n), f"Thing {n}", "test", cost_class=n) for n in range(6)}
    bundle = Bundle(
        "test", polyhedral.GAME, (), goods, switches={"purchaseLimit": Switch("purchaseLimit", "", "choice", limit)}
    )
    sheet = Sheet("", 1, Picks(0, 0), {"resources.rank": Value("resources.rank", rank)}, solver=None)
    build = Build(items=tuple(Item(ref=f"gear:{n}") for n in owned))
    return wealth.offer(bundle, build, sheet, goods[f"gear:{cost_class}"], quantity)


@pytest.mark.parametrize(
    ("example", "ranks", "pooled", "lifestyle"),
    [
        ("RE-01", (3, 3, 4), 6, "Comfortable"), ("RE-02", (5, 5), 6, "Comfortable"), ("RE-03", (1, 2), 3, "Modest"),
        ("RE-04", (7, 8, 8), 10, "Wealthy"), ("RE-05", (9, 9, 10), 10, "Wealthy"), ("RE-06", (3, 5), None, ""),
        ("RE-07", (4, 4, 4, 4), 7, "Affluent"), ("RE-16", (10,), 10, "Wealthy"),
    ],
)  # fmt: skip
def test_resources_are_pooled(example, ranks, pooled, lifestyle):
    assert wealth.pooled(ranks) == pooled
    if pooled:
        assert wealth.LIFESTYLES[wealth.lifestyle(pooled)] == lifestyle


@pytest.mark.parametrize(
    ("example", "rank", "cost_class", "falls"),
    [
        ("RE-08", 3, RARE, True), ("RE-09", 4, RARE, True), ("RE-10", 4, VERY_RARE, None), ("RE-11", 1, UNCOMMON, True),
        ("RE-12", 0, UNCOMMON, None), ("RE-13 first", 5, VERY_RARE, True), ("RE-13 then", 4, RARE, True),
        ("RE-14 leather", 4, COMMON, False), ("RE-14 chain", 4, UNCOMMON, False), ("RE-15", 4, RARE, True),
        ("RE-16", 10, LEGENDARY, False), ("not for sale", 10, 0, None),
    ],
)  # fmt: skip
def test_the_rank_of_resources_decides_which_goods_can_be_bought(example, rank, cost_class, falls):
    found = offer(rank, cost_class)
    assert found.allowed == (falls is not None)
    assert dict(found.spends) == ({"resources-lowered": 1} if falls else {})
    assert found.sentence or falls is False


@pytest.mark.parametrize(
    ("limit", "owned", "allowed", "flagged"),
    [
        ("flag", [], True, False), ("flag", [UNCOMMON], True, True), ("flag", [COMMON], True, False),
        ("block", [UNCOMMON], False, True), ("none", [UNCOMMON], True, False),
    ],
)  # fmt: skip
def test_a_second_purchase_of_the_best_class_follows_the_purchase_limit(limit, owned, allowed, flagged):
    found = offer(4, UNCOMMON, owned=owned, limit=limit)
    assert (found.allowed, bool(found.sentence)) == (allowed, flagged)


def test_goods_beyond_your_means_are_bought_one_at_a_time():
    assert not offer(4, RARE, quantity=2).allowed


def has(seat):
    return [value["ref"] for address, value in seat.facts.items() if address.startswith("item:")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rank", "others", "together", "reach"),
    [
        (3, [3, 4], "6, Comfortable", RARE), (5, [5], "6, Comfortable", RARE), (1, [2], "3, Modest", UNCOMMON),
        (7, [8, 8], "10, Wealthy", VERY_RARE), (9, [9, 10], "10, Wealthy", VERY_RARE),
        (4, [4, 4, 4], "7, Affluent", VERY_RARE),
    ],
    ids=["RE-01", "RE-02", "RE-03", "RE-04", "RE-05", "RE-07"],
)  # fmt: skip
def test_characters_buy_together_from_a_pool(rank, others, together, reach):
    seat = with_resources(rank)
    change = seat.purchase_together(ref=GOODS[reach], ranks=others)
    assert change.sentence.endswith(f"Together: Resources {together}.")
    if reach + 1 in GOODS:
        with pytest.raises(Refused, match=f"together they are {together}"):
            seat.purchase_together(ref=GOODS[reach + 1], ranks=others)
    assert has(seat) == [GOODS[reach]]
    assert seat.sheet.value("resources.rank") == rank


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rank", "bought", "after"),
    [
        (4, [RARE], ["3, Modest"]), (1, [UNCOMMON], ["0, destitute"]),
        (5, [VERY_RARE, RARE], ["4, Modest", "3, Modest"]), (4, [COMMON, UNCOMMON], ["4, Modest", "4, Modest"]),
        (10, [VERY_RARE], ["10, Wealthy"]),
    ],
    ids=["RE-09", "RE-11", "RE-13", "RE-14", "RE-16"],
)  # fmt: skip
def test_each_purchase_beyond_means_lowers_resources_for_the_next(rank, bought, after):
    seat = with_resources(rank)
    for cost_class, words in zip(bought, after, strict=True):
        falls = wealth.in_words(seat.sheet.value("resources.rank")) != words
        change = seat.purchase(ref=GOODS[cost_class], overspend=falls)
        assert wealth.in_words(seat.sheet.value("resources.rank")) == words
        assert (f"Resources fall to {words}." in change.sentence) == falls
    assert has(seat) == [GOODS[cost_class] for cost_class in bought]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rank", "cost_class", "overspend", "why"),
    [
        (4, VERY_RARE, True, "two or more classes above Modest"), (0, UNCOMMON, True, "With Resources 0"),
        (4, RARE, False, "beyond Modest means"),
    ],
    ids=["RE-10", "RE-12", "RE-15"],
)  # fmt: skip
def test_a_purchase_out_of_reach_or_not_confirmed_is_refused(rank, cost_class, overspend, why):
    seat = with_resources(rank)
    with pytest.raises(Refused, match=why):
        seat.purchase(ref=GOODS[cost_class], overspend=overspend)
    assert not has(seat)
    assert seat.sheet.value("resources.rank") == rank


def buy(character, ref, **more):
    return verbs.purchase(character.pk, person(), new_key(), ref=ref, **more)


@pytest.mark.django_db
def test_buying_stacks_and_costs_nothing_within_means():
    character = first_level(inventory=[])
    buy(character, "gear:torch")
    buy(character, "gear:torch", quantity=2)
    items = [value for address, value in facts(character).items() if address.startswith("item:")]
    assert [(item["ref"], item["quantity"]) for item in items] == [("gear:torch", 3)]
    assert "spent:resources-lowered" not in facts(character)


@pytest.mark.django_db
def test_an_outfit_has_no_more_than_may_be_bought():
    seat = with_resources(1)
    verbs.set_switches(seat.character.pk, seat.who, new_key(), values={"purchaseLimit": "block"})
    suggested = [item.ref for item in outfit(seat.character.pk, *sheet_of(seat.fresh))]
    assert len(suggested) == 1
    verbs.buy_outfit(seat.character.pk, seat.who, new_key(), saw=suggested)


@pytest.mark.django_db
@pytest.mark.parametrize("style", ["two-weapon-fighting", "marksmanship", "unarmed-fighting"])
def test_an_outfit_that_is_bought_is_held_as_it_was_suggested(style):
    character = first_level(inventory=[], awards=[{"kind": "feature", "element": style}])
    suggested = outfit(character.pk, *sheet_of(character))
    verbs.buy_outfit(character.pk, person(), new_key(), saw=[item.ref for item in suggested])
    had = [value for address, value in facts(character).items() if address.startswith("item:")]
    assert [(one["ref"], one["quantity"], one["state"]) for one in had] == [
        (item.ref, item.quantity, item.state) for item in suggested
    ]


@pytest.mark.django_db
def test_overspending_costs_a_rank_and_says_so():
    character = first_level(inventory=[])
    with pytest.raises(Refused, match="beyond Modest means"):
        buy(character, "armor:plate", overspend=False)
    change = buy(character, "armor:plate")
    assert facts(character)["spent:resources-lowered"] == 1
    assert "Resources fall to 3" in change.sentence
    play.undo(character.pk, person(), new_key(), change.sequence)
    assert "spent:resources-lowered" not in facts(character)
    assert not [address for address in facts(character) if address.startswith("item:")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "ref", ["weapon:unarmed-strike", "talent:tough", "weapon:moonblade", "", "weapon:rifle-bolt-action"]
)
def test_goods_not_for_sale_or_out_of_reach_are_refused(ref):
    character = first_level(inventory=[])
    with refuses("ref"):
        buy(character, ref)
    assert not [address for address in facts(character) if address.startswith("item:")]


@pytest.mark.django_db
@pytest.mark.parametrize("quantity", [0, -1, 2**70, 1.5, "2", True])
def test_strange_quantities_are_refused(quantity):
    with pytest.raises(Refused, match="Enter a whole number from 1 to 1,000"):
        buy(first_level(), "weapon:dagger", quantity=quantity)
