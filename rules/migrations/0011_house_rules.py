import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0010_roll_named'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='switch',
            options={'ordering': ['sort', 'key'], 'verbose_name': 'house rule'},
        ),
        migrations.AlterField(
            model_name='circumstancetest',
            name='switch',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rules.switch', verbose_name='house rule'),
        ),
        migrations.AlterField(
            model_name='circumstancetest',
            name='test',
            field=models.CharField(choices=[('has', 'has the element'), ('skilled', 'is proficient with the element'), ('stat_min', 'stat is at least'), ('stat_max', 'stat is at most'), ('level', 'level is at least'), ('rank', 'rank in the job is at least'), ('wears', 'wears (any, armor, shield, unproficient)'), ('wields', 'wields (two-hands, one-hand, off-hand, thrown, two-weapons, nothing, melee, ranged, versatile, spell, melee-spell)'), ('first_job', 'it is the starting job'), ('roll_trained', 'the roll uses a proficiency'), ('roll_named', 'the roll is of a skill, knowledge or tool'), ('resource_empty', 'the resource is used up'), ('switch', 'house rule has the value'), ('storyteller', 'the storyteller agrees')], max_length=20),
        ),
        migrations.AlterField(
            model_name='prerequisite',
            name='switch',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rules.switch', verbose_name='house rule'),
        ),
        migrations.AlterField(
            model_name='prerequisite',
            name='test',
            field=models.CharField(choices=[('has', 'has the element'), ('skilled', 'is proficient with the element'), ('stat_min', 'stat is at least'), ('stat_max', 'stat is at most'), ('level', 'level is at least'), ('rank', 'rank in the job is at least'), ('wears', 'wears (any, armor, shield, unproficient)'), ('wields', 'wields (two-hands, one-hand, off-hand, thrown, two-weapons, nothing, melee, ranged, versatile, spell, melee-spell)'), ('first_job', 'it is the starting job'), ('roll_trained', 'the roll uses a proficiency'), ('roll_named', 'the roll is of a skill, knowledge or tool'), ('resource_empty', 'the resource is used up'), ('switch', 'house rule has the value'), ('storyteller', 'the storyteller agrees')], max_length=20),
        ),
        migrations.AlterField(
            model_name='stat',
            name='switch',
            field=models.ForeignKey(blank=True, help_text='Reads this numeric house rule.', null=True, on_delete=django.db.models.deletion.PROTECT, to='rules.switch', verbose_name='house rule'),
        ),
        migrations.AlterConstraint(
            model_name='circumstancetest',
            name='circumstancetest_names_switch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('test', 'switch'), _negated=True), models.Q(('switch__isnull', False), models.Q(('word', ''), _negated=True)), _connector='OR'), name='circumstancetest_names_switch', violation_error_message='This test needs a house rule and its value as the word.'),
        ),
        migrations.AlterConstraint(
            model_name='prerequisite',
            name='prerequisite_names_switch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('test', 'switch'), _negated=True), models.Q(('switch__isnull', False), models.Q(('word', ''), _negated=True)), _connector='OR'), name='prerequisite_names_switch', violation_error_message='This test needs a house rule and its value as the word.'),
        ),
    ]
