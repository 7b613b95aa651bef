"""The encounter that the tests share: Bo's Mira and Cid's Nell against wolves, led by Ana."""

from campaigns.order import encounter_of, names_of, order_of, whose_turn
from campaigns.verbs import creatures, encounters, initiative, seats, turn_order
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import mira, new_key, person

WOLF = {"name": "Wolf", "vital": 11, "guard": 13, "rolls": "Bite 3D+4\nDamage 2d4+2", "notes": "Flees when alone."}


class Fight:
    """`fight.order`: the names in order, as the storyteller reads them; `fight.turn`: round and whose turn it is."""

    def __init__(self):
        self.campaign = saltmarsh()
        self.bo, self.cid, self.ana = person("bo"), person("cid"), person()
        self.mira, self.nell = mira(self.bo, state=None), mira(self.cid, name="Nell", state=None)
        for who, name, character in ((self.bo, "Bo", self.mira), (self.cid, "Cid", self.nell)):
            sits(self.campaign, who, name=name)
            seats.bring(self.campaign.pk, who, character.pk)
        encounters.begin(self.campaign.pk, self.ana, new_key())

    @property
    def encounter(self):
        return encounter_of(self.campaign)

    @property
    def everybody(self):
        return order_of(self.encounter)

    @property
    def names(self):
        return names_of(self.everybody, hidden=True)

    @property
    def order(self):
        return list(self.names.values())

    @property
    def turn(self):
        found = whose_turn(self.encounter, self.everybody)
        return (self.encounter.round, found and self.names[found.pk])

    def named(self, name):
        names = self.names
        return next(one for one in self.everybody if names[one.pk] == name)

    def wolves(self, many=1, *, hidden=False, **columns):
        return creatures.create(self.campaign.pk, self.ana, new_key(), many=many, hidden=hidden, **{**WOLF, **columns})

    def ordered(self, **initiatives):
        """Enter initiatives by name: `fight.ordered(Mira=15, Wolf_1=12)`."""
        for name, total in initiatives.items():
            one = self.named(name.replace("_", " "))
            initiative.enter_initiative(self.campaign.pk, self.ana, one.pk, total=total)

    def next(self, who=None, saw=None, key=None):
        saw = self.encounter.steps if saw is None else saw
        return turn_order.next_turn(self.campaign.pk, who or self.ana, key or new_key(), saw=saw)

    def back(self, saw=None):
        saw = self.encounter.steps if saw is None else saw
        return turn_order.previous_turn(self.campaign.pk, self.ana, new_key(), saw=saw)

    def until(self, turn):
        for _ in range(30):
            if self.turn == turn:
                return
            self.next()
        raise AssertionError(f"It was never the turn of {turn}.")

    def verbs_of(self, character):
        return list(character.changes.order_by("sequence").values_list("verb", flat=True))[1:]
