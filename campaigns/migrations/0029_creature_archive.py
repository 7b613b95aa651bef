from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0028_reveals")]

    operations = [
        migrations.AddField("creature", "archived_at", models.DateTimeField(blank=True, null=True)),
    ]
