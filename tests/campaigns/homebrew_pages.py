"""The pages of a table's homebrew, used by its storyteller."""

from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile

from campaigns.verbs import table_rules
from campaigns.verbs.table_rules import homebrew_of
from tests.characters.cast import browser_of, new_key, person


def at(campaign, below=""):
    return f"/campaigns/{campaign.pk}/homebrew/{below}"


def press_publish(campaign):
    client = browser_of()
    page = client.get(at(campaign, "publish/"))
    return client.post(at(campaign, "publish/"), {"saw": page.context["saw"]})


def put_in_play(campaign):
    sources = [homebrew_of(campaign).slug]
    return table_rules.decide(campaign.pk, person(), new_key(), switches={}, sources=sources)


def pack_of(campaign):
    return BytesIO(browser_of().get(at(campaign, "download/")).content).getvalue()


def take(campaign, data, name="ana"):
    """Upload the pack, and take it in if its report allows it."""
    client = browser_of(name)
    report = client.post(at(campaign, "take/"), {"pack": SimpleUploadedFile("pack.zip", data)})
    if report.status_code != 200:
        return report
    form = report.context["report"]
    return client.post(at(campaign, "take/"), {"carried": form.initial["carried"], "digest": form.initial["digest"]})
