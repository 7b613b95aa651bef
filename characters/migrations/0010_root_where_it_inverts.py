from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("characters", "0009_roots")]

    operations = [
        migrations.AddConstraint(
            model_name='change',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('inverts__isnull', True), ('root__isnull', True)), models.Q(('inverts__isnull', False), ('root__isnull', False)), _connector='OR'), name='change_has_root_where_it_inverts'),
        ),
    ]
