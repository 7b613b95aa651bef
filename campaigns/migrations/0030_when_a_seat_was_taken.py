from django.db import migrations, models
from django.db.models import F, Q


def those_of_owners(apps, schema_editor):
    """Owners have played their characters since those sat down. When others took a prepared one, nobody knows."""
    seats = apps.get_model("campaigns", "Seat").objects.exclude(member=None)
    by_guests = Q(character__owner=None, character__guest=F("member__guest"))
    own = seats.filter(Q(character__owner=F("member__user")) | by_guests)
    seats.filter(pk__in=own.values("pk")).update(taken_at=F("made_at"))


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0029_creature_archive")]

    operations = [
        migrations.AddField(
            "seat",
            "taken_at",
            models.DateTimeField(blank=True, null=True, help_text="When the last player of it sat down with it."),
        ),
        migrations.RunPython(those_of_owners, migrations.RunPython.noop),
    ]
