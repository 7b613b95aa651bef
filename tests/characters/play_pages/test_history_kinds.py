"""The history by kinds: every verb has one, and an undo has the kind of the change that it undoes."""

import re

import pytest

from characters.actions.kinds import entries, kinds_of
from characters.actions.registry import actions_of
from characters.verbs import __all__ as verbs

# A refusal is no change, and an undo has the kind of the change that it undoes.
NO_VERBS = {"Refused", "undo"}
BUILDING = {
    "choose", "unchoose", "set_abilities", "roll_abilities", "rename", "start", "surprise", "copy", "copy_sample",
    "import_file", "throw_away", "restore", "bin_unreachable", "empty_bin", "set_switches", "set_sources", "set_face",
    "set_picture", "forget_pictures", "copy_shared",
}  # fmt: skip


def sentences(response):
    found = re.findall(r'<span class="history-what">([^<]*)', response.content.decode())
    return [sentence.strip() for sentence in found]


def test_every_verb_has_one_kind():
    named = [verb for _, of_kind in kinds_of("polyhedral").values() for verb in of_kind]
    assert len(named) == len(set(named))
    known = {*verbs, *actions_of("polyhedral")} - NO_VERBS
    assert known - BUILDING <= {*named}, "a verb that is not of building has no kind"
    assert {*named} <= known, "a kind names a verb that there is not"


@pytest.mark.parametrize(
    ("kind", "slug", "fields"),
    [
        ("health", "change-health", {"amount": "-3"}),
        ("conditions", "toggle", {"switch": "+half-cover"}),
        ("rests", "long-rest", {}),
        ("dice", "roll", {"roll": "skill.athletics"}),
        ("resolve", "extra-turn", {}),
        ("things", "add-item", {"custom": "A letter"}),
        ("story", "add-note", {"text": "A note"}),
    ],
)
def test_each_kind_shows_its_own_changes_and_their_undos(player, kind, slug, fields):
    player.send(slug, **fields)
    done = player.last
    player.send("undo", change=done.sequence)
    for asked in ("", *kinds_of("polyhedral")):
        found = sentences(player.get(f"history/?kind={asked}"))
        assert (done.sentence in found) == (asked in ("", kind))
        assert (f"Undone: {done.sentence}" in found) == (asked in ("", kind))


def test_a_filter_stays_after_an_action_without_script(player):
    player.send("change-health", amount="-3")
    response = player.send("undo", htmx=False, change=2, page="history", kind="health")
    assert response.headers["Location"] == f"{player.base}history/?kind=health#history"
    response = player.send("undo", htmx=False, change=3, page="history", kind="nonsense")
    assert player.client.get(response.headers["Location"]).status_code == 200


def test_a_mark_and_a_kind_filter_the_history_together(player):
    player.send("change-health", amount="-1")
    player.send("mark", name="last night")
    mark = player.character.version
    player.send("change-health", amount="-2")
    player.send("add-note", text="A note")
    assert f"history/{mark}/?kind=health" in player.get("history/?kind=health").content.decode()
    found = sentences(player.get(f"history/{mark}/?kind=health"))
    assert len(found) == 1
    assert "takes 2 damage" in found[0]
    assert len(sentences(player.get(f"history/{mark}/"))) == 2


def test_an_undo_on_the_page_of_a_mark_leads_to_the_history(player):
    player.send("mark", name="last night")
    player.send("change-health", amount="-2")
    html = player.get("history/2/?kind=health").content.decode()
    assert "hx-post" not in html
    assert 'name="page" value="history"' in html
    response = player.send("undo", htmx=False, change=3, page="history", kind="health")
    assert response.headers["Location"] == f"{player.base}history/?kind=health#history"


def test_the_pages_of_a_kind_leave_out_no_change(player, monkeypatch):
    """Undos of another kind come in between; each page is still filled."""
    monkeypatch.setattr("characters.pages.sheet.history_page.MOST_SHOWN", 3)
    monkeypatch.setattr("characters.pages.sheet.history_page.A_PAGE", 2)
    for number in range(5):
        player.send("add-note", text=f"Note {number}")
        player.send("change-health", amount="-1")
        player.send("undo", change=player.last.sequence)
    seen, address = [], "history/?kind=story"
    while address:
        html = player.get(address).content.decode()
        seen += re.findall(r'id="change-(\d+)"', html)
        earlier = re.search(r'rel="next" href="([^"]*)"', html)
        address = earlier and f"history/{earlier[1].replace('&amp;', '&')}"
    assert seen == ["14", "11", "8", "5", "2"]


def test_the_history_compares_a_certain_attack_with_a_rolled_one(player):
    player.send("add-item", item="weapon:longsword")
    player.send("mark", name="Before", page="history")
    mark = player.last.sequence
    player.send("add-condition", condition="condition:striking-true")
    page = player.get(f"history/{mark}/")
    assert page.status_code == 200
    assert "succeeds, " in page.content.decode()
    player.send("remove-condition", condition="condition:striking-true", source="")
    assert player.get(f"history/{player.last.sequence - 1}/").status_code == 200


def test_an_entry_reads_of_others_only_the_name_of_who_did_it(player):
    player.send("change-health", amount="-3")
    player.send("undo", change=player.last.sequence)
    newest, *_ = entries(player.character)
    assert newest._state.fields_cache.keys() == {"actor"}, "an undo names its first change in its own words"
    assert newest.actor.get_deferred_fields() >= {"password", "email", "last_login", "date_joined"}
