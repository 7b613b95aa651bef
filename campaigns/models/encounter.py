"""A fight: who is in it, in which order, what each has lost, and whose turn it is.

Rows that a form made keep its `key` and the `fingerprint` of its contents: a form sent twice is recognized, and one
with other contents refused. Rows from before migration 0021 have no fingerprint.
"""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from characters.models import Change
from characters.models.bounds import between, texts_at_most

from .campaign import Campaign
from .member import Member
from .seat import Seat

HIGHEST = 100_000


class Encounter(models.Model):
    """A scene turn by turn. A campaign has at most one that has not ended.

    The combatant at `place` has the turn. Nobody has it in round 0, or once that combatant has left. `steps` counts how
    often a turn was passed on or taken back: if two people press at once, only the first moves it.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="encounters")
    key = models.CharField(max_length=64)
    round = models.PositiveIntegerField(default=0)
    place = models.PositiveIntegerField(default=0)
    steps = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="encounter_key_once"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(ended_at=None), name="encounter_one_at_a_time"),
            between("round", 0, HIGHEST, "encounter_round_in_bounds"),
            between("place", 0, HIGHEST, "encounter_place_in_bounds"),
            texts_at_most("encounter_texts_in_bounds", key=64),
        ]

    def __str__(self) -> str:
        return f"An encounter of {self.campaign}"


class Creature(models.Model):
    """A kind of creature as its storyteller describes it. `rolls` has one roll on each line, the name before the dice;
    `dice` are those for its initiative."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="creatures")
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64, default="")
    name = models.CharField(max_length=60)
    vital = models.PositiveIntegerField(default=0, help_text="What hits take from it; 0 where nothing is counted.")
    guard = models.PositiveIntegerField(default=0, help_text="What they must reach.")
    dice = models.CharField(max_length=20, blank=True)
    rolls = models.CharField(max_length=600, blank=True)
    notes = models.CharField(max_length=2000, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="creature_key_once"),
            models.CheckConstraint(condition=~Q(name=""), name="creature_has_name"),
            between("vital", 0, HIGHEST, "creature_vital_in_bounds"),
            between("guard", 0, 1_000, "creature_guard_in_bounds"),
            texts_at_most("creature_texts_in_bounds", key=64, fingerprint=64, name=60, dice=20, rolls=600, notes=2000),
        ]

    def __str__(self) -> str:
        return self.name


class Combatant(models.Model):
    """Someone in an encounter: a character by its seat, or one creature of a kind.

    `place` is the order, the lowest first. It comes from `initiative`, then `tie`, then `again` (a new roll), or was
    set by hand. `lost` is for creatures; a character's losses are on its sheet. `number` counts the creatures of a kind
    in the order in which players saw them; those that no player has seen come last.
    """

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="combatants")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, blank=True, related_name="combatants")
    creature = models.ForeignKey(Creature, models.CASCADE, null=True, blank=True, related_name="combatants")
    number = models.PositiveSmallIntegerField(default=1, help_text="Which of its kind.")
    key = models.CharField(max_length=64, help_text="Of the form that brought it.")
    fingerprint = models.CharField(max_length=64, default="")
    place = models.PositiveIntegerField()
    initiative = models.IntegerField(null=True, blank=True)
    tie = models.IntegerField(default=0)
    again = models.IntegerField(default=0)
    hidden = models.BooleanField(default=False)
    lost = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(seat__isnull=False, creature__isnull=True, hidden=False, lost=0)
                | Q(seat__isnull=True, creature__isnull=False),
                name="combatant_is_one_of_both",
            ),
            models.UniqueConstraint(fields=["encounter", "seat"], name="combatant_seat_once"),
            models.UniqueConstraint(fields=["encounter", "creature", "number"], name="combatant_number_once"),
            between("number", 1, 1_000, "combatant_number_in_bounds"),
            between("place", 1, HIGHEST, "combatant_place_in_bounds"),
            between("initiative", -1_000, 10_000, "combatant_initiative_in_bounds"),
            between("lost", 0, HIGHEST, "combatant_lost_in_bounds"),
            texts_at_most("combatant_texts_in_bounds", key=64, fingerprint=64),
        ]

    def __str__(self) -> str:
        return str(self.seat.character) if self.creature is None else f"{self.creature} {self.number}"

    @property
    def most(self) -> int:
        return self.creature.vital if self.creature else 0

    @property
    def left(self) -> int:
        return max(0, self.most - self.lost)

    @property
    def is_down(self) -> bool:
        return bool(self.most) and not self.left

    @property
    def is_away(self) -> bool:
        """True for a character that its owner has put into the bin."""
        return self.seat is not None and self.seat.character.binned_at is not None

    def initiative_is_open(self, encounter: Encounter) -> bool:
        """True while its player may type it in: before the first turn, and later as long as it has none."""
        return self.initiative is None or not encounter.round


class Turn(models.Model):
    """A turn that has begun, with the changes that its beginning made to characters: taking the turn back undoes
    them."""

    combatant = models.ForeignKey(Combatant, models.CASCADE, related_name="turns")
    round = models.PositiveIntegerField()
    changes = models.ManyToManyField(Change, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["combatant", "round"], name="turn_once")]

    def __str__(self) -> str:
        return f"{self.combatant}, round {self.round}"


class Condition(models.Model):
    """A combatant's condition until a moment: the start or the end of the turn of `whose` in this round.

    The time left is worked out from whose turn it is. If `whose` has left, it lasts until that round is over; in round
    0, until it is removed.

    `ref`, `source` and `until` are those of the condition on the character's own sheet, which ends at that moment too.
    If that one has been given another end since, it counts as a different condition, and stays.
    """

    combatant = models.ForeignKey(Combatant, models.CASCADE, related_name="conditions")
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64, default="")
    name = models.CharField(max_length=60)
    ref = models.CharField(max_length=120, blank=True)
    source = models.CharField(max_length=120, blank=True)
    until = models.CharField(max_length=120, default="", blank=True)
    whose = models.ForeignKey(Combatant, models.SET_NULL, null=True, blank=True, related_name="+")
    at_end = models.BooleanField(default=False, help_text="At the end of that turn, not at its start.")
    round = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["combatant", "key"], name="encounter_condition_key_once"),
            models.CheckConstraint(condition=~Q(name=""), name="encounter_condition_has_name"),
            between("round", 0, HIGHEST, "encounter_condition_round_in_bounds"),
            texts_at_most(
                "encounter_condition_texts_in_bounds", key=64, fingerprint=64, name=60, ref=120, source=120, until=120
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Hit(models.Model):
    """A creature's loss from one blow; healing if `amount` is negative. The newest may be undone."""

    combatant = models.ForeignKey(Combatant, models.CASCADE, related_name="hits")
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64, default="")
    amount = models.IntegerField()
    by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["combatant", "key"], name="hit_key_once"),
            models.CheckConstraint(condition=~Q(amount=0), name="hit_moves_something"),
            between("amount", -HIGHEST, HIGHEST, "hit_amount_in_bounds"),
            texts_at_most("hit_texts_in_bounds", key=64, fingerprint=64),
        ]

    def __str__(self) -> str:
        return f"{self.combatant}: {-self.amount:+}"


class CreatureRoll(models.Model):
    """A creature's roll. Only storytellers see a secret one, even if the creature is shown later."""

    combatant = models.ForeignKey(Combatant, models.CASCADE, related_name="rolls")
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64, default="")
    name = models.CharField(max_length=600)
    dice = models.CharField(max_length=20)
    faces = models.JSONField(default=list)
    total = models.IntegerField()
    critical = models.BooleanField(default=False)
    secret = models.BooleanField(default=True)
    by = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["combatant", "key"], name="creature_roll_key_once"),
            between("total", -HIGHEST, HIGHEST, "creature_roll_total_in_bounds"),
            texts_at_most("creature_roll_texts_in_bounds", key=64, fingerprint=64, name=600, dice=20),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.total}"


class Screen(models.Model):
    """A link for the television in the room. It shows the order and everyone's state, in as much detail as `vitals`
    says. Only the hash of its token is stored; an ended row stays, as with a link to a character."""

    VITALS = (("numbers", "numbers"), ("bars", "bars"), ("words", "words"))
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="screens")
    token = models.CharField(max_length=64, unique=True)
    vitals = models.CharField(max_length=8, choices=VITALS, default="bars")
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Exact(Length("token"), 64), name="screen_token_is_a_hash"),
            models.CheckConstraint(condition=Q(vitals__in=["numbers", "bars", "words"]), name="screen_vitals_known"),
        ]

    def __str__(self) -> str:
        return f"A screen of {self.campaign}"
