"""Records of the table beside the numbers: relationships, notes, downtime, and the log of rolls."""

from django.db import models
from django.db.models import Q

from .bounds import between, placed, texts_at_most
from .character import Character
from .choices import Aspect
from .history import Change


class Relationship(models.Model):
    """A relationship to another character, built on a trait, ideal, bond or flaw of theirs (section 7.2)."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="relationships")
    other = models.CharField(max_length=80, help_text="The other character's name.")
    based_on = models.CharField(max_length=8, choices=Aspect.KINDS)
    text = models.CharField(max_length=300)
    # No constraint: deleting the other character leaves this one as it is, with the words alone.
    linked = models.ForeignKey(
        Character, on_delete=models.DO_NOTHING, db_constraint=False, null=True, blank=True, related_name="+"
    )
    agreed = models.BooleanField(default=False, help_text="The other player has agreed.")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(based_on__in=["trait", "ideal", "bond", "flaw"]), name="relationship_base_known"
            ),
            models.CheckConstraint(condition=~Q(other="") & ~Q(text=""), name="relationship_not_empty"),
            texts_at_most("relationship_texts_in_bounds", other=80, text=300),
            placed("relationship_position_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"{self.other}: {self.text}"


class Note(models.Model):
    """Free text, in the player's words."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="notes")
    text = models.CharField(max_length=4000)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="note_not_empty"),
            texts_at_most("note_text_in_bounds", text=4000),
            placed("note_position_in_bounds"),
        ]

    def __str__(self) -> str:
        return self.text


class Downtime(models.Model):
    """Days between adventures and what became of them (section 26, ruling 91)."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="downtimes")
    days = models.PositiveIntegerField()
    activity = models.CharField(max_length=80)
    notes = models.CharField(max_length=1000, blank=True)
    outcome = models.CharField(max_length=300, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            between("days", 1, 36_500, "downtime_days_in_bounds"),
            models.CheckConstraint(condition=~Q(activity=""), name="downtime_has_activity"),
            texts_at_most("downtime_texts_in_bounds", activity=80, notes=1000, outcome=300),
            placed("downtime_position_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"{self.activity}, {self.days} days"


class Spell(models.Model):
    """A spell in the player's words (ruling 89). `saving_throw` names an ability by its slug."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="spells")
    name = models.CharField(max_length=80)
    time = models.CharField(max_length=40, blank=True)
    range = models.CharField(max_length=40, blank=True)
    cantrip = models.BooleanField(default=False)
    attack = models.CharField(max_length=8, blank=True)
    saving_throw = models.CharField(max_length=60, blank=True)
    damage = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=4000, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="spell_has_name"),
            models.CheckConstraint(condition=Q(attack__in=["", "melee", "ranged"]), name="spell_attack_known"),
            models.CheckConstraint(condition=Q(attack="") | Q(saving_throw=""), name="spell_attack_or_saving_throw"),
            texts_at_most("spell_texts_in_bounds", name=80, time=40, range=40, saving_throw=60, damage=40, text=4000),
            placed("spell_position_in_bounds"),
        ]

    def __str__(self) -> str:
        return self.name


class RollRecord(models.Model):
    """One roll of dice. Rows are never changed: a die or a nudge added later is a new row that `follows` the roll.

    A row belongs to the Change that made it, and counts as long as that is not undone. Only `change.actor` sees a
    `secret` roll (a guest's: `roll_log.told_to`). Without an actor it was made by a guest (`by_guest`), or by an
    account that was deleted.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="rolls")
    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="rolls")
    follows = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="followed_by")
    kind = models.CharField(max_length=8)
    key = models.CharField(max_length=120)
    name = models.CharField(max_length=120)
    faces = models.JSONField(default=list)
    die = models.PositiveSmallIntegerField(default=6)
    modifiers = models.JSONField(default=list, help_text="What was added, as pairs of a name and a number.")
    dice_because = models.JSONField(default=list, help_text="Why this many dice, as pairs of a name and a number.")
    again_by = models.JSONField(default=list, help_text="The actions that rolled it again, as slugs.")
    total = models.IntegerField()
    target = models.IntegerField(null=True)
    opposed = models.BooleanField(default=False, help_text="The target is an opponent's total.")
    opponent_critical = models.BooleanField(default=False)
    critical = models.BooleanField(default=False)
    criticals_on = models.PositiveSmallIntegerField(default=6)
    criticals_from_pool = models.PositiveSmallIntegerField(default=3)
    hit_is_critical = models.BooleanField(default=False, help_text="Whatever the dice show.")
    success = models.BooleanField(null=True)
    turned_by = models.CharField(max_length=120, blank=True, help_text="What made a failed one succeed.")
    aspect = models.CharField(max_length=40, blank=True, help_text="The address of the aspect invoked for it.")
    secret = models.BooleanField(default=False)
    by_guest = models.BooleanField(default=False)
    by_hand = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(kind=""), name="roll_has_a_kind"),  # each game has its own
            between("die", 1, 100, "roll_die_in_bounds"),
            between("total", -100_000, 100_000, "roll_total_in_bounds"),
            between("target", -1_000, 1_000, "roll_target_in_bounds"),
            # A die has no more faces, and a pool no more dice.
            between("criticals_on", 0, 100, "roll_criticals_on_in_bounds"),
            between("criticals_from_pool", 0, 100, "roll_criticals_from_pool_in_bounds"),
            texts_at_most("roll_texts_in_bounds", kind=8, key=120, name=120, turned_by=120, aspect=40),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.total}"
