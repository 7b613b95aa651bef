"""A table's ruleset is a column of the table. First the column, beside those that it replaces."""

import django.db.models.deletion
from django.db import migrations, models

TO_RULESET = {"on_delete": django.db.models.deletion.PROTECT, "related_name": "+", "to": "rules.ruleset"}


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0021_sent_twice"),
        ("rules", "0008_switch_labels"),
    ]

    operations = [
        migrations.AddField("campaign", "ruleset", models.ForeignKey(null=True, **TO_RULESET)),
        migrations.AlterField("campaignrules", "ruleset", models.ForeignKey(null=True, **TO_RULESET)),
        migrations.AlterField("campaignterms", "ruleset", models.ForeignKey(null=True, **TO_RULESET)),
        migrations.AlterField("rolledset", "ruleset", models.ForeignKey(null=True, **TO_RULESET)),
    ]
