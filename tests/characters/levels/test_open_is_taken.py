"""Every pick that a level page offers as open is accepted when sent, with several levels earned and none spent."""

import html
import os
import random
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from characters import verbs
from characters.change.refusals import Refused
from rules.engine.levels import next_level
from tests.characters.levels.conftest import ABILITIES, TALENT, Leveler
from tests.characters.levels.walks import earned, kept, random_answers, random_level, random_start

pytestmark = pytest.mark.slow

WALKS = 100 if os.environ.get("SOAK") else 2
OPEN = 3


@pytest.fixture(scope="module")
def begun(guild_loaded, shared):
    return shared(lambda: Leveler(Client(), house_rules={"sources": ["guild"]}))


@pytest.fixture
def member(begun, guild, client):
    return begun.in_browser(client)


def offered(page):
    """The picks behind every link and field of a level page, as (take, targets)."""
    links = [html.unescape(url) for url in re.findall(r'class="[^"]*pick-link" id="[^"]*" href="([^"]*)"', page)]
    picks = [(query["take"][0], tuple(query["for"])) for url in links for query in [parse_qs(urlsplit(url).query)]]
    stats = re.findall(r'<option value="([^"]*)"', page.partition('id="point-0"')[2].partition("</select>")[0])
    return picks + [(ABILITIES, pair) for pair in zip(stats, stats[1:], strict=False)]


@pytest.mark.parametrize("seed", range(WALKS))
def test_each_open_pick_is_accepted(member, guild_bundle, seed):
    chance = random.Random(seed)
    build = replace(random_start(guild_bundle, chance), sources=frozenset({"guild"}))
    for _ in range(chance.randint(0, 6)):
        build = random_level(guild_bundle, build, chance)[3].build
    level = next_level(guild_bundle, build)
    build = earned(guild_bundle, build, level + OPEN - 1)
    member.pk = kept(guild_bundle, build, member.person).pk
    tried = 0
    for at in range(level, level + OPEN):
        picks = offered(member.get("level-up").content.decode())
        for take, targets in picks:
            answers = random_answers(guild_bundle, member.build, take, targets, at, chance)
            fields = {f"q:{choice}": chosen for choice, chosen in answers.items()}
            sent = member.post("level-up", level=str(at), take=take, **{"for": list(targets)}, **fields)
            assert sent.status_code == 303, (take, targets, answers, sent.content.decode())
            member.do(verbs.take_back_level, level=at)
            tried += 1
        take, targets = chance.choice(picks)
        member.up(at, take, targets, answers=random_answers(guild_bundle, member.build, take, targets, at, chance))
    assert tried > 10 * OPEN


def test_a_talent_that_needs_a_later_level_is_closed_until_then(member):
    """Level 5 is earned, but level 2 is taken first: a talent that needs level 5 says so and waits."""
    member.earn(6)
    page = member.get("level-up").content.decode()
    assert (TALENT, ("talent:seasoned",)) not in offered(page)
    assert "Needs level 5." in page
    assert "Shortest way: from level 5." in page
    with pytest.raises(Refused, match="Needs level 5"):
        member.up(2, TALENT, ["talent:seasoned"])
    for level in (2, 3, 4):
        member.up(level, ABILITIES, ["rank.mind", "rank.spirit"])
    assert (TALENT, ("talent:seasoned",)) in offered(member.get("level-up").content.decode())


def test_a_level_that_is_changed_is_judged_by_what_came_before_it(member):
    member.earn(6)
    for level in range(2, 7):
        member.up(level, answers={"fighter.martial-path": ["path:champion"]} if level == 3 else {})
    page = member.get("change-level", 2).content.decode()
    assert (TALENT, ("talent:veteran",)) not in offered(page)
    assert "Needs Fighter rank 4." in page
    page = member.get("change-level", 5).content.decode()
    assert (TALENT, ("talent:veteran",)) in offered(page)
    member.do(verbs.change_level, level=5, take=TALENT, targets=["talent:veteran"], saw=member.saw)
    assert not member.sheet.problems
