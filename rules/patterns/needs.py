"""The requirements of an entry as a sentence: everything needed to take it."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Model

from rules import models
from rules.engine.phrases import setting_words
from rules.engine.requirements import groups_of, words_of
from rules.games.house_rules import unfit
from rules.models.circumstance import NEEDS
from rules.models.vocabulary import GrantWord, Kind, TestWord

from .entry_rows import Rows, RowSentence, is_plain
from .words import GIVEN, PROFICIENT, NotUnderstood, Words, level_shape

NEVER_ASKED: set[str] = {Kind.WEAPON, Kind.ARMOR, Kind.GEAR, Kind.PROPERTY, Kind.CONDITION}
HAD: set[str] = {*GIVEN[GrantWord.GAIN], Kind.JOB}
ONLY_JOBS = "Only a job can be the starting job."
WAYS: dict[str, set[str]] = {  # the sentence that fits each kind
    "needs {}": HAD,
    "needs proficiency with {}": PROFICIENT,
    "needs {} at least 13": {Kind.ABILITY},
}


def needed(words: Words, tests: str) -> list[Model]:
    """Requirements, for something that players choose. Those joined by “or” are one group. “13 or more” is one test, as
    pages word it."""
    if words.kind in NEVER_ASKED:
        raise NotUnderstood("No sheet asks what this needs. Write it in the text.")
    said = re.split(" or ", re.sub(r"(\d) or more\b", r"\1", tests), flags=re.IGNORECASE)
    try:
        found = [asked(words, one.strip()) for one in said]
    except NotUnderstood as refused:
        if re.search(", | and ", tests):
            raise NotUnderstood("Write each thing that it needs on a line of its own.") from refused
        raise
    either = words.new_either() if len(found) > 1 else 0
    return [models.Prerequisite(either=either, **columns) for columns in found]


def asked(words: Words, said: str) -> dict[str, Any]:
    """The columns of one test: for having the entry with this name or, if there is none, of the first form that
    fits."""
    level = re.fullmatch(rf"{level_shape(words.level)} (\d{{1,3}})", said, re.IGNORECASE)
    if level and not words.called(said, HAD):
        return {"test": TestWord.LEVEL, "value": int(level[1])}
    for shape, columns in TESTS.items():
        if (match := re.fullmatch(shape, said, re.IGNORECASE)) and not words.called(said, HAD):
            return columns(words, **match.groupdict())
    return had(words, said)


def had(words: Words, name: str) -> dict[str, Any]:
    return {"test": TestWord.HAS, "element": words.fitting(name, HAD, WAYS)}


def skilled(words: Words, name: str) -> dict[str, Any]:
    return {"test": TestWord.SKILLED, "element": words.fitting(name, GIVEN[GrantWord.SKILLED], WAYS)}


def of_rank(words: Words, job: str, rank: str) -> dict[str, Any]:
    return {"test": TestWord.RANK, "element": words.fitting(job, {Kind.JOB}, WAYS), "value": int(rank)}


def starting_job(words: Words) -> dict[str, Any]:
    if words.kind and words.kind != Kind.JOB:
        raise NotUnderstood(ONLY_JOBS)
    return {"test": TestWord.FIRST_JOB}


def house_rule(words: Words, name: str, setting: str) -> dict[str, Any]:
    rule = words.switch(name)
    labels = {setting_words(rule, value).casefold(): value for value in rule.allowed}
    value = labels.get(setting.casefold(), setting)
    if refusal := unfit(rule, value):
        raise NotUnderstood(refusal)
    return {"test": TestWord.SWITCH, "switch": rule, "word": value}


TESTS: dict[str, Callable[..., dict[str, Any]]] = {
    r"(?P<job>.+) rank (?P<rank>\d{1,3})": of_rank,
    r"(?P<rank>\d{1,3}) ranks? in (?P<job>.+)": of_rank,
    r"proficiency with (?P<name>.+)": skilled,
    r"(?P<name>.+) at most (?P<most>\d{1,3})": lambda words, name, most: {
        "test": TestWord.STAT_MAX, "stat": words.stat_alone(name), "value": int(most)
    },
    r"(?P<name>.+?)(?: at least)? (?P<least>\d{1,3})": lambda words, name, least: {
        "test": TestWord.STAT_MIN, "stat": words.stat_alone(name), "value": int(least)
    },
    "being the starting job": starting_job,
    "the house rule [“\"](?P<name>.+)[”\"] set to (?P<setting>.{1,40})": house_rule,
    "the storyteller[’']s agreement": lambda words: {"test": TestWord.STORYTELLER},
}  # fmt: skip


def sentences_of_needs(rows: Rows) -> Iterator[RowSentence]:
    for group in groups_of(rows.requirements):
        said = [words_of_test(rows, row) for row in group]
        if all(said) and not any(" or " in one for one in said):
            yield RowSentence(f"needs {' or '.join(said)}", group)


def words_of_test(rows: Rows, row: models.Prerequisite) -> str:
    """A test as in a line; "" if no line can express it."""
    several = row.test == TestWord.SWITCH and "|" in row.word
    if several or not is_plain(row, "test", "either", *NEEDS[row.test]) or not 0 <= (row.value or 0) < 1000:
        return ""
    return words_of(
        row.test,
        value=row.value,
        name=rows.name(row.element) if row.element else "",
        stat=rows.name(row.stat) if row.stat else "",
        switch=row.switch.name if row.switch else "",
        setting=setting_words(row.switch, row.word) if row.switch else "",
        level=rows.level,
    )
