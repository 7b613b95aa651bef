"""One word for one thing: the name of a file, class or type occurs once, except the file names that Django wants."""

import ast
import re
from collections import defaultdict

from tests.support.site import ROOT

ROOMS = ("campaigns", "characters", "polyhedral_site", "rules")
OF_DJANGO = {"__init__", "admin", "apps", "forms", "urls", "views"}
COMMANDS = "management/commands/"
# A model, and the engine's record of its row. Models of two apps have their app's name before theirs.
RECORDS = re.compile(r"[a-z]+/models/|rules/engine/(content|build)\.py$")
# The same questions to the database, prepared and plain (decision 030).
SWITCHED = re.compile(r"rules/fast_sql/")
# The same part of several games, as `rules/games/contract.py` names it.
OF_A_GAME = re.compile(r"rules/games/([a-z_]+)/")


def modules():
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.parent.name != "migrations":
                yield path.relative_to(ROOT).as_posix()


def several(places):
    """The names that occur in more than one place, and not once in each of several games."""
    return {name: found for name, found in places.items() if len(found) > 1 and not once_in_each_game(found)}


def once_in_each_game(paths):
    games = [found[1] for path in paths if (found := OF_A_GAME.match(path))]
    return len(set(games)) == len(paths)


def file_names(paths):
    places = defaultdict(list)
    for path in paths:
        name = path.rpartition("/")[2].removesuffix(".py")
        if name not in OF_DJANGO and COMMANDS not in path:
            places[name].append(path)
    return several(places)


def class_names(sources):
    """`sources`: text by path."""
    places = defaultdict(list)
    for path, text in sources.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef | ast.TypeAlias) and COMMANDS not in path:
                places[node.name if isinstance(node, ast.ClassDef) else node.name.id].append(path)
    alike = (RECORDS, SWITCHED)
    return {
        name: found
        for name, found in several(places).items()
        if not any(all(pattern.match(path) for path in found) for pattern in alike)
    }


def test_a_file_name_occurs_once():
    assert len(list(modules())) > 400
    assert file_names(modules()) == {}


def test_a_class_name_occurs_once():
    assert class_names({path: (ROOT / path).read_text("utf-8") for path in modules()}) == {}


def test_a_name_that_occurs_twice_is_found():
    twice = ["rules/rows.py", "campaigns/views/rows.py", "campaigns/urls.py", "rules/urls.py"]
    assert file_names(twice) == {"rows": twice[:2]}
    of_games = ["rules/games/dominoes/dice.py", "rules/games/draughts/dice.py"]
    assert file_names(of_games) == {}
    again = "rules/games/draughts/play/dice.py"
    assert file_names([*of_games, again]) == {"dice": [*of_games, again]}
    assert file_names([*of_games, twice[0], "rules/dice.py"]) == {"dice": [*of_games, "rules/dice.py"]}
    row = "class Row:\n    pass\n"
    assert class_names(dict.fromkeys(of_games, row)) == {}
    assert class_names(dict.fromkeys(twice[:2], row)) == {"Row": twice[:2]}
    assert class_names({twice[0]: row, twice[1]: "type Row = list[str]\n"}) == {"Row": twice[:2]}
    record = ["rules/models/row.py", "rules/engine/content.py"]
    assert class_names(dict.fromkeys(record, row)) == {}
    assert class_names(dict.fromkeys([*record, twice[0]], row)) == {"Row": [*record, twice[0]]}
