from django.db import migrations, models

KINDS = ["rolls", "proposals", "pairings", "purchases", "dates", "notes", "places", "changed"]


def rename(before, after):
    def run(apps, schema_editor):
        apps.get_model("polyhedral_site", "MailChoice").objects.filter(kind=before).update(kind=after)

    return run


class Migration(migrations.Migration):
    dependencies = [("polyhedral_site", "0003_lead_news_by_mail")]

    operations = [
        migrations.RemoveConstraint(model_name="mailchoice", name="mail_choice_kind_known"),
        migrations.RunPython(rename("leads", "places"), rename("places", "leads")),
        migrations.AddConstraint(
            model_name="mailchoice",
            constraint=models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="mail_choice_kind_known"),
        ),
    ]
