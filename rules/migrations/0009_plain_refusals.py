from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0008_switch_labels'),
    ]

    operations = [
        migrations.AlterConstraint(
            model_name='choice',
            name='choice_per_option_positive',
            constraint=models.CheckConstraint(condition=models.Q(('per_option_max__gte', 1)), name='choice_per_option_positive', violation_error_message='Each option can be taken once or more.'),
        ),
        migrations.AlterConstraint(
            model_name='condition',
            name='condition_stacks_positive',
            constraint=models.CheckConstraint(condition=models.Q(('max_stacks__gte', 1)), name='condition_stacks_positive', violation_error_message='A condition stacks up to 1 or more.'),
        ),
        migrations.AlterConstraint(
            model_name='weapon',
            name='weapon_hands_known',
            constraint=models.CheckConstraint(condition=models.Q(('hands__in', [0, 1, 2])), name='weapon_hands_known', violation_error_message='A weapon takes no hand, 1 or 2.'),
        ),
        migrations.AlterConstraint(
            model_name='weapon',
            name='weapon_die_in_bounds',
            constraint=models.CheckConstraint(condition=models.Q(('die__gte', 1), ('die__lte', 20)), name='weapon_die_in_bounds', violation_error_message='The die of a weapon has from 1 to 20 sides.'),
        ),
    ]
