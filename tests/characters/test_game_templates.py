"""A character's templates are those of its ruleset's game, or the shared ones where the game has none."""

import re
import shutil
from pathlib import Path

import jinja2
import pytest
from django.conf import settings
from django.template import Engine, TemplateDoesNotExist
from django.urls import reverse

from campaigns.verbs import campaigns, seats
from characters import verbs
from characters.actions.registry import action_names
from characters.pages.drawing import Regions
from characters.pages.game_templates import JinjaLoader
from rules.games import GAMES
from rules.models import Ruleset
from rules.packs.load import PACKS, load_rules
from tests.characters.cast import first_level, new_key, person
from tests.characters.play.table import play
from tests.support.packs import load_texts
from tests.support.visitors import a_level_and_back, pages_of

pytestmark = pytest.mark.full

SHARED = Path(settings.BASE_DIR) / "templates" / "characters"


@pytest.fixture
def another(tmp_path):
    """A ruleset of the same game with another name, as an admin may make one."""
    folder = shutil.copytree(PACKS / "polyhedral-core", tmp_path / "more")
    source = folder / "source.yaml"
    text = source.read_text().replace("slug: polyhedral,", "slug: ours,").replace("name: Polyhedral", "name: Ours")
    source.write_text(text)
    load_rules(folder)
    return Ruleset.objects.get(slug="ours")


@pytest.mark.django_db
def test_a_second_ruleset_of_a_game_shows_all_pages(client, another):
    character = first_level(ruleset="ours")
    assert character.ruleset == another
    play.take_damage(character.pk, person(), new_key(), amount=3)
    client.force_login(person().user)
    verbs.add_xp(character.pk, person(), new_key(), amount=1000)
    pages = list(pages_of(character, sequence=a_level_and_back(character, person())))
    assert len(pages) > 15
    assert {url: client.get(url).status_code for url in pages} == dict.fromkeys(pages, 200)
    hit = reverse("characters:play-change-health", args=[character.pk])
    assert client.post(hit, {"key": new_key(), "amount": "-1"}, headers={"HX-Request": "true"}).status_code == 200


@pytest.mark.django_db
def test_no_page_fails_in_a_ruleset_that_lacks_what_the_games_own_rules_have(client, tmp_path):
    """It has no house rule, no number, and another question of creation."""
    files = {
        "source": "{ruleset: {slug: ours, name: Ours, game: polyhedral}, source: {slug: own, title: O, is_core: true}}",
        "rules": "- {slug: ours, name: Ours, choices: [{slug: folk, prompt: Choose your folk, filter_kind: lineage}]}",
        "lineages": "- {slug: moss, name: Moss folk}",
    }
    load_texts(tmp_path, files)
    ours = Ruleset.objects.get(slug="ours")
    character = verbs.start(person(), new_key(), ruleset=ours).character
    client.force_login(person().user)
    assert client.post("/characters/surprise/", {"key": new_key(), "ruleset": "ours"}).status_code == 303
    seats.bring(campaigns.create(person(), new_key(), name="Ours", ruleset=ours).pk, person(), character.pk)
    pages = [character.seat.campaign.get_absolute_url(), *pages_of(character)]
    assert {client.get(url).status_code for url in pages} == {200, 404}
    verbs.choose(character.pk, person(), new_key(), choice="ours.folk", take="lineage:moss")
    assert "Moss folk" in client.get(f"/characters/{character.pk}/build/origin/").content.decode()


# Templates that each game must bring, because shared ones include them; the last only if it has ability ranks.
BROUGHT = ["odds_panel.html", "play/keys.html", "play/_latest.jinja", "play/_roll.jinja", "builder/_rank_words.html"]
INCLUDED = re.compile(r'{%-?\s*include\s+"(\.[^"]+)"')


def test_shared_templates_include_only_shared_ones_and_those_that_each_game_brings():
    missing = set()
    for path in [*SHARED.rglob("*.html"), *SHARED.rglob("*.jinja")]:
        there = [(path.parent / name).resolve() for name in INCLUDED.findall(path.read_text())]
        missing |= {str(one.relative_to(SHARED)) for one in there if not one.exists()}
    assert missing == set(BROUGHT)


@pytest.mark.parametrize("game", GAMES)
def test_each_game_brings_the_templates_that_shared_ones_include(game):
    for name in ["credit.html", "sheet/regions.jinja", "play/tray.jinja", *BROUGHT[:-1]]:
        assert any((folder / "games" / game / name).exists() for folder in settings.TEMPLATES[0]["DIRS"]), name


def write(folder: Path, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".html").write_text(text)


@pytest.fixture
def folder(tmp_path):
    write(
        tmp_path,
        characters__play__page='page: {% include "./part.html" %}, {% include "../sheet/whole.html" %}',
        characters__play__part="part of all",
        characters__sheet__whole="whole of all",
        games__pebbles__play__part="part of pebbles",
    )
    return tmp_path


@pytest.fixture(params=["pages", "regions"])
def draw(request, folder):
    if request.param == "regions":
        regions = Regions(loader=JinjaLoader([folder]), autoescape=True)
        return lambda name: regions.get_template(name).render()
    loaders = settings.TEMPLATES[0]["OPTIONS"]["loaders"]
    engine = Engine(dirs=[folder], loaders=loaders)
    return lambda name: engine.render_to_string(name)


def test_a_shared_template_includes_the_template_of_its_game(draw):
    assert draw("games/pebbles/play/page.html") == "page: part of pebbles, whole of all"


def test_games_do_not_see_each_others_templates(draw):
    assert draw("games/polyhedral/play/page.html") == "page: part of all, whole of all"


def test_a_template_of_neither_the_game_nor_the_shared_ones_is_not_found(draw):
    with pytest.raises((TemplateDoesNotExist, jinja2.TemplateNotFound)):
        draw("games/pebbles/play/none.html")


def test_each_form_of_a_sheet_leads_to_an_action():
    """By the action's slug, `take-damage`. Its name, `take_damage`, would make a button that is not found."""
    folders = [Path(folder) for engine in settings.TEMPLATES for folder in engine["DIRS"]]
    files = {file for folder in folders for file in folder.rglob("*.jinja")}
    asked = re.compile(r"forms\.(?:act|to)\(\"([^\"]+)\"")
    found = {(slug, file.name) for file in files for slug in asked.findall(file.read_text("utf-8"))}
    assert len(found) > 30
    slugs = {name.replace("_", "-") for name in action_names()}
    assert {one for one in found if one[0] not in slugs} == set()
