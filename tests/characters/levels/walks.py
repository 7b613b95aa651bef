"""Random legal levels: a pick that is open next, with answers to all of its questions."""

from characters.change.begin_character import begin
from characters.read.character_file import facts_of
from characters.verbs.begin import default_ruleset, fill
from rules.engine import Build, derive, options_for
from rules.engine.levels import LevelAnswer, next_level, tried
from rules.engine.random_answers import answer_all
from rules.engine.random_levels import a_pick
from tests.characters.cast import new_key

OWN_WORDS = {"feature": ("Unbroken", "The last wall", "No further", "Once more", "Stand", "Never yet")}


def random_start(bundle, chance):
    """A complete character of level 1."""
    by_chance = bundle.game.chance
    build = by_chance.with_ranks(bundle, Build(name="Walker"), chance)
    return answer_all(bundle, build, chance, by_chance.OWN_WORDS)


def random_pick(bundle, build, level, chance):
    """A legal pick for this level as (take, targets); `build` has the level earned and not spent."""
    pick = a_pick(bundle, build, level, chance)
    return pick.choice, pick.targets


def random_answers(bundle, build, take, targets, level, chance):
    """Targets by choice for every question of the pick, sometimes with an optional swap."""
    now, given = derive(bundle, build), {}
    while True:
        found = tried(bundle, build, now, LevelAnswer(take, level, targets), given)
        one = next((q for q in found.asked if q.choice.key not in given), None)
        if one is None:
            return {key: chosen for key, chosen in given.items() if chosen}
        options = options_for(bundle, found.build, found.sheet, one.choice.key, one.level)
        free = [o.ref or o.stat for o in options if not o.why_not and not o.taken and (o.ref or o.stat) not in one.now]
        swapped = any(given.get(other.choice.key) for other in found.asked if other.swap)  # a rank allows one
        if one.swap and (swapped or chance.random() < 0.7 or len(free) < one.needs):
            given[one.choice.key] = []
        elif one.choice.write_in and len(free) < one.needs:
            used = {d.write_in for d in build.decisions}
            words = [word for word in OWN_WORDS.get(one.choice.filter_kind, ()) if word not in used]
            given[one.choice.key] = chance.sample(words, one.needs)
        else:
            given[one.choice.key] = chance.sample(free, min(one.needs, len(free)))


def kept(bundle, build, person):
    """The build as a character of this person's."""

    def act(draft):
        fill(draft, facts_of(bundle, build))
        return "A walker."

    return begin(person, "walk", new_key(), {}, act, ruleset=default_ruleset()).character


def earned(bundle, build, level):
    return bundle.game.levels.at_level(bundle, build, level)


def random_level(bundle, build, chance):
    """The next level, taken: (the build with it earned and not spent, the pick, its answers, the build with it)."""
    level = next_level(bundle, build)
    if derive(bundle, build).level < level:
        build = earned(bundle, build, level)
    take, targets = random_pick(bundle, build, level, chance)
    answers = random_answers(bundle, build, take, targets, level, chance)
    return (
        build,
        LevelAnswer(take, level, targets),
        answers,
        tried(bundle, build, derive(bundle, build), LevelAnswer(take, level, targets), answers),
    )
