"""Dates on pages: a table plays for years, so its pages also date things from another day or another year."""

import re
from datetime import datetime

import pytest
from django.utils import timezone

from campaigns.models import PartyAct
from campaigns.verbs import party_acts
from characters.models import Change
from tests.campaigns.seated import brought, saltmarsh
from tests.characters.cast import new_key, person
from tests.support.html import html_of
from tests.support.site import ROOT

FORMAT = re.compile(r"""\|date(?::|\()"([^"]+)""")
FORMATS = [
    (path.relative_to(ROOT).as_posix(), form)
    for path in (ROOT / "templates").rglob("*.*")
    for form in FORMAT.findall(path.read_text("utf-8"))
]


def test_a_day_is_told_with_its_year():
    assert len(FORMATS) > 40
    assert [one for one in FORMATS if "j" in one[1] and "Y" not in one[1]] == []


@pytest.mark.django_db
def test_beside_the_roster_acts_and_the_log_say_the_day(client):
    """The last evening may have been weeks ago."""
    campaign = saltmarsh(bo="player")
    character = brought(campaign)
    acts = [
        party_acts.do_to_several(campaign.pk, person(), new_key(), "take_damage", {"amount": "1"}, {character.pk: ""})
        for _ in range(3)
    ]
    moments = [datetime(2024, 2, 29, 21, 5), datetime(2024, 12, 31, 23, 59), datetime(2024, 12, 31, 23, 58)]
    for act, moment in zip(acts, moments, strict=True):
        PartyAct.objects.filter(pk=act.pk).update(at=timezone.make_aware(moment))
        Change.objects.filter(key=act.key).update(at=timezone.make_aware(moment))
    campaign.seats.update(began_at=timezone.make_aware(min(moments)))
    client.force_login(person().user)
    page = html_of(client.get(campaign.get_absolute_url()))
    assert "29 Feb 2024, 21:05" in page.partition('id="acts"')[2]
    log = page.partition('id="log-latest"')[2]
    assert (log.count("Thursday, 29 February 2024"), log.count("Tuesday, 31 December 2024")) == (1, 1)
