from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0007_spell'),
    ]

    operations = [
        migrations.AddField(
            model_name='switch',
            name='labels',
            field=models.JSONField(blank=True, default=list, help_text='What people read for each of these values, in the same order.'),
        ),
    ]
