import re

import pytest


def aspects(draft):
    return [(value["kind"], value["text"]) for address, value in draft.facts.items() if address.startswith("aspect:")]


def test_an_aspect_is_written_and_dropped(draft):
    draft.post("aspect", kind="trait", text="Counts doors")
    draft.post("aspect", kind="trait", text="Hums")
    assert aspects(draft) == [("trait", "Counts doors"), ("trait", "Hums")]
    draft.post("aspect", kind="trait", drop="Counts doors")
    assert aspects(draft) == [("trait", "Hums")]


def test_an_aspect_is_rolled_from_the_background(envoy):
    suggested = {row.text for row, _ in envoy.get("aspects").context["groups"][0].suggestions}
    assert len(suggested) == 8
    response = envoy.post("aspect", kind="trait", roll="1", htmx=True)
    assert re.search(r"Rolled [1-8] on a d8\.", response.headers["HX-Trigger"])
    assert aspects(envoy)[0][1] in suggested


def test_the_same_aspect_form_twice_counts_once(envoy):
    """A roll that is sent again is the same roll."""
    for fields in ({"roll": "1"}, {"text": "Hums"}, {"drop": "Hums"}):
        key = f"the-same-{next(iter(fields))}"
        first = envoy.post("aspect", kind="trait", key=key, **fields)
        stood = aspects(envoy)
        again = envoy.post("aspect", kind="trait", key=key, **fields)
        assert [first.status_code, again.status_code] == [303, 303]
        assert aspects(envoy) == stood
    assert len(stood) == 1


def test_all_missing_aspects_are_rolled_at_once(envoy):
    envoy.choose("core-rules.disposition", "disposition:lawful")
    envoy.post("aspect", kind="bond", text="The ferry")
    groups = {group.kind: group for group in envoy.get("aspects").context["groups"]}
    assert envoy.post("roll-aspects").status_code == 303
    rolled = dict(aspects(envoy))
    assert rolled["bond"] == "The ferry"
    assert rolled.keys() == groups.keys()
    for kind in ("trait", "ideal", "flaw"):
        row = next(row for row, _ in groups[kind].suggestions if row.text == rolled[kind])
        assert row.tag in {"", "Any", "Neutral", "Lawful"}


def test_after_the_roll_a_browser_without_script_is_at_the_first_aspect(draft):
    address, place = draft.post("roll-aspects").headers["Location"].split("#")
    assert f'<section class="question" id="{place}"' in draft.client.get(address).text
    assert place == draft.get("aspects").context["groups"][0].kind


def test_without_lists_the_page_says_once_where_a_roll_comes_from(draft):
    said = "Write each line, or roll for the rest on the tables of all backgrounds."
    assert draft.get("aspects").text.count(said) == 1
    draft.post("roll-aspects")
    assert {kind for kind, _ in aspects(draft)} == {"trait", "ideal", "bond", "flaw"}


def test_with_lists_each_line_may_be_picked(envoy):
    assert "Choose or write each line, or roll for the rest." in envoy.get("aspects").text


def test_rolling_is_refused_with_one_aspect_of_each_kind(envoy):
    for kind in ("trait", "ideal", "bond", "flaw"):
        envoy.post("aspect", kind=kind, text="Hums")
    assert "Roll for me" not in envoy.get("aspects").text
    response = envoy.post("roll-aspects")
    assert response.status_code == 422
    assert "You have one of each already." in response.text
    assert len(aspects(envoy)) == 4


def test_a_suggested_aspect_is_picked(envoy):
    row, _ = envoy.get("aspects").context["groups"][3].suggestions[2]
    envoy.post("aspect", kind="flaw", pick=row.text)
    assert aspects(envoy) == [("flaw", row.text)]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "trait", "text": ""},
        {"kind": "trait", "text": "x" * 301},
        {"kind": "trait", "text": "a\x00b"},
        {"kind": "wish", "text": "Flying"},
        {"kind": "", "text": "Flying"},
        {"kind": "trait", "roll": "1"},
        {"kind": "trait", "text": "Hums", "key": ""},
    ],
)
def test_a_bad_aspect_is_refused(draft, fields):
    assert draft.post("aspect", **fields).status_code == 422
    assert aspects(draft) == []
