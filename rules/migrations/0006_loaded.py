from django.db import migrations, models


def as_far_as_is_known(apps, schema_editor):
    """Of sources that files were loaded into, what is in force is taken to be theirs."""
    sources = apps.get_model("rules", "Source").objects
    sources.exclude(pack_digest="").update(loaded=models.F("revision"))


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0005_homebrew'),
    ]

    operations = [
        migrations.AddField(
            model_name='source',
            name='loaded',
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.RunPython(as_far_as_is_known, migrations.RunPython.noop),
    ]
