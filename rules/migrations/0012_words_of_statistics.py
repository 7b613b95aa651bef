from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0011_house_rules'),
    ]

    operations = [
        migrations.AlterField(
            model_name='circumstancetest',
            name='test',
            field=models.CharField(choices=[('has', 'has the element'), ('skilled', 'is proficient with the element'), ('stat_min', 'statistic is at least'), ('stat_max', 'statistic is at most'), ('level', 'level is at least'), ('rank', 'rank in the job is at least'), ('wears', 'wears (any, armor, shield, unproficient)'), ('wields', 'wields (two-hands, one-hand, off-hand, thrown, two-weapons, nothing, melee, ranged, versatile, spell, melee-spell)'), ('first_job', 'it is the starting job'), ('roll_trained', 'the roll uses a proficiency'), ('roll_named', 'the roll is of a skill, knowledge or tool'), ('resource_empty', 'the resource is used up'), ('switch', 'house rule has the value'), ('storyteller', 'the storyteller agrees')], max_length=20),
        ),
        migrations.AlterField(
            model_name='prerequisite',
            name='test',
            field=models.CharField(choices=[('has', 'has the element'), ('skilled', 'is proficient with the element'), ('stat_min', 'statistic is at least'), ('stat_max', 'statistic is at most'), ('level', 'level is at least'), ('rank', 'rank in the job is at least'), ('wears', 'wears (any, armor, shield, unproficient)'), ('wields', 'wields (two-hands, one-hand, off-hand, thrown, two-weapons, nothing, melee, ranged, versatile, spell, melee-spell)'), ('first_job', 'it is the starting job'), ('roll_trained', 'the roll uses a proficiency'), ('roll_named', 'the roll is of a skill, knowledge or tool'), ('resource_empty', 'the resource is used up'), ('switch', 'house rule has the value'), ('storyteller', 'the storyteller agrees')], max_length=20),
        ),
    ]
