"""A small, whole pack, written into a folder: every kind of row once."""

from pathlib import Path

from rules.models import Source
from rules.packs.export import export_rules

FILES = {
    "source.yaml": """
        ruleset: {slug: small, name: Small game, game: polyhedral, armor_stat: defense}
        source: {slug: small-core, title: Small core, version: "1", is_core: true}
        """,
    "switches.yaml": """
        - {key: cap, name: Ability cap, type: number, default: "20"}
        - {key: mood, name: Mood, type: choice, default: grim, allowed: [grim, gay], labels: [grim, gay]}
        """,
    "stats.yaml": """
        - {key: level, name: Level, is_input: true}
        - {key: rank.grit, name: Grit, is_input: true, minimum: 1}
        - {key: modifier.grit, name: Grit modifier, format: signed}
        - {key: rank.wits, name: Wits, is_input: true, minimum: 1}
        - {key: modifier.wits, name: Wits modifier, format: signed}
        - {key: grit-at-start, name: Grit at the start, created_of: modifier.grit}
        - {key: defense, name: Defense}
        - {key: luck.max, name: Luck}
        - {key: luck-spent, name: Luck spent, spent_of: luck}
        - {key: switch.cap, name: Cap, switch: cap}
        """,
    "circumstances.yaml": """
        - {slug: armored, name: while wearing armor, tests: [{test: wears, word: any}]}
        - slug: at-dusk
          name: at dusk
          detection: toggle
          tests:
            - {test: level, value: 2, either: 1}
            - {test: switch, switch: mood, word: grim, either: 1}
        """,
    "events.yaml": """
        - {slug: nap, name: Nap}
        - {slug: sleep, name: Sleep, includes: [nap]}
        """,
    "timings.yaml": "- {slug: action, name: Action}",
    "lookups.yaml": """
        - slug: difficulty
          name: Difficulties
          rows: [{at: 1, value: 6, label: Easy}, {at: 2, value: 9}]
        """,
    "rules.yaml": """
        - slug: core-rules
          name: Core rules
          text: |
            What everyone has.

            Twice over.
          modify:
            - {stat: modifier.grit, op: base, amount: -5, of_stat: rank.grit, divided_by: 2}
            - {stat: defense, op: base, amount: 10, of_stat: modifier.grit}
            - {stat: modifier.wits, op: base, amount: -5, of_stat: rank.wits, divided_by: 2}
            - {stat: luck.max, op: base, amount: 1}
          choices:
            - {slug: job, prompt: Which job?, grant_as: rank, filter_kind: job}
            - {slug: skill, prompt: Which skill?, grant_as: skilled, filter_kind: skill}
            - {slug: background, prompt: Which background?, options: [background:heir]}
            - {slug: talent, prompt: Which talent?, filter_kind: talent, filter_group: category:knacks, when: at-dusk}
            - {slug: grit, prompt: Where?, mode: spread, count: 2, per_option_max: 2, stats: [rank.grit]}
          resources: [{slug: luck, name: Luck, max_stat: luck.max, style: pool}]
          recoveries: [{resource: luck, event: sleep, full: true}]
          actions:
            - {slug: push, name: Push, timing: action, resource: luck, roll: check, dice: 1, text: Push on.}
            - {slug: dare, name: Dare, timing: action, changes: reroll, of_roll: save, when: armored}
            - {slug: brag, name: Brag, timing: action, begins: condition:scared}
        """,
    "abilities.yaml": """
        - {slug: strength, name: Grit, rank_stat: rank.grit, modifier_stat: modifier.grit, short: Gr}
        - {slug: agility, name: Wits, rank_stat: rank.wits, modifier_stat: modifier.wits, short: Wi}
        """,
    "skills.yaml": "- {slug: climb, name: Climb, key_ability: ability:strength}",
    "jobs.yaml": """
        - slug: guard
          name: Guard
          max_rank: 10
          grant: [{element: feature:watch, as: gain, from_rank: 2}, {element: category:mail, as: skilled}]
        """,
    "paths.yaml": "- {slug: wall, name: Wall, parent: job:guard, grant: [{element: talent:odd, as: gain}]}",
    "features.yaml": """
        - slug: watch
          name: Watch
          roll: [{roll: check, aspect: advantage, subject: skill:climb, when: at-dusk}]
          note: [{text: Nobody sleeps., stat: defense}]
          choices: [{slug: path, prompt: Which path?, filter_kind: path, from_rank: 3}]
        """,
    "talents.yaml": """
        - slug: tough
          name: Tough
          summary: Hard to hurt
          groups: [category:knacks]
          requires: [{test: stat_min, stat: rank.grit, value: 2}]
          modify: [{stat: defense, op: add, amount: 1, when: armored}]
        - {slug: lucky, name: Lucky, groups: [category:knacks], modify: [{stat: luck.max, op: add, amount: 1}]}
        - {slug: odd, name: Odd}
        """,
    "categories.yaml": "[{slug: mail, name: Mail}, {slug: clubs, name: Clubs}, {slug: knacks, name: Knacks}]",
    "damage-types.yaml": "- {slug: blunt, name: Blunt}",
    "properties.yaml": "- {slug: thrown, name: Thrown}",
    "weapons.yaml": """
        - slug: club
          name: Club
          cost_class: common
          category: category:clubs
          die: 4
          damage_type: damage-type:blunt
          properties: [{property: property:thrown, a: 20, b: 60}]
        """,
    "armors.yaml": """
        - slug: shirt
          name: Shirt
          category: category:mail
          base_defense: 13
          adds_ability: ability:strength
          ability_cap: 2
        """,
    "backgrounds.yaml": """
        - slug: heir
          name: Heir
          suggestions:
            trait: [{text: I wave.}, {text: I nod.}]
            ideal: [{text: Order., tag: Good}]
        """,
    "conditions.yaml": """
        - slug: scared
          name: Scared
          stackable: true
          max_stacks: 3
          resource: luck
          turns: 2
          until: nap
          ends_with: save
        """,
}


def dedent(text: str) -> str:
    lines = text.strip("\n").split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines).strip() + "\n"


def write_pack(folder: Path, **changes: str | None) -> Path:
    """The small pack in `folder`; `talents="..."` replaces talents.yaml, None leaves it out."""
    folder.mkdir(parents=True, exist_ok=True)
    renamed = {f"{name.replace('_', '-')}.yaml": text for name, text in changes.items()}
    for name, text in (FILES | renamed).items():
        if text is None:
            (folder / name).unlink(missing_ok=True)
        else:
            (folder / name).write_text(dedent(text), encoding="utf-8")
    return folder


def write_layer(folder: Path, **files: str) -> Path:
    """A pack that lies on top of the small one, with these files beside its source.yaml."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "source": "{ruleset: {slug: small}, source: {slug: house, title: House}}",
        **files,
    }
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.yaml").write_text(dedent(text), encoding="utf-8")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.yaml"))}


def exported(slug: str, folder: Path) -> dict[str, bytes]:
    export_rules(Source.objects.get(slug=slug), folder)
    return contents(folder)
