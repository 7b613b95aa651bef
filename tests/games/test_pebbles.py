"""A game that is only a folder: built, leveled and played through the pages that every game has."""

import json
import re
import shutil
from dataclasses import replace

import pytest
from django.core.management import call_command
from django.urls import reverse

from campaigns.roster import in_words
from campaigns.verbs import seats
from campaigns.verbs.session_marks import set_mark
from characters import verbs
from characters.actions.action_context import ActionContext, apply
from characters.actions.kinds import kinds_of
from characters.actions.registry import action_names, actions_of
from characters.change.draft import Draft
from characters.models import Character
from characters.pages.builder.diff_text import diff_texts
from characters.pages.drawing import draw
from characters.pages.game_templates import template_of
from characters.pages.sheet.live import LiveCharacter
from characters.pages.sheet.live_regions import drawn
from characters.read.explanations import explain
from characters.read.versions import read
from characters.verbs.leveling import seen
from rules.compile import bundle_for
from rules.engine import derive, difference
from rules.engine.build import Award, Build, Decision
from rules.engine.sheet import Picks
from rules.entries import KINDS
from rules.games import no_goods, no_ranks, sections
from rules.games.contract import StepProgress
from rules.games.outcome import Outcome
from rules.games.region import EQUIPMENT
from rules.games.rows import ExceptionRow
from rules.models import Element, Ruleset
from rules.packs.load import load_rules
from tests.campaigns.seated import saltmarsh
from tests.characters.cast import first_level, new_key, person
from tests.support.matrix import PLAYED
from tests.support.visitors import pages_of

from . import pebbles

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def rules(shared):
    shared(lambda: load_rules(pebbles.PACK))


@pytest.fixture
def pim(client):
    client.force_login(person().user)
    return verbs.start(person(), new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character


@pytest.fixture
def send(client, pim):
    """Posts a form as the pages do without script, and returns the response."""

    def post(name, /, *args, **fields):
        url = reverse(f"characters:{name}", args=[pim.pk, *args])
        return client.post(url, {"key": new_key(), **fields})

    return post


@pytest.fixture
def sheet(client, pim):
    def text():
        return client.get(pim.get_absolute_url()).content.decode()

    return text


def counter(text, name):
    """A number as the sheet shows it."""
    found = re.search(rf'vital-label">{name}</span>\s*<span class="vital-value">(\d+)', text)
    return int(found[1])


@pytest.fixture
def built(send):
    for answer in (
        send("choose", choice="pebbles.folk", level=1, take="lineage:river"),
        send("name", name="Pim"),
        send("experience", amount="20"),
    ):
        assert answer.status_code == 303
    return Character.objects.get()


def test_a_character_is_built(built, sheet):
    text = sheet()
    assert "Pim" in text
    assert "River folk" in text
    assert [counter(text, name) for name in ("Luck", "Grip", "Heart", "Pebbles")] == [2, 1, 2, 4]


@pytest.fixture
def leveled(client, built):
    """The change that took level 2: the page offers the tricks, shows one of them, and its form takes it."""
    url = reverse("characters:level-up", args=[built.pk])
    assert "A big pocket" in client.get(url).content.decode()
    pick = {"take": "pebbles.level-talent", "for": "talent:big-pocket"}
    page = client.get(url, pick).content.decode()
    saw, level = (re.search(rf'name="{name}" value="([^"]+)"', page)[1] for name in ("saw", "level"))
    assert client.post(url, {**pick, "saw": saw, "level": level, "key": new_key()}).status_code == 303
    return built.changes.get(verb="level_up")


def test_a_character_is_leveled(leveled, sheet):
    assert counter(sheet(), "Pebbles") == 6


def test_a_spell_has_a_page_in_the_rules_but_no_character_can_learn_it(client, built, send, tmp_path):
    """The sheet of this game has no place for spells."""
    (tmp_path / "source.yaml").write_text("{ruleset: {slug: pebbles}, source: {slug: moon, title: Moon}}")
    (tmp_path / "spells.yaml").write_text("- {slug: glow, name: Glow, damage: much}")
    load_rules(tmp_path)
    verbs.set_sources(built.pk, person(), new_key(), sources=["moon"])
    assert client.get("/rules/pebbles/spell/glow/").status_code == 200
    assert "Glow" not in client.get(built.get_absolute_url()).content.decode()
    assert send("play-learn-spell", ref="spell:glow").status_code == 404


def test_a_step_for_things_speaks_of_backgrounds_only_where_there_are_some(client, built, monkeypatch):
    monkeypatch.setitem(pebbles.steps.STEPS, "equipment", "Things")
    monkeypatch.setitem(pebbles.steps.LEDES, "equipment", "What you carry.")
    monkeypatch.setattr(pebbles.steps, "sections", lambda *which: dict.fromkeys(pebbles.steps.STEPS, ()))
    steps = [StepProgress(slug, name, 0, 0) for slug, name in pebbles.steps.STEPS.items()]
    monkeypatch.setattr(pebbles.steps, "progress", lambda *which: steps)
    url = reverse("characters:build", args=[built.pk, "equipment"])
    text = client.get(url).content.decode()
    assert "Add what you need below." in text
    assert "background" not in text
    assert "For sale" not in text
    monkeypatch.setattr(no_goods, "for_sale", lambda bundle: bundle.of_kind("talent"))
    text = client.get(url).content.decode()
    assert "Add or buy what you need below." in text
    assert "For sale" in text


def test_things_lead_only_to_what_the_game_has(built, monkeypatch, rf):
    """Neither to shelves with nothing on them, nor to a page of another game."""
    live = LiveCharacter.after(built.changes.latest("sequence"), person())

    def links():
        return re.findall(r">(Buy from [^<]+|buy together[^<]+)<", drawn(rf.get("/"), live, [EQUIPMENT]))

    assert links() == []
    monkeypatch.setattr(no_goods, "for_sale", lambda bundle: bundle.of_kind("talent"))
    assert links() == ["Buy from the shelves"]


def test_a_game_without_aspects_offers_none_beside_notes(built, send, sheet):
    assert send("play-add-note", text="Owes the ferryman.").status_code == 303
    text = sheet()
    assert "Owes the ferryman." in text
    assert '<h2 id="aspects-title">Notes</h2>' in text
    assert 'id="add-aspect"' not in text


def test_a_throw_costs_a_pebble_and_dusk_brings_it_back(built, send, sheet):
    assert send("play-throw", faces="5 2").status_code == 303
    assert "Pim throws: 1 pebble landed." in sheet()
    assert counter(sheet(), "Pebbles") == 3
    assert send("play-dusk").status_code == 303
    assert counter(sheet(), "Pebbles") == 4


def test_a_refused_throw_says_why_beside_its_field(built, send, sheet):
    for faces in ("5", "5 9", "five two"):
        refused = send("play-throw", faces=faces)
        assert refused.status_code == 422
        assert 'id="roll-refused"' in refused.content.decode()
    assert counter(sheet(), "Pebbles") == 4
    for _ in range(4):
        send("play-throw")
    assert "Your hand is empty. Wait for dusk." in send("play-throw").content.decode()


def test_a_refused_form_is_drawn_again_where_it_is(client, built):
    """Also one with the name of another game’s tray: only a form that says so is in the tray."""
    url = reverse("characters:play-throw", args=[built.pk])
    refused = client.post(url, {"key": new_key(), "faces": "5 9"}, headers={"HX-Request": "true"}).content.decode()
    assert re.findall(r'hx-target="#([\w-]+)"', refused) == ["hand"]
    assert 'value="5 9"' in refused
    assert 'id="roll-refused"' in refused


def test_a_game_says_why_something_is_learned(built):
    """Downtime is a word of one game."""
    draft = Draft(built, read(built))
    apply(ActionContext(draft), lambda at: Outcome("Pim finds it.", learned=(Award("talent:charm", "found"),)))
    assert draft.read("award:talent:charm") == {"reason": "found"}
    assert draft.version.sheet.value("luck") == read(built).sheet.value("luck") + 1


def test_a_throw_is_undone_and_the_undo_is_undone(built, send, sheet):
    send("play-throw", faces="5 6")
    change = built.changes.latest("sequence")
    assert change.verb == "throw"
    assert send("play-undo", change=change.sequence).status_code == 303
    assert counter(sheet(), "Pebbles") == 4
    assert send("play-undo", change=change.sequence + 1).status_code == 303
    assert counter(sheet(), "Pebbles") == 3


def test_only_the_regions_that_changed_are_sent(client, built, sheet):
    version = re.search(r'data-version="([\d.]+)"', sheet())[1]
    url = reverse("characters:play-throw", args=[built.pk])
    headers = {"HX-Request": "true", "X-Version": version}
    text = client.post(url, {"key": new_key(), "faces": "1 6"}, headers=headers).content.decode()
    assert re.findall(r'hx-target="#([\w-]+)"', text) == ["hand", "latest"]


def test_a_roll_is_written_as_its_game_writes_it(client, built, tmp_path, capsys):
    """Not as dice and modifier: on the page that explains it, in the words of a change, and in plain text."""
    explained = client.get(reverse("characters:explain", args=[built.pk, "throw"])).content.decode()
    assert "2 pebbles" in explained
    assert [word for word in ("2D+0", ">2D<", "Modifier") if word in explained] == []
    file = tmp_path / "pim.json"
    file.write_bytes(client.get(reverse("characters:download", args=[built.pk])).content)
    call_command("sheet", file)
    assert "Rolls: Throw 2 pebbles\n" in capsys.readouterr().out
    bundle, luckier = read(built).bundle, replace(read(built).build, awards=(Award("talent:charm"),))
    [throw] = [move for move in difference(read(built).sheet, derive(bundle, luckier)) if move.kind == "roll"]
    assert (throw.before, throw.after) == ("2 pebbles", "3 pebbles")


def test_a_die_on_a_ladder_is_written_as_the_content_names_it(client, built, tmp_path, capsys):
    """Its number is a place on the ladder, of which each page shows the name, and how far it is beyond either end."""
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    stats = (folder / "stats.yaml").read_text()
    nose = "- {key: nose, name: Nose, format: die_step}\n"
    (folder / "stats.yaml").write_text(re.sub("(name: (Luck|Grip|Heart))", r"\1, format: die_step", stats) + nose)
    (folder / "lookups.yaml").write_text(
        "- {slug: die-ladder, name: Dice, rows: [{at: 0, value: 2, label: D2}, {at: 1, value: 3, label: D3}]}"
    )
    (folder / "abilities.yaml").write_text("- {slug: luck, name: Luck, rank_stat: luck, modifier_stat: luck, short: L}")
    load_rules(folder)

    def shown(name, *args):
        text = client.get(reverse(f"characters:{name}", args=[built.pk, *args])).content.decode()
        return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", text))

    assert "Luck D3 +1 " in shown("explain", "luck")
    assert " D3 " in shown("explain", "grip")
    assert "More numbers Nose D2 " in shown("sheet")
    step = shown("build", "origin")
    assert all(words in step for words in ("Luck D3 +1 Grip D3 Heart D3 +1", "Numbers Luck D3 +2")), step
    file = tmp_path / "pim.json"
    file.write_bytes(client.get(reverse("characters:download", args=[built.pk])).content)
    call_command("sheet", file)
    assert "Luck D3 +1; Grip D3; Heart D3 +1; Pebbles 4; Nose D2\n" in capsys.readouterr().out


def test_a_game_says_itself_why_a_roll_is_certain(built):
    """Here nothing that could make one lasts for a while only."""
    version = read(built)
    certain = version.sheet.rolls["throw"]._replace(fails=True)
    sheet = replace(version.sheet, rolls={"throw": certain})
    assert explain(version.bundle, sheet, "throw").remarks == pebbles.sheet.remarks(certain)


@pytest.fixture
def stone(client, tmp_path):
    """A character of a game whose content has no question at each level."""
    folder = shutil.copytree(pebbles.PACK, tmp_path / "stones")
    for name, old, new in (
        ("source.yaml", "ruleset: {slug: pebbles", "ruleset: {slug: stones"),
        ("rules.yaml", "    - {slug: level-talent", "    # - {slug: level-talent"),
    ):
        (folder / name).write_text((folder / name).read_text().replace(old, new))
    load_rules(folder)
    client.force_login(person().user)
    return verbs.start(person(), new_key(), ruleset=Ruleset.objects.get(slug="stones")).character


def test_levels_that_buy_nothing_are_not_offered(client, stone):
    """Nothing is open, and no page offers to take a level or to plan one."""
    verbs.add_xp(stone.pk, person(), new_key(), amount=20)
    version = read(Character.objects.get())
    assert (version.sheet.level, version.sheet.picks) == (3, Picks(earned=0, taken=0))
    for page in (
        stone.get_absolute_url(),
        *(reverse(f"characters:{name}", args=[stone.pk]) for name in ("levels", "plan")),
    ):
        text = client.get(page).content.decode()
        assert not re.search(r"(Take|Look at|Plan) level|Plan ahead|No level to take|Still open", text)


def test_levels_that_buy_nothing_are_never_said_to_be_not_taken(client, stone):
    verbs.add_xp(stone.pk, person(), new_key(), amount=20)
    for name in ("levels", "timeline"):
        text = client.get(reverse(f"characters:{name}", args=[stone.pk])).content.decode()
        assert "Tide" in text
        assert not re.search(r"\btaken\b|as built", text)


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_page_spends_a_level_that_buys_nothing(client, stone, method):
    verbs.add_xp(stone.pk, person(), new_key(), amount=20)
    for name, *level in (("level-up",), ("change-level", 2), ("plan-level", 2)):
        url = reverse(f"characters:{name}", args=[stone.pk, *level])
        assert getattr(client, method)(url, {"key": new_key()}).status_code == 404
    assert client.get(reverse("characters:levels", args=[stone.pk])).status_code == 200  # the control


def test_a_level_by_another_name_is_not_listed_among_what_it_brought(client, leveled, built, tmp_path):
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    stats = folder / "stats.yaml"
    stats.write_text(stats.read_text().replace("name: Tide", "name: Depth"))
    load_rules(folder)
    assert "Depth" not in client.get(reverse("characters:timeline", args=[built.pk])).content.decode()


COMPARED: tuple[dict[str, str], ...] = ({}, {"other": ""})


def test_a_game_has_its_own_headings_in_comparisons(client, pim):
    other = verbs.start(person(), new_key(), ruleset=pim.ruleset).character
    verbs.choose(pim.pk, person(), new_key(), choice="pebbles.folk", take="lineage:reed")
    text = client.get(reverse("characters:compare", args=[pim.pk]), {"other": other.pk}).content.decode()
    assert re.findall(r'id="told-\w+">([^<]+)<', text) == ["Numbers", "Throws", "Still to choose"]


def test_the_page_of_a_level_has_the_same_headings(client, built):
    saw = seen(bundle_for("pebbles"), Character.objects.get().version)
    pick = {"take": "pebbles.level-talent", "targets": ("talent:charm",)}
    taken = verbs.level_up(built.pk, person(), new_key(), level=2, saw=saw, **pick)
    text = client.get(reverse("characters:gained", args=[built.pk, taken.sequence])).content.decode()
    assert "<h2>Throws</h2>" in text
    assert "saving throws" not in text


def test_a_game_has_its_own_words_for_kinds(client, pim, tmp_path):
    """In the rules, the search, homebrew, and what the sources of a character bring."""
    (tmp_path / "source.yaml").write_text("{ruleset: {slug: pebbles}, source: {slug: moon, title: Moon}}")
    (tmp_path / "talents.yaml").write_text(
        "- {slug: glow, name: Glow, choices: [{slug: more, prompt: More, filter_kind: talent, count: 2}]}"
    )
    load_rules(tmp_path)
    pages = {
        "/rules/": ["Tricks", "Folk"],
        "/rules/pebbles/talent/": ["Tricks"],
        "/rules/pebbles/talent/glow/": [">trick<", "Choose 2 tricks"],
        "/rules/search/?q=Glow": [">trick<", "Tricks"],
        f"/characters/{pim.pk}/can-take/?q=Skim": [">trick<", "Tricks"],
        f"/characters/{pim.pk}/content/": ["1 trick"],
        "/homebrew/pebbles/": ["Trick", "Folk"],
        "/homebrew/pebbles/new/talent/": ["New trick"],
        "/homebrew/pebbles/copy/": ["Tricks"],
    }
    texts = {page: client.get(page).content.decode() for page in pages}
    missing = {page: word for page, words in pages.items() for word in words if word not in texts[page]}
    assert missing == {}
    others = {page: re.findall("(?:talent|lineage)s?(?![^<]*>)", texts[page], re.IGNORECASE) for page in pages}
    others["/rules/"] = others["/rules/search/?q=Glow"] = []  # of several games
    assert {page: found for page, found in others.items() if found} == {}


def test_the_search_has_each_games_word_for_a_kind_that_several_have(client):
    (kind,) = re.findall(r'<option value="talent"[^>]*>([^<(]+?) \(', client.get("/rules/search/").content.decode())
    assert kind == "Tricks, Talents"


def test_authors_write_of_kinds_by_the_games_words(client, pim):
    """A line with them is kept, and read back; a refusal has them, too."""
    new = "/homebrew/pebbles/new/talent/"
    sent = {"key": new_key(), "name": "Chest", "does": "choose 1 trick\nchoose 2 of tricks"}
    assert client.post(new, sent).status_code == 303
    chest = Element.objects.get(name="Chest")
    assert [one.prompt for one in chest.choices.all()] == ["Choose 1 trick", "Choose 2 tricks"]
    assert {one.filter_kind for one in chest.choices.all()} == {"talent"}
    text = client.get(f"/homebrew/pebbles/{chest.pk}/").content.decode()
    assert "choose 1 trick\nchoose 2 of tricks" in text
    refused = client.post(new, {"key": new_key(), "name": "Box", "does": "knows Skim"}).content.decode()
    assert "Skim is a trick: write" in refused


def test_what_no_line_can_say_is_told_in_the_games_words(client, pim):
    new = "/homebrew/pebbles/new/talent/"
    assert client.post(new, {"key": new_key(), "name": "Chest", "does": ""}).status_code == 303
    chest = Element.objects.get(name="Chest")
    chest.choices.create(slug="more", prompt="More", filter_kind="talent", count=2, replaceable=True)
    chest.prerequisites.create(test="level", value=3, negate=True)
    told = client.get(f"/homebrew/pebbles/{chest.pk}/").context["form"].others
    assert [one.sentence for one in told] == ["Choose 2 tricks; may be swapped later", "Below tide 3"]


def test_authors_write_of_levels_by_the_games_word(client, pim):
    """Lines with it are kept and read back, and the examples have it. The word of packs is understood, too."""
    new = "/homebrew/pebbles/new/talent/"
    lines = ["needs tide 3", "from tide 2: +1 to Grip", "+1 to Luck per tide", "each 3 tides: +1 to Heart"]
    for said in (lines, [line.replace("tide", "level") for line in lines]):
        name = f"Chest {said[0]}"
        sent = {"key": new_key(), "name": name, "does": "\n".join(said)}
        assert client.post(new, sent).status_code == 303
        page = client.get(f"/homebrew/pebbles/{Element.objects.get(name=name).pk}/").content.decode()
        (read_back,) = re.findall(r'<textarea name="does"[^>]*>([^<]*)<', page)
        assert read_back.split("\n")[1:] == lines
        assert "per tide [circumstance]" in page
        assert "per level" not in page
    sent = {"key": new_key(), "name": "Net", "does": "At tide 2: Grip increases by 1"}  # in words of other games
    assert client.post(new, sent).status_code == 303
    refused = client.post(new, {"key": new_key(), "name": "Box", "does": "+1 to Luck per stack"}).content.decode()
    assert "Write “per rank” or “per tide”." in refused


def test_the_history_speaks_of_bonuses_only_where_something_adds_to_scores(tmp_path, built, monkeypatch):
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    (folder / "abilities.yaml").write_text("- {slug: luck, name: Luck, rank_stat: luck, modifier_stat: luck, short: L}")
    load_rules(folder)
    monkeypatch.setattr(no_ranks, "rank_stats", lambda bundle: {"luck": "ability:luck"})
    monkeypatch.setattr(no_ranks, "rank_problems", lambda bundle, build: [])

    def said():
        return verbs.set_abilities(built.pk, person(), new_key(), method="points", ranks={"luck": 2}).sentence

    assert said() == "Pim has Luck 2 before bonuses."
    for name in ("lineages", "talents"):
        file = folder / f"{name}.yaml"
        file.write_text(file.read_text().replace("stat: luck,", "stat: grip,"))
    # A condition is no bonus: nobody begins with it.
    tired = "- {slug: tired, name: Tired, summary: Weary., modify: [{stat: luck, op: add, amount: -1}]}"
    (folder / "conditions.yaml").write_text(tired)
    load_rules(folder)
    assert said() == "Pim has Luck 2."


def test_a_game_has_its_own_word_for_levels(client, leveled, built, send):
    """Every page of the character, the history and the plan use it; so do refusals."""
    send("play-undo", change=leveled.sequence)
    send("play-undo", change=leveled.sequence + 1)
    refused = [send("take-back-level", level=level).content.decode() for level in ("3", "2", "2")]
    verbs.add_xp(built.pk, person(), new_key(), amount=20)
    verbs.start(person(), new_key(), ruleset=built.ruleset)
    leap = send("experience", amount="90").content.decode()
    pages = pages_of(built, key="throw", step="origin", sequence=leveled.sequence)
    texts = {url: client.get(url).content.decode() for url in pages} | dict(enumerate([*refused, leap]))
    plain = {url: re.sub(r"<!--.*?-->|<[^>]*>", " ", text, flags=re.DOTALL) for url, text in texts.items()}
    assert {url: found for url, text in plain.items() if (found := re.findall(r".*\blevels?\b.*", text, re.I))} == {}
    for word in ("Take tide 2", "Tides and surf", "Tide by tide", "at tide 2", "would be tide"):
        assert any(word in text for text in plain.values()), word


def test_a_game_has_its_own_word_for_experience(client, leveled, built, send):
    """On the sheet, on the pages of levels, in the history and at the table."""
    table = saltmarsh(ruleset=built.ruleset)
    seats.bring(table.pk, person(), built.pk)
    refused = [send("experience", amount="90", lose=lose).content.decode() for lose in ("", "1")]
    verbs.add_xp(built.pk, person(), new_key(), amount=4)
    mark = set_mark(table.pk, person(), new_key(), name="Session 1")
    verbs.add_xp(built.pk, person(), new_key(), amount=3)
    at_table = [f"{table.get_absolute_url()}{page}" for page in ("", "act/add-xp/", "terms/", "log/")]
    at_table.append(reverse("campaigns:session", args=[table.pk, mark.pk]))
    pages = [*pages_of(built, key="throw", step="origin", sequence=leveled.sequence), *at_table]
    texts = [*refused, *(client.get(url).content.decode() for url in pages)]
    plain = [" ".join(re.sub(r"<!--.*?-->|<[^>]*>", " ", text, flags=re.DOTALL).split()) for text in texts]
    assert [found for text in plain for found in re.findall(r".{40}\b(?:XP|experience)\b", text)] == []
    sentences = "gains 4 waves", "Yes, gain 90 waves", "\N{MINUS SIGN}70 waves; it"
    for words in ("27 waves", "Tides and surf", "waves +3", *sentences):
        assert any(words in text for text in plain), words


@pytest.fixture
def without_levels(monkeypatch):
    """Pebbles as a game without levels. The history's filters are named after them."""
    monkeypatch.setattr(pebbles.levels, "NAME", "level")
    monkeypatch.setattr(pebbles.levels, "level_of", lambda bundle, build: 1)
    monkeypatch.setattr(pebbles.levels, "in_words", lambda level: "")
    kinds_of.cache_clear()
    yield
    kinds_of.cache_clear()


@pytest.mark.usefixtures("without_levels")
def test_a_game_without_levels_shows_none(client, stone, tmp_path, capsys):
    verbs.choose(stone.pk, person(), new_key(), choice="pebbles.folk", take="lineage:river")
    file = tmp_path / "stone.json"
    file.write_bytes(client.get(reverse("characters:download", args=[stone.pk])).content)
    call_command("sheet", file)
    assert capsys.readouterr().out.startswith("Unnamed character\n")
    assert in_words(read(Character.objects.get())) == "River folk"
    steps = reverse("characters:build", args=[stone.pk, "review"])
    exceptions = template_of(bundle_for("stones"), "sheet/exceptions.jinja")
    shown = {"bundle": bundle_for("stones"), "page": {"exceptions": [ExceptionRow("Charm", 1, "It was a gift.")]}}
    assert "<dt>Charm</dt>" in draw(exceptions, shown)
    texts = [client.get(url).content.decode() for url in (stone.get_absolute_url(), "/characters/", steps)]
    assert all("River folk" in text for text in texts)
    compare = reverse("characters:compare", args=[stone.pk])
    assert "There is no other character to compare with." in client.get(compare).content.decode()
    verbs.start(person(), new_key(), ruleset=stone.ruleset)  # to compare with, and without anybody
    texts += [client.get(compare, asked).content.decode() for asked in COMPARED]
    assert ["Choose another character." in text for text in texts[-2:]] == [False, True]
    assert ["nothing differs" in text for text in texts[-2:]] == [False, False]
    stale = client.get(compare, {"first": "7", "other": "", "second": "x"})
    assert (stale.status_code, "Choose another character." in stale.content.decode()) == (200, True)
    texts.append(client.get(reverse("characters:levels", args=[stone.pk])).content.decode())
    assert [text for text in texts if re.search(r"level \d|>Level<", text, re.IGNORECASE)] == []
    assert [text for text in texts if re.search(r"Level by level|Levels and|<h1>Levels", text)] == []
    assert "<h1>Surf</h1>" in texts[-1]
    milestone = client.post(reverse("characters:milestone", args=[stone.pk]), {"key": new_key(), "level": 5})
    assert milestone.status_code == 422
    assert "gains surf. Enter an amount instead." in milestone.content.decode()
    for name, more in {"timeline": (), "at": (1,), "at-explain": (1, "luck"), "at-odds": (1, "throw")}.items():
        assert client.get(reverse(f"characters:{name}", args=[stone.pk, *more])).status_code == 404, name


@pytest.mark.usefixtures("without_levels")
def test_a_game_without_levels_has_no_word_for_them_in_logs_and_homebrew(client, pim):
    table = saltmarsh(ruleset=pim.ruleset)
    seats.bring(table.pk, person(), pim.pk)
    verbs.add_xp(pim.pk, person(), new_key(), amount=3)
    pages = f"{pim.get_absolute_url()}history/", f"{table.get_absolute_url()}log/", "/homebrew/pebbles/new/talent/"
    texts = [re.sub(r"<[^>]*>", " ", client.get(page).content.decode()) for page in pages]
    assert ["Surf" in text for text in texts] == [True, True, False]
    assert "+1 to [statistic] [circumstance]" in texts[2]
    assert [found for text in texts for found in re.findall(r".*\blevels?\b.*", text, re.IGNORECASE)] == []


@pytest.mark.usefixtures("without_levels")
def test_a_game_without_levels_and_experience_has_no_page_of_them(client, stone, monkeypatch):
    monkeypatch.setattr(pebbles.levels, "EXPERIENCE", "")
    monkeypatch.setattr(pebbles.levels, "by_milestone", lambda bundle, build: True)
    assert "kind=levels" not in client.get(f"{stone.get_absolute_url()}history/").content.decode()
    for name in ("levels", "timeline", "plan"):
        assert client.get(reverse(f"characters:{name}", args=[stone.pk])).status_code == 404, name
    for name in ("experience", "milestone", "take-back-level", "forget-plan"):
        sent = {"key": new_key(), "amount": 5, "level": 2}
        assert client.post(reverse(f"characters:{name}", args=[stone.pk]), sent).status_code == 404, name
    text = client.get(stone.get_absolute_url()).content.decode()
    assert [word for word in ("waves", "surf", "/levels/", "/plan/", "/timeline/") if word in text.lower()] == []


def test_a_game_without_house_rules_has_no_page_of_them(client, pim):
    assert "house-rules/" not in client.get(pim.get_absolute_url()).content.decode()
    sent = client.post(reverse("characters:change-house-rules", args=[pim.pk]), {"key": new_key()})
    assert sent.status_code == 404


def test_a_table_buys_together_only_where_somebody_can(client, pim):
    """By the table's own game, or by that of a character at it."""
    table = saltmarsh(ruleset=pim.ruleset)
    url = reverse("campaigns:purchases", args=[table.pk])
    assert [getattr(client, method)(url, {"key": new_key()}).status_code for method in ("get", "post")] == [404, 404]
    mira = first_level(person())
    seats.bring(table.pk, person(), mira.pk)
    assert client.get(url).status_code == 200
    assert client.get(reverse("campaigns:purchases", args=[saltmarsh(ruleset=mira.ruleset).pk])).status_code == 200


def test_homebrew_makes_what_the_game_has(client, pim):
    made = re.findall(r'/homebrew/pebbles/new/([\w-]+)/"', client.get("/homebrew/pebbles/").content.decode())
    assert made == ["talent", "lineage"]
    assert [client.get(f"/homebrew/pebbles/new/{kind}/").status_code for kind in ("talent", "weapon")] == [200, 404]
    every = re.findall(r'/homebrew/polyhedral/new/([\w-]+)/"', client.get("/homebrew/polyhedral/").content.decode())
    assert every == [*KINDS]


def test_homebrew_offers_sentences_about_what_the_game_has(client, pim):
    """It has levels, but no jobs, abilities, skills or weapons."""
    page = client.get("/homebrew/pebbles/new/talent/")
    listed = re.findall("<li>(.+?)</li>", page.context["form"].fields["does"].help_text)
    assert "each 3 tides: +1 to [statistic] [circumstance]" in listed
    assert "gains [entry]" in listed
    said = " ".join(listed)
    words = ("rank", "job", "skill", "ability", "saving throw", "check", "attack", "proficien")
    assert [word for word in words if word in said] == []


@pytest.fixture
def slings(client, tmp_path):
    """The game with a sling, which would be common if anything were for sale."""
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    for name, rows in {
        "categories": "{slug: slings, name: Slings}",
        "damage-types": "{slug: blunt, name: Blunt}",
        "weapons": "{slug: sling, name: Sling, cost_class: common, category: category:slings, die: 4, "
        "damage_type: damage-type:blunt}",
        "gear": "{slug: bag, name: Bag, cost_class: common}",
    }.items():
        (folder / f"{name}.yaml").write_text(f"- {rows}")
    load_rules(folder)
    client.force_login(person().user)


@pytest.mark.usefixtures("slings")
@pytest.mark.parametrize("sells", [False, True])
def test_things_have_a_cost_only_where_something_is_for_sale(client, monkeypatch, sells):
    """In the list of weapons, on the page of a thing, and in the forms of homebrew, which stores none."""
    if sells:
        monkeypatch.setattr(no_goods, "for_sale", lambda bundle: bundle.of_kind("weapon"))
        monkeypatch.setattr(no_goods, "CLASSES", ("", "One shell", "Two shells", "A net", "A boat", "A river"))
    rules, homebrew = "/rules/pebbles/", "/homebrew/pebbles/new/"
    pages = [f"{rules}weapon/", f"{rules}weapon/sling/", f"{rules}gear/bag/", f"{homebrew}weapon/", f"{homebrew}gear/"]
    texts = [client.get(page).content.decode() for page in pages]
    assert ["Cost" in text for text in texts] == [sells] * len(pages)
    assert ["One shell" in text for text in texts] == [sells] * len(pages)
    assert not any("Common" in text or "Legendary" in text for text in texts)
    assert texts[0].count('scope="col"') == texts[0].count('scope="row"') + texts[0].count("<td")  # there is one row
    made = client.post(f"{homebrew}gear/", {"key": new_key(), "name": "Net", "cost_class": "3"})
    assert made.status_code == 303
    assert Element.objects.get(name="Net").cost_class == (3 if sells else 0)


@pytest.mark.parametrize("without", [True, False])
def test_a_game_without_experience_shows_none(client, pim, monkeypatch, without):
    """Neither on the pages of a character nor at its table, which then has nothing to decide about new characters."""
    monkeypatch.setattr(pebbles.levels, "by_milestone", lambda bundle, build: without)
    table = saltmarsh(ruleset=pim.ruleset)
    seats.bring(table.pk, person(), pim.pk)
    levels, act = reverse("characters:levels", args=[pim.pk]), f"{table.get_absolute_url()}act/add-xp/"
    texts = [client.get(page).content.decode() for page in (pim.get_absolute_url(), levels, table.get_absolute_url())]
    assert ("High water</h2>" in texts[1]) is without
    shown = [bool(re.search(r">[^<]*\b(waves|surf)\b", text, re.IGNORECASE)) for text in texts]
    assert shown == [not without] * 3
    terms = reverse("campaigns:terms", args=[table.pk])
    assert (terms in texts[-1]) is not without
    assert [client.get(page).status_code for page in (act, terms)] == [404 if without else 200] * 2


def test_every_page_opens_except_those_of_another_game(client, built, leveled, send):
    send("take-back-level", level="2")
    send("play-throw")
    visited = {"key": "throw", "step": "origin", "sequence": leveled.sequence}
    answers = {url: client.get(url).status_code for url in pages_of(built, **visited)}
    of_another_game = ("/rest/", "/downtime/", "/pool/", "/glance/", "/roll/", "/house-rules/")
    assert {url for url, status in answers.items() if status == 404} == {
        url for url in answers if url.removesuffix("throw/").endswith(of_another_game) or "/build/" in url
    } - {reverse("characters:build", args=[built.pk, "origin"]), reverse("characters:build", args=[built.pk, "review"])}
    assert set(answers.values()) == {200, 404}


FORMS = {
    "ranks": {"method": "array"},
    "dice": {},
    "aspect": {"kind": "traits", "text": "Wet feet"},
    "roll-aspects": {},
    "buy": {"ref": "talent:charm"},
    "outfit": {},
    "item": {"item": 1, "state": "worn"},
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_of_a_step_that_the_game_lacks_is_not_found(built, send, name):
    """404, whatever it says: there is no page to show it on again. Nothing is stored."""
    changes = built.changes.count()
    assert [send(name, **fields).status_code for fields in ({}, FORMS[name])] == [404, 404]
    assert built.changes.count() == changes


def test_a_downloaded_file_imports_as_the_same_character(client, built):
    text = client.get(reverse("characters:download", args=[built.pk])).content.decode()
    assert json.loads(text)["answers"] == {"pebbles.folk@1": "lineage:river"}
    again = verbs.import_file(person(), new_key(), text=text).character
    assert client.get(reverse("characters:download", args=[again.pk])).content.decode() == text


def test_a_new_character_is_of_the_game_that_its_button_names(client):
    """Each game has its buttons, in the order in which their rules were loaded."""
    client.force_login(person().user)
    for page in ("/", "/characters/"):
        text = client.get(page).content.decode()
        assert re.findall(r"(\w+):\s+(?:Make a|New) character", text) == ["Polyhedral", "Pebbles"]
        assert re.findall(r"(\w+):\s+Surprise me", text) == ["Polyhedral", "Pebbles"]
        assert text.count('name="ruleset" value="pebbles"') == 2
    for address in ("/characters/start/", "/characters/surprise/"):
        client.post(address, {"key": new_key(), "ruleset": "pebbles"})
        client.post(address, {"key": new_key()})
    assert [one.ruleset.slug for one in Character.objects.order_by("pk")] == ["pebbles", "polyhedral"] * 2


def test_a_number_that_counts_up_is_shown_so_in_the_list_of_characters(client, built, send, tmp_path):
    """As the sheet does: what is spent, and not what is left."""
    send("play-throw")

    def listed():
        text = client.get("/characters/").content.decode()
        return re.search(r'Pebbles\s*<span class="number">\s*(\d+) of\s+(\d+)<', text).groups()

    assert listed() == ("3", "4")
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    rules = (folder / "rules.yaml").read_text()
    (folder / "rules.yaml").write_text(
        rules.replace("max_stat: pebbles.max}", "max_stat: pebbles.max, counts_up: true}")
    )
    load_rules(folder)
    assert listed() == ("1", "4")


def test_another_random_character_is_of_the_same_game(client):
    client.force_login(person().user)
    text = client.post("/characters/surprise/", {"key": new_key(), "ruleset": "pebbles"}, follow=True).content.decode()
    assert 'name="ruleset" value="pebbles"' in text


def test_a_game_that_is_not_here_makes_no_character(client):
    client.force_login(person().user)
    for address in ("/characters/start/", "/characters/surprise/"):
        refused = client.post(address, {"key": new_key(), "ruleset": "nowhere"})
        assert refused.status_code == 422
        assert "Choose a game that is here." in refused.content.decode()
    assert not Character.objects.exists()


def test_a_score_that_is_its_own_modifier_is_marked_only_when_it_moves(client, pim, tmp_path):
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    (folder / "abilities.yaml").write_text(
        "- {slug: luck, name: Luck, rank_stat: luck, modifier_stat: luck, short: Lu}"
    )
    load_rules(folder)
    for folk, were in (("river", ("", "")), ("reed", ("2", "+2"))):
        form = {"key": new_key(), "choice": "pebbles.folk", "level": 1, "take": f"lineage:{folk}"}
        url = reverse("characters:choose", args=[pim.pk])
        [(rank, modifier, _)] = client.post(url, form, headers={"HX-Request": "true"}).context["side"].abilities
        assert (rank.was, modifier.was) == were


def test_no_maximum_is_listed_among_the_numbers_whatever_its_key(tmp_path):
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    for file in folder.glob("*.yaml"):
        file.write_text(file.read_text().replace("pebbles.max", "room"))
    load_rules(folder)
    bundle = bundle_for("pebbles")
    build = Build(decisions=(Decision("pebbles.folk", ref="lineage:river"),))
    found = {stat.key: number for stat, number in sections.numbers((), bundle, build, derive(bundle, build))}
    assert found == {"luck": 2, "grip": 1, "heart": 2}


def test_a_roll_has_its_own_name_where_no_ability_is_named_like_it(tmp_path, monkeypatch):
    """Also one whose key begins with `check.`, which another game uses for the checks of its abilities."""
    folder = shutil.copytree(pebbles.PACK, tmp_path / "pebbles")
    ability = "- {slug: luck, name: Luck, rank_stat: luck, modifier_stat: luck, short: Lu}"
    (folder / "abilities.yaml").write_text(ability)
    load_rules(folder)
    throw = pebbles.GAME.build_rolls

    def named(name):
        def rolls(solver):
            return {"check.luck": throw(solver)["throw"]._replace(key="check.luck", name=name)}

        return rolls

    for name, shown in (("Luck test", "Luck test"), ("Luck", "Luck check")):
        monkeypatch.setitem(vars(pebbles.GAME), "build_rolls", named(name))
        bundle = bundle_for("pebbles")
        before = derive(bundle, Build())
        after = derive(bundle, Build(awards=(Award("talent:charm"),)))
        moves = diff_texts(bundle, pebbles.steps, difference(before, after))
        assert [move.name for move in moves if move.kind == "roll"] == [shown]


def test_a_surprise_character_is_complete(client):
    made = verbs.surprise(person(), new_key(), ruleset=Ruleset.objects.get(slug="pebbles")).character
    client.force_login(person().user)
    assert '<section id="unfinished" hidden>' in client.get(made.get_absolute_url()).content.decode()


@pytest.mark.parametrize("name", sorted(action_names()))
def test_an_action_of_another_game_is_not_found(built, send, name):
    """404, even if its form would be refused. An action that every game has is done or refused."""
    slug = f"play-{name.replace('_', '-')}"
    for fields in ({}, PLAYED[slug].data if slug in PLAYED else {}):
        assert send(slug, **fields).status_code in ((303, 422) if name in actions_of("pebbles") else (404,))


def test_no_file_of_the_site_names_pebbles():
    root = pebbles.FOLDER.parents[2]
    folders = [root / name for name in ("characters", "campaigns", "polyhedral_site", "rules", "templates", "static")]
    written = {".py", ".html", ".jinja", ".js"}
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in written]
    assert len(files) > 300
    assert [file for file in files if "pebbles" in file.read_text("utf-8").lower()] == []
