from django.db import migrations, models
from django.db.models import F, Q
from django.utils import timezone


def as_sittings(apps, schema_editor):
    """The time before the present player, if any, and up to now where nobody knows when they sat down: in it the
    character was here, and nobody knows who played it."""
    now = timezone.now()
    seats, sittings = (apps.get_model("campaigns", name).objects for name in ("Seat", "Sitting"))
    for seat in seats.all():
        seat.began_at = seat.made_at if seat.member_id is None else max(seat.made_at, seat.taken_at or now)
        seat.save(update_fields=["began_at"])
        if seat.began_at > seat.made_at:
            here = {"campaign_id": seat.campaign_id, "character_id": seat.character_id}
            sittings.create(**here, began_at=seat.made_at, ended_at=seat.began_at)


def as_seats(apps, schema_editor):
    """A seat was made where the first of its sittings without a break began."""
    seats, sittings = (apps.get_model("campaigns", name).objects for name in ("Seat", "Sitting"))
    for seat in seats.all():
        seat.made_at = seat.began_at
        former = sittings.filter(campaign=seat.campaign_id, character=seat.character_id)
        for one in former.order_by("-ended_at", "-pk"):
            if one.ended_at != seat.made_at:
                break
            seat.made_at = one.began_at
        seat.taken_at = seat.began_at if seat.member_id else None
        seat.save(update_fields=["made_at", "taken_at"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0030_when_a_seat_was_taken"),
        ("characters", "0013_reason_of_a_change"),
    ]

    operations = [
        migrations.CreateModel(
            name="Sitting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("campaign", models.ForeignKey("campaigns.campaign", models.CASCADE, related_name="sittings")),
                ("character", models.ForeignKey("characters.character", models.CASCADE, related_name="sittings")),
                (
                    "member",
                    models.ForeignKey("campaigns.member", models.SET_NULL, null=True, related_name="sittings"),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(condition=Q(ended_at__gte=F("began_at")), name="sitting_ends_after_it_began")
                ],
            },
        ),
        migrations.AddField(
            "seat",
            "began_at",
            models.DateTimeField(
                default=timezone.now, help_text="When its player sat down with it, or it came free."
            ),
        ),
        migrations.RunPython(as_sittings, as_seats),
        migrations.AlterModelOptions("seat", options={"ordering": ["pk"]}),
        migrations.RemoveField("seat", "made_at"),
        migrations.RemoveField("seat", "taken_at"),
    ]
