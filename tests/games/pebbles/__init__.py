"""Pebbles: a whole game in a folder. Three statistics, one roll, one resource, ten elements.

`tests/settings.py` adds it to the games of the site, which names it nowhere.
"""

from pathlib import Path

from rules.games import no_consequences, no_goods, no_ranks, no_spells
from rules.games.contract import Game

from . import encounter, files, levels, making, sheet, steps, table

FOLDER = Path(__file__).parent
PACK, TEMPLATES = FOLDER / "pack", FOLDER / "templates"
GAME = Game(
    name="pebbles",
    unread=frozenset(),
    of_tables=frozenset(),
    levels=levels,
    given=levels.given,
    build_rolls=sheet.build_rolls,
    build_attacks=sheet.build_attacks,
    audit=sheet.audit,
    chances=sheet.chances,
    remarks=sheet.remarks,
    page=sheet.Page,
    table=sheet.PlayView,
    roster=sheet.roster,
    regions=sheet.REGIONS,
    pages=frozenset(),
    steps=steps,
    creation=no_ranks,
    rolling=no_ranks,
    chance=making,
    wealth=no_goods,
    places=no_goods,
    spells=no_spells,
    file=files,
    paths=files,
    answer=files.answer,
    play=table,
    consequences=no_consequences,
    encounter=encounter,
    headings={"rolls": "Throws"},
    kinds={"talent": ("trick", "tricks"), "lineage": ("folk", "folk")},
)
