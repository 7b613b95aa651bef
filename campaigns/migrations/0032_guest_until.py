from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0031_sittings")]

    operations = [
        migrations.AddField(
            "member",
            "guest_until",
            models.DateTimeField(
                blank=True,
                null=True,
                help_text="When an account took the place of a guest. What they did before has no actor.",
            ),
        ),
    ]
