"""The ground that the bench stands on."""

import importlib
from threading import Barrier

import pytest
from django.contrib.auth import get_user_model

from bench.figures import Figure, finish
from bench.server_load import CONNECTIONS, Load


@pytest.mark.django_db(transaction=True)
def test_all_turns_of_a_load_may_ask_the_database_beside_whoever_drives_them():
    people = get_user_model().objects
    people.create(username="driver")  # and keeps one of a pool's connections
    all_of_them = Barrier(CONNECTIONS, timeout=30)

    def act(turn):
        all_of_them.wait()
        people.create(username=turn)

    Load(None, [f"turn {number}" for number in range(CONNECTIONS)]).each(act)
    assert people.count() == CONNECTIONS + 1


def test_every_figure_is_read_and_has_a_way_to_be_measured():
    measure = importlib.import_module("bench.measure")
    assert {figure.kind for figure in measure.FIGURES} == set(measure.MEASURE)


@pytest.mark.parametrize(("ratio", "missed"), [(2.9, False), (3.1, True)])
def test_a_missed_target_is_told(ratio, missed):
    figure = Figure("a hit", "served", None, target=3)
    assert figure.missed(ratio) == missed


def test_the_bench_fails_when_a_target_is_missed():
    with pytest.raises(SystemExit, match="1 of 4 figures missed a target: a hit"):
        finish(["a hit"], of=4)


def test_the_bench_passes_when_all_are_met():
    assert finish([], of=4) is None
