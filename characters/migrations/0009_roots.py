from django.db import migrations


def begin_with(apps, schema_editor):
    """The change that each chain of undoings began with; an undoing is younger than what it takes back."""
    changes = apps.get_model("characters", "Change").objects
    roots = {}
    for pk, inverts in changes.filter(inverts__isnull=False).order_by("pk").values_list("pk", "inverts"):
        roots[pk] = roots.get(inverts, inverts)
        changes.filter(pk=pk).update(root=roots[pk])


class Migration(migrations.Migration):
    """A migration of its own: PostgreSQL alters no table in whose rows a foreign key is still to be looked at."""

    dependencies = [("characters", "0008_root")]

    operations = [migrations.RunPython(begin_with, migrations.RunPython.noop)]
