"""A storyteller hits a party of eight: one act on all, compared with eight hits on one each; and tables of growing
size."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.verbs import campaigns, membership, seats
from tests.characters.cast import new_key

from .figures import judged, told
from .players import character, device_with_form, person
from .server_load import Turn, posted
from .table_actions import Player

MANY, ROUNDS, MOST = 8, 20, 0.6
LEVEL = 30
TABLES = (6, 30)


def seated(leader: int, first: int, many: int):
    """A table led by person number `leader`, with one character each of the `many` people from number `first` on."""
    made = campaigns.create(person(leader), new_key(), name="The bench")
    for number in range(first, first + many):
        invite = membership.make_invite(made.pk, person(leader), new_key(), role="player", most=1, days=1)
        membership.join(invite, person(number), name=f"Player {number}")
        seats.bring(made.pk, person(number), character(LEVEL, number).pk)
    return made


@told(f"one act on {MANY} characters beside {MANY} single ones")
def act_on_many(host):
    campaign = seated(100, 101, MANY)
    turn, headers = Turn(host), device_with_form(100)
    players = [Player(host, LEVEL, number) for number in range(101, 101 + MANY)]
    to = [one.pk for one in players]

    def together(deed):
        fields = {"key": new_key(), "do": "now", "amount": "1", "to": to}
        assert turn.ask(posted(f"{campaign.get_absolute_url()}act/{deed}/", headers, fields)).status_code == 303

    def alone(slug):
        for player in players:
            assert player.send(slug, amount="1").status_code == 200

    def spent(do):
        before = host.spent()
        do("take-damage")
        cost = host.spent() - before
        do("heal")
        return cost

    for do in (together, alone):
        spent(do)
    pairs = [(spent(together), spent(alone)) for _ in range(ROUNDS)]
    ratios = sorted(one / other for one, other in pairs)
    ratio = ratios[len(ratios) // 2]
    return judged(f"{ratio:.2f} of their processor time, at most {MOST}", ratio > MOST)


@told("queries of a table of 6 and of 30")
def table_of_many(host):
    counts = []
    for at, many in enumerate(TABLES):
        leader = 200 + 100 * at
        campaign, client = seated(leader, leader + 1, many), Client(headers={"host": "127.0.0.1"})
        client.force_login(person(leader).user)
        client.get(campaign.get_absolute_url())
        with CaptureQueriesContext(connection) as counted:
            answer = client.get(campaign.get_absolute_url())
        assert answer.status_code == 200
        counts.append(len(counted))
    return judged(f"{counts[0]} and {counts[1]}", counts[0] != counts[1])
