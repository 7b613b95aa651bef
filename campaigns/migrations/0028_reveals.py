import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0027_keys_of_a_table"),
        ("characters", "0013_reason_of_a_change"),
    ]

    operations = [
        migrations.RenameField("member", "lead_news_at", "news_at"),
        migrations.AlterField(
            model_name="member",
            name="news_at",
            field=models.DateTimeField(
                blank=True,
                help_text=(
                    "When the table was handed to them, or theirs to take up, or they were removed, until they see it."
                ),
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="member",
            name="reveals_seen",
            field=models.PositiveBigIntegerField(
                default=0, help_text="The number of the newest reveal of a note that they have seen."
            ),
        ),
        migrations.CreateModel(
            name="Reveal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="campaigns.member",
                    ),
                ),
                (
                    "character",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="characters.character",
                    ),
                ),
                (
                    "note",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reveals",
                        to="campaigns.campaignnote",
                    ),
                ),
            ],
            options={"ordering": ["-pk"]},
        ),
    ]
