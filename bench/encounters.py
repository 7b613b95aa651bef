"""Passing the turn on in a large encounter, compared with a single action on one sheet."""

from django.urls import reverse

from campaigns.models import Encounter
from campaigns.verbs import campaigns, creatures, encounters, initiative, seats
from characters.models import Character
from characters.verbs.begin import copy_sample
from tests.characters.cast import new_key

from .figures import judged, told
from .players import device_with_form, person
from .server_load import Load, Turn, compared, posted
from .table_actions import Acting

MANY = 8
TABLES = 3  # at once: as many as a site of this size keeps in memory
TARGET = 9  # times the cost of a single action


@told(f"a turn passes on, {MANY} characters and {MANY} creatures")
def next_turn(host):
    passing = Load(host, [Passing(host, number) for number in range(TABLES)])
    single = Load(host, [Acting(host, 1, number, "next-round") for number in range(TABLES)])
    cost, beside, ratio = compared(passing, single, TARGET)
    line = f"{cost.milliseconds:.1f} ms, {ratio:.2f} times a single action, at most {TARGET}"
    return judged(line, ratio > TARGET)


class Passing(Turn):
    """A storyteller at their own table who presses “next turn” and gets the whole page back."""

    def __init__(self, host, number):
        super().__init__(host)
        self.person = person(number)
        self.campaign = campaigns.create(self.person, new_key(), name="The bench").pk
        sample = Character.objects.exclude(sample="").earliest("pk").sample
        for _ in range(MANY):
            made = copy_sample(self.person, new_key(), sample=sample)
            seats.bring(self.campaign, self.person, made.character_id)
        encounters.begin(self.campaign, self.person, new_key())
        columns = {"name": "Wolf", "vital": 11, "guard": 13, "rolls": "Bite 3D+4"}
        creatures.create(self.campaign, self.person, new_key(), many=MANY, hidden=False, **columns)
        initiative.roll_initiative(self.campaign, self.person, new_key())
        self.headers = {**device_with_form(number), "HX-Request": "true"}

    def ready(self):
        saw = Encounter.objects.get(campaign=self.campaign).steps
        path = reverse("campaigns:next-turn", args=[self.campaign])
        return posted(path, self.headers, {"key": new_key(), "saw": saw})
