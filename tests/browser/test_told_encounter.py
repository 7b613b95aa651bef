"""A turn that somebody passes on, and a hit on a sheet, appear by themselves: at the table and on its screen."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from campaigns.verbs import campaigns, encounter, membership, screens, seats
from characters.models import Character
from characters.people import Person
from tests.characters.cast import new_key
from tests.characters.play.table import play
from tests.support.browser import PHONE
from tests.support.characters import owned_by
from tests.support.streaming import streaming, until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def site():
    with streaming() as (port, application):
        yield f"http://localhost:{port}", application


@pytest.fixture
def campaign(ana):
    """Ana's table with two characters of Bo's in an encounter."""
    made = campaigns.create(Person(ana), new_key(), name="Saltmarsh")
    bo = Person(User.objects.create_user("bo", "bo@example.com", "a long password"))
    token = membership.make_invite(made.pk, Person(ana), new_key(), role="player", most=1, days=1)
    membership.join(token, bo, name="Bo")
    for name in ("Borrin", "Ysolde"):
        seats.bring(made.pk, bo, owned_by(bo.user, name=name).pk)
    encounter.begin(made.pk, Person(ana), new_key())
    return made


def test_others_turns_and_hits_appear_without_a_press(new_page, ana, campaign, site):
    address, application = site
    bo = User.objects.get(username="bo")
    player, television = new_page(user=bo, width=PHONE), new_page(user=ana)
    player.goto(f"{address}{campaign.get_absolute_url()}encounter/")
    token = screens.make_screen(campaign.pk, Person(ana), new_key(), vitals="numbers")
    television.goto(f"{address}/screen/{token}/")
    until(lambda: len(application.hub.all()) == 2)
    encounter.next_turn(campaign.pk, Person(ana), new_key(), saw=0)
    expect(player.get_by_role("heading", name="It’s your turn, Borrin")).to_be_visible()
    expect(television.locator("h1")).to_have_text("Borrin")
    borrin = Character.objects.get(name="Borrin", owner=bo)
    left = television.locator(".screen-line", has_text="Borrin").locator("b")
    before = int(left.inner_text())
    play.take_damage(borrin.pk, Person(ana), new_key(), amount=2)
    expect(left).to_have_text(str(before - 2))
    expect(player.locator(".fight-line", has_text="Borrin").locator(".fight-state b")).to_have_text(str(before - 2))
    player.get_by_role("button", name="End turn").click()
    expect(television.locator("h1")).to_have_text("Ysolde")
