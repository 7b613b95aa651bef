"""A source on top of the core rules, for tests: second jobs, and talents with prerequisites."""

FILES = {
    "source": "{ruleset: {slug: polyhedral}, source: {slug: guild, title: The guild}}",
    "jobs": """
- slug: scout
  name: Scout
  max_rank: 5
  requires:
    - {test: first_job, either: 1}
    - {test: switch, switch: multipleJobs, word: "on", either: 1}
  modify:
    - stat: health.max
      op: add
      amount: 5
      of_stat: modifier.vitality
      per: rank
      at_least: 1
      when: health-per-rank
    - stat: health.max
      op: add
      amount: 5
      of_stat: modifier.vitality
      per: level
      at_least: 1
      when: health-per-level
  grant:
    - {element: category:light-armor, as: skilled, when: job-proficiencies}
    - {element: category:simple-weapons, as: skilled, when: job-proficiencies}
    - {element: tool:masons-tools, as: skilled, when: job-proficiencies}
    - {element: ability:agility, as: skilled, when: first-job}
    - {element: ability:mind, as: skilled, when: first-job}
  choices:
    - slug: later-proficiency
      prompt: Choose one proficiency of the scout
      grant_as: skilled
      when: later-job-one
      options: [category:light-armor, category:simple-weapons, tool:masons-tools]
- slug: knight
  name: Knight
  limit_break: true
  requires:
    - {test: rank, element: job:fighter, value: 2}
    - {test: stat_min, stat: rank.presence, value: 12}
""",
    "talents": """
- {slug: strong-arm, name: Strong arm, requires: [{test: stat_min, stat: rank.strength, value: 13}]}
- slug: quick-wit
  name: Quick wit
  requires: [{test: stat_min, stat: rank.mind, value: 11}, {test: stat_min, stat: rank.spirit, value: 11}]
- {slug: veteran, name: Veteran, requires: [{test: rank, element: job:fighter, value: 4}]}
- {slug: seasoned, name: Seasoned, requires: [{test: level, value: 5}]}
- {slug: unbowed, name: Unbowed, requires: [{test: has, element: talent:tough}, {test: has, element: feature:provoke}]}
- {slug: brawny, name: Brawny, requires: [{test: stat_min, stat: modifier.strength, value: 3}]}
- slug: either-way
  name: Either way
  requires:
    - {test: stat_min, stat: rank.agility, value: 17, either: 1}
    - {test: rank, element: job:fighter, value: 3, either: 1}
- slug: master
  name: Master
  requires:
    - {test: has, element: talent:strong-arm}
    - {test: stat_min, stat: rank.vitality, value: 12}
- {slug: chosen, name: Chosen, requires: [{test: storyteller}]}
""",
}
REACHABLE = ("strong-arm", "quick-wit", "veteran", "seasoned", "unbowed", "brawny", "either-way", "master")


def write_guild(folder):
    """Write the source's files into `folder`, ready for `load_rules`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / f"{name}.yaml").write_text(text.lstrip(), encoding="utf-8")
    return folder
