"""Each table gets the ruleset by which it has played so far."""

from django.db import migrations
from django.db.models import OuterRef

MODELS = ("CampaignRules", "CampaignTerms", "RolledSet")


def choose(apps, schema_editor):
    """That of its house rules, or else of its terms, or else of the first character that sat down, or else of the rules
    that were loaded first. Terms and dice of another ruleset had no effect, and go."""
    campaigns = apps.get_model("campaigns", "Campaign").objects
    rows = {name: apps.get_model("campaigns", name).objects for name in MODELS}
    seats = apps.get_model("campaigns", "Seat").objects.order_by("made_at", "pk")
    loaded = apps.get_model("rules", "Ruleset").objects.filter(sources__is_core=True).order_by("pk")
    for campaign in campaigns.all():
        decided = [rows[name].filter(campaign=campaign).first() for name in ("CampaignRules", "CampaignTerms")]
        seat = seats.filter(campaign=campaign).select_related("character").first()
        found = [*decided, seat and seat.character]
        first = next((one.ruleset_id for one in found if one), None) or loaded.values_list("pk", flat=True).first()
        campaigns.filter(pk=campaign.pk).update(ruleset=first)
        for name in ("CampaignTerms", "RolledSet"):
            rows[name].filter(campaign=campaign).exclude(ruleset=first).delete()


def give_back(apps, schema_editor):
    of_table = apps.get_model("campaigns", "Campaign").objects.filter(pk=OuterRef("campaign")).values("ruleset")
    for name in MODELS:
        apps.get_model("campaigns", name).objects.update(ruleset=of_table)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0022_campaign_ruleset")]

    operations = [migrations.RunPython(choose, give_back)]
