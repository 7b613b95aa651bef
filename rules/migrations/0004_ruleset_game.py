from django.db import migrations, models

import rules.models.ruleset


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0003_circumstance_group'),
    ]

    operations = [
        migrations.RenameField(model_name='ruleset', old_name='system', new_name='game'),
        migrations.AlterField(
            model_name='ruleset',
            name='game',
            field=models.CharField(max_length=40, validators=[rules.models.ruleset.known_game]),
        ),
    ]
