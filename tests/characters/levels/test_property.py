"""Random legal characters go up to a level from 1 to 40 and back, in several ways: the file is the same, byte for byte.

SOAK=1 tries 2,000 of them; without it, only a few, to keep `make test` quick.
"""

import os
import random
from dataclasses import replace

import pytest

from characters import verbs
from characters.models import Character
from characters.read.character_file import write_file
from characters.verbs.leveling import seen
from rules.compile import bundle_for
from rules.engine import derive
from rules.engine.levels import planned, taken, tried
from tests.characters.cast import new_key, person
from tests.characters.levels.walks import earned, kept, random_level, random_start
from tests.characters.play.table import play
from tests.support.characters import fresh

SOAK = bool(os.environ.get("SOAK"))
WALKS, KEPT = (2000, 40) if SOAK else (12, 1)
PREVIEWED = 200 if SOAK else 3

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def bundle(db):
    return bundle_for("polyhedral")


def file_of(bundle, build):
    file = bundle.game.file
    return file.dump(file.write(build, derive(bundle, build), bundle))


@pytest.mark.parametrize("seed", range(WALKS))
def test_taking_levels_and_taking_them_back_gives_the_same_file(bundle, seed):
    """Up by picks and by the plan, back one by one; each step down gives the file of the step up."""
    chance = random.Random(seed)
    build, files = random_start(bundle, chance), []
    top = chance.randint(1, 40)
    build = earned(bundle, build, top)
    ahead = []
    for _ in range(top - 1):
        files.append(file_of(bundle, build))
        before, pick, answers, found = random_level(bundle, build, chance)
        assert not found.sheet.problems
        made = [d for d in found.build.decisions if d not in before.decisions]
        assert {d.level for d in made} == {pick.level}
        ahead += made
        build = found.build
    assert not [line for line in derive(bundle, build).choices if line.open]
    start = replace(build, decisions=tuple(d for d in build.decisions if d.level == 1))
    by_plan = planned(bundle, replace(start, plan=tuple(ahead)), top)
    assert file_of(bundle, by_plan) == file_of(bundle, build)
    read, problems = bundle.game.file.read(bundle.game.file.write(build, derive(bundle, build), bundle), bundle)
    assert not problems
    assert file_of(bundle, read) == file_of(bundle, build)
    while files:
        last = max(taken(bundle, build.decisions))
        build = replace(build, decisions=tuple(d for d in build.decisions if d.level != last))
        assert file_of(bundle, build) == files.pop()


@pytest.mark.parametrize("seed", range(KEPT))
def test_a_stored_characters_levels_taken_and_taken_back_give_the_same_file(bundle, seed):
    chance = random.Random(seed)
    top = chance.randint(2, 40 if SOAK else 12)
    build = earned(bundle, random_start(bundle, chance), top)
    character = kept(bundle, build, person())
    files = []

    def now():
        return fresh(character.pk)

    for level in range(2, top + 1):
        files.append(write_file(now()))
        before, pick, answers, found = random_level(bundle, build, chance)
        what = {"level": level, "take": pick.choice, "targets": list(pick.targets), "answers": answers}
        if chance.random() < 0.5:
            verbs.level_up(character.pk, person(), new_key(), saw=seen(bundle, now().version), **what)
        else:
            verbs.plan_level(character.pk, person(), new_key(), saw=seen(bundle, now().version), **what)
            files[-1] = write_file(now())
            verbs.take_planned(character.pk, person(), new_key(), level=level, saw=seen(bundle, now().version))
        build = found.build
    for level in range(top, 1, -1):
        change = verbs.take_back_level(character.pk, person(), new_key(), level=level)
        after = write_file(now())
        plans = [p for p in files[: level - 2] if '"plan"' in p]
        assert "plan" in after or not plans
        assert drop_plan(after) == drop_plan(files[level - 2])
        if chance.random() < 0.3:
            play.undo(character.pk, person(), new_key(), change.sequence)
            again = verbs.take_back_level(character.pk, person(), new_key(), level=level)
            assert write_file(now()) == after
            assert again.after == change.after


def drop_plan(text):
    """The file without its plan: later plans stay behind when a level is taken back, as they should."""
    import json

    return {key: value for key, value in json.loads(text).items() if key != "plan"}


@pytest.mark.parametrize("seed", range(PREVIEWED))
def test_the_preview_equals_the_stored_result(bundle, seed):
    """For a random character, every pick that is on offer: what the page derives is what is stored."""
    from rules.engine import options_for
    from rules.engine.levels import LevelAnswer, next_level
    from tests.characters.levels.walks import random_answers

    chance = random.Random(seed)
    build = earned(bundle, random_start(bundle, chance), chance.randint(2, 30))
    for _ in range(chance.randint(0, derive(bundle, build).level - 2)):
        build = random_level(bundle, build, chance)[3].build
    level = next_level(bundle, build)
    character = kept(bundle, build, person())
    picks = []
    for way in bundle.ways:
        free = [one for one in options_for(bundle, build, derive(bundle, build), way.key, level) if not one.why_not]
        if way.mode == "spread":
            picks += [(way.key, (one.stat,) * way.count) for one in free if one.room >= way.count]
            picks += [(way.key, (a.stat, b.stat)) for a, b in zip(free, free[1:], strict=False)]
        else:
            picks += [(way.key, (one.ref,)) for one in free]
    for take, targets in picks:
        answers = random_answers(bundle, build, take, targets, level, chance)
        preview = tried(bundle, build, derive(bundle, build), LevelAnswer(take, level, targets), answers).sheet
        version = Character.objects.get(pk=character.pk).version
        verbs.level_up(
            character.pk,
            person(),
            new_key(),
            level=level,
            take=take,
            targets=list(targets),
            answers=answers,
            saw=seen(bundle, version),
        )
        from tests.support.characters import sheet_of

        assert sheet_of(fresh(character.pk))[2] == preview
        verbs.take_back_level(character.pk, person(), new_key(), level=level)
