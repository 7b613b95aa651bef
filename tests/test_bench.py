"""The code of the bench works."""

import importlib
from threading import Barrier

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from bench import players, table_actions
from bench.figures import Figure, finish
from bench.server_load import CONNECTIONS, Host, Load, server
from characters.samples import add_samples
from tests.support.site import copied


@pytest.mark.django_db(transaction=True)
def test_all_turns_of_a_load_and_their_driver_can_use_the_database_at_once():
    people = get_user_model().objects
    people.create(username="driver")  # and keeps one connection of the pool
    all_of_them = Barrier(CONNECTIONS, timeout=30)

    def act(turn):
        all_of_them.wait()
        people.create(username=turn)

    Load(None, [f"turn {number}" for number in range(CONNECTIONS)]).each(act)
    assert people.count() == CONNECTIONS + 1


@pytest.mark.each_database
def test_every_kind_of_figure_has_a_way_to_be_measured():
    measure = importlib.import_module("bench.measure")
    assert {figure.kind for figure in measure.FIGURES} == set(measure.MEASURE)


@pytest.mark.parametrize(("ratio", "missed"), [(2.9, False), (3.1, True)])
def test_a_ratio_above_its_target_is_missed(ratio, missed):
    figure = Figure("a hit", "served", None, target=3)
    assert figure.missed(ratio) == missed


def test_the_bench_fails_when_a_target_is_missed():
    with pytest.raises(SystemExit, match="1 of 4 figures missed a target: a hit"):
        finish(["a hit"], of=4)


def test_the_bench_says_that_no_target_is_missed(capsys):
    finish([], of=4)
    assert capsys.readouterr().out == "None of 4 figures missed a target.\n"


@pytest.mark.slow
def test_several_servers_of_the_bench_run_at_once_on_sqlite(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_DIR", str(copied(tmp_path)))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/polyhedral.sqlite3")
    with server("polyhedral_site.settings", {}) as one, server("polyhedral_site.settings", {}) as other:
        assert one.port != other.port


class WithoutAServer:
    """A player of the bench who asks this process."""

    def __init__(self, *args):
        self.client = Client(headers={"host": "127.0.0.1"})
        super().__init__(Host(0, 0), *args)

    def ask(self, request):
        kind = "application/x-www-form-urlencoded"
        headers = {**request.headers}
        headers.pop("Content-Type", None)
        return self.client.generic(request.method, request.path, request.body, content_type=kind, headers=headers)


@pytest.fixture
def bench_characters(db):
    """The bench keeps its people and characters for the whole process; clear them, as this database forgets them."""
    add_samples()
    yield
    players.person.cache_clear()
    players.character.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 30])
def test_every_action_of_the_bench_succeeds_and_is_undone(bench_characters, level):
    for name, slug, acting in table_actions.MEASURED:
        player = type("Player", (WithoutAServer, acting), {})(level, 0, slug)
        answer = player.ask(player.ready())
        assert answer.status_code == 200, (name, answer.content)
        player.done()  # raises SystemExit unless the facts of the character are the same as before
