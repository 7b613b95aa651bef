"""The revision of a source tells compiled bundles that they are old."""

from rules.models import Source
from rules.models.ruleset import fresh_revision


def touch(source: Source | int) -> None:
    """Move the revision of `source` (or of the source with this id), in the transaction of the edit it stands for."""
    Source.objects.filter(pk=getattr(source, "pk", source)).update(revision=fresh_revision())
