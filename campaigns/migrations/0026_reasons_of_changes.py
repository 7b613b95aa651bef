"""A change keeps the reason of the storyteller's act that made it, so that it can be read wherever the change is."""

from django.db import migrations


def copy(apps, schema_editor):
    changes = apps.get_model("characters", "Change").objects
    for act in apps.get_model("campaigns", "PartyAct").objects.iterator(chunk_size=500):
        if reason := act.what.get("reason"):
            made = changes.filter(character__in=act.characters.all(), key=act.key)
            made.exclude(sentence__contains=reason).update(reason=reason)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0025_lead_news"), ("characters", "0013_reason_of_a_change")]

    operations = [migrations.RunPython(copy, migrations.RunPython.noop)]
