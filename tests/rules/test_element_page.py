"""The page of an element in words: its figures, sentences and links, and what points at it."""

import pytest

from rules.element_page import ElementPage
from rules.library import libraries
from rules.packs.load import load_rules

from .small_pack import dedent, write_pack

pytestmark = [pytest.mark.django_db, pytest.mark.full]

JOBS = """
    - slug: guard
      name: Guard
      max_rank: 10
      grant:
        - {element: feature:watch, as: gain, from_rank: 2, when: at-dusk}
        - {element: category:mail, as: skilled}
        - {element: category:clubs, as: skilled}
        - {element: skill:climb, as: skilled}
      choices:
        - {slug: path, prompt: Which path?, filter_kind: path, from_rank: 3, when: at-dusk}
        - {slug: knack, prompt: Which knack?, filter_group: category:knacks}
    """
FEATURES = """
    - slug: watch
      name: Watch
      roll: [{roll: check, aspect: advantage, subject: skill:climb, when: at-dusk}]
      note: [{text: Nobody sleeps., stat: defense}]
    """
ARMORS = """
    - {slug: shirt, name: Shirt, category: category:mail, base_defense: 13, adds_ability: ability:strength,
       ability_cap: 2}
    - {slug: coat, name: Coat, category: category:mail, base_defense: 11, adds_ability: ability:strength}
    - {slug: plate, name: Plate, category: category:mail, base_defense: 18, adds_ability: ability:strength,
       ability_cap: 0}
    - {slug: ring, name: Ring, category: category:mail, base_defense: 12}
    - {slug: board, name: Board, category: category:mail, hands: 1, modify: [{stat: defense, op: add, amount: 2}]}
    """


@pytest.fixture(scope="module")
def loaded(shared, tmp_path_factory):
    folder = write_pack(tmp_path_factory.mktemp("small"), jobs=JOBS, features=FEATURES, armors=ARMORS)
    shared(lambda: load_rules(folder))


@pytest.fixture
def library(loaded):
    return next(one for one in libraries() if one.ruleset.slug == "small")


def line(pieces):
    """A line with its links: `[Clubs category/clubs]`."""
    return "".join(f"[{text} {url.partition('/small/')[2].strip('/')}]" if url else text for text, url in pieces)


def told(library, ref):
    page = ElementPage(library, library.bundle.elements[ref])
    lines = [f"{page.badge} {ref}"]
    lines += [f"under {page.parent.ref}"] if page.parent else []
    lines += [f"in {group.ref}" for group in page.groups]
    lines += [f"{label}: {line(value)}" for label, value in page.figures()]
    lines += [f"property {line(words)}" for words, _ in page.properties()]
    lines += [f"needs {line(words)}" for words in page.needs()]
    lines += map(line, [*page.effects(), *page.grants()])
    lines += [f"{rank}: {line(brought)}" for rank, found in page.ranks() for brought in found]
    for asked in page.choices():
        lines.append(f"{asked.prompt} {asked.sentence}")
        lines += [f"- {option.ref}" for option in asked.options] + [f"- {stat}" for stat in asked.stats]
    lines += [f"#{anchor} {words} {text}".strip() for anchor, words, text in page.actions()]
    lines += map(line, page.resources())
    lines += [f"{title}: {' '.join(row.text for row in rows)}" for title, rows in page.suggestions()]
    lines += [f"{kind}: {' '.join(one.ref for one in found)}" for kind, found in page.members()]
    return [*lines, *map(line, page.came_from())]


PAGES = {
    "job:guard": """
        job job:guard
        Highest rank: 10
        Is proficient with [Mail category/mail], [Clubs category/clubs] and [Climb skill/climb]
        1: Which knack?
        2: [Watch feature/watch] (at dusk)
        3: Which path? (at dusk)
        Which path? Choose 1 path: Wall at dusk, from rank 3
        - path:wall
        Which knack? Choose 1 talent: Tough or Lucky
        - talent:tough
        - talent:lucky
        path: path:wall
        A choice of [Core rules rules/core-rules]: Which job?
        """,
    "path:wall": """
        path path:wall
        under job:guard
        Gains [Odd talent/odd]
        A choice of [Guard job/guard]: Which path?
        """,
    "feature:watch": """
        feature feature:watch
        Advantage on [Climb skill/climb] checks at dusk
        Defense: Nobody sleeps.
        Given by [Guard job/guard], from rank 2
        """,
    "talent:tough": """
        talent talent:tough
        in category:knacks
        needs Grit 2 or more
        +1 Defense while wearing armor
        A choice of [Core rules rules/core-rules]: Which talent?
        A choice of [Guard job/guard]: Which knack?
        """,
    "talent:odd": """
        talent talent:odd
        Given by [Wall path/wall]
        """,
    "category:mail": """
        group category:mail
        armor: armor:shirt armor:coat armor:plate armor:ring armor:board
        Given by [Guard job/guard]
        """,
    "category:knacks": """
        group category:knacks
        talent: talent:tough talent:lucky
        """,
    "weapon:club": """
        weapon weapon:club
        Group: [Clubs category/clubs]
        Damage: 1d4 [Blunt damage-type/blunt]
        Hands: 1
        Cost: Common
        property [Thrown property/thrown] (20/60)
        """,
    "armor:shirt": """
        armor armor:shirt
        Group: [Mail category/mail]
        Defense: 13 + Grit, at most 2
        Defense starts at 13 + Grit modifier (at most 15)
        """,
    "armor:coat": """
        armor armor:coat
        Group: [Mail category/mail]
        Defense: 11 + Grit
        Defense starts at 11 + Grit modifier
        """,
    "armor:plate": """
        armor armor:plate
        Group: [Mail category/mail]
        Defense: 18
        Defense starts at 18 + Grit modifier (at most 18)
        """,
    "armor:ring": """
        armor armor:ring
        Group: [Mail category/mail]
        Defense: 12
        Defense starts at 12
        """,
    "armor:board": """
        armor armor:board
        Group: [Mail category/mail]
        Hands: 1
        +2 Defense
        """,
    "background:heir": """
        background background:heir
        Personality traits: I wave. I nod.
        Ideals: Order.
        A choice of [Core rules rules/core-rules]: Which background?
        """,
    "condition:scared": """
        condition condition:scared
        Stacks: up to 3
        By itself: ends when 2 turns have started or with: nap or with a saving throw
        """,
    "ability:strength": """
        ability ability:strength
        Short: Gr
        skill: skill:climb
        """,
    "skill:climb": """
        skill skill:climb
        Ability: [Grit ability/strength]
        A choice of [Core rules rules/core-rules]: Which skill?
        Given by [Guard job/guard]
        """,
    "property:thrown": """
        property property:thrown
        weapon: weapon:club
        """,
    "damage-type:blunt": """
        damage type damage-type:blunt
        weapon: weapon:club
        """,
    "rules:core-rules": """
        rule rules:core-rules
        Grit modifier starts at −5 + half Grit rounded down
        Defense starts at 10 + Grit modifier
        Wits modifier starts at −5 + half Wits rounded down
        Luck starts at 1
        Which job? Choose 1 job to gain a rank in: Guard
        - job:guard
        Which skill? Choose 1 skill to be proficient with: Climb
        - skill:climb
        Which background? Choose 1 background: Heir
        - background:heir
        Which talent? Choose 1 talent: Tough or Lucky at dusk
        - talent:tough
        - talent:lucky
        Where? Spread 2 points over Grit, at most 2 on each
        - Grit
        #action-push Action: Push, 1D check, spends 1 Luck Push on.
        #action-dare Action: Dare, rolls a failed saving throw again, while wearing armor
        #action-brag Action: Brag, begins: Scared
        Luck: points
        Sleep: all Luck comes back
        """,
}


@pytest.mark.parametrize("ref", PAGES)
def test_a_page_has_these_lines_and_no_others(library, ref):
    assert told(library, ref) == dedent(PAGES[ref]).strip().split("\n")
