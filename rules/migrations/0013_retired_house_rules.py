from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rules', '0012_words_of_statistics'),
    ]

    operations = [
        migrations.AddField(
            model_name='switch',
            name='status',
            field=models.CharField(choices=[('published', 'published'), ('retired', 'retired')], default='published', help_text='What is retired stays with those who have set it. Nobody else is offered it.', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='switch',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['published', 'retired'])), name='switch_status_known'),
        ),
    ]
