from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from .amount import Amounted
from .circumstance import Circumstance
from .element import Element
from .ruleset import Ruleset, Source
from .stat import Stat
from .vocabulary import SLUG, reference


class RestEvent(models.Model):
    """A moment when things come back: a turn, a short rest, the end of an adventure."""

    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="rest_events")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="rest_events")
    slug = models.SlugField(max_length=60, validators=[RegexValidator(SLUG)])
    name = models.CharField(max_length=120)
    sort = models.PositiveIntegerField(default=0, help_text="Shortest first.")
    includes = models.ManyToManyField("self", symmetrical=False, blank=True)

    class Meta:
        ordering = ["sort"]
        constraints = [models.UniqueConstraint(fields=["ruleset", "slug"], name="rest_event_slug_once_in_ruleset")]

    def __str__(self) -> str:
        return self.name


class Resource(models.Model):
    """Something that is spent and comes back. Its maximum is a statistic, so anything may modify it.

    The style `turn` is for the parts of a turn, which are shown with the turn and not among other resources.
    """

    class Style(models.TextChoices):
        USES = "uses"
        POOL = "pool"
        DICE = "dice"
        TRACK = "track"
        TURN = "turn"

    owner = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="resources")
    slug = models.SlugField(max_length=60, validators=[RegexValidator(SLUG)])
    name = models.CharField(max_length=120)
    max_stat = models.OneToOneField(Stat, on_delete=models.PROTECT, related_name="resource")
    style = models.CharField(max_length=8, choices=Style, default=Style.USES)
    die = models.PositiveSmallIntegerField(default=0)
    counts_up = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "slug"], name="resource_slug_once_on_owner"),
            models.CheckConstraint(
                condition=Q(style__in=["uses", "pool", "dice", "track", "turn"]), name="resource_style_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse the slug of another element's resource, since packs and the engine know a resource by slug alone."""
        ruleset = self.owner.ruleset_id if hasattr(self, "owner") else None  # a form may lack the owner
        same = Resource.objects.filter(owner__ruleset=ruleset, slug=self.slug).exclude(pk=self.pk)
        if other := same.exclude(owner=self.owner_id).select_related("owner").first():
            raise ValidationError({"slug": f"{other.owner} has a resource {self.slug} already. Choose another slug."})


class Recovery(Amounted):
    """A resource that an event restores. The owner of this row need not be the owner of the resource."""

    owner = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="recoveries")
    resource = models.ForeignKey(Resource, on_delete=models.CASCADE, related_name="recoveries")
    event = models.ForeignKey(RestEvent, on_delete=models.PROTECT, related_name="recoveries")
    full = models.BooleanField(default=False)
    when = reference(Circumstance)

    class Meta(Amounted.Meta):
        verbose_name_plural = "recoveries"
        constraints = [
            *Amounted.Meta.constraints,
            models.CheckConstraint(
                condition=Q(full=True) | Q(amount__isnull=False) | Q(of_stat__isnull=False),
                name="recovery_gives_something",
                violation_error_message="Tick full, or give a number, a statistic, or both.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.resource} at {self.event}"
