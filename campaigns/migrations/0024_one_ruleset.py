"""Every table has a ruleset, and what belongs to it has none of its own."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0023_rulesets_of_campaigns")]

    operations = [
        migrations.AlterField(
            "campaign",
            "ruleset",
            models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rules.ruleset"),
        ),
        migrations.RemoveConstraint("rolledset", "rolled_set_of_a_table_once"),
        migrations.RemoveConstraint("rolledset", "rolled_set_of_a_member_once"),
        migrations.RemoveField("campaignrules", "ruleset"),
        migrations.RemoveField("campaignterms", "ruleset"),
        migrations.RemoveField("rolledset", "ruleset"),
        migrations.AddConstraint(
            "rolledset",
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(member=None, replaced_at=None), name="rolled_set_of_a_table_once"
            ),
        ),
        migrations.AddConstraint(
            "rolledset",
            models.UniqueConstraint(
                fields=["campaign", "member"], condition=Q(replaced_at=None), name="rolled_set_of_a_member_once"
            ),
        ),
    ]
