"""An invite lets in a number of people until it expires, without an account; once it has ended it stays ended."""

import re
from datetime import timedelta

import pytest
from django.http import Http404
from django.test import Client
from django.utils import timezone

from campaigns.campaign_access import member_of
from campaigns.forms import HitForm, InitiativeForm, InviteForm
from campaigns.models import Invite, Member
from campaigns.notifications import at_hand, notifications_of
from campaigns.verbs import campaigns, membership, seats
from campaigns.verbs.membership import MOST_INVITES, MOST_PEOPLE, InviteOver, claim_seats, join, make_invite
from characters.change.refusals import KeyReused, Refused
from characters.people import Person, hashed
from tests.campaigns.seated import invite, saltmarsh, sits
from tests.characters.cast import as_guest, guest, mira, new_key, person
from tests.support.at_once import at_once
from tests.support.html import html_of

pytestmark = pytest.mark.django_db
ASKED = {"role": "player", "most": "2", "days": "1"}


@pytest.fixture
def campaign():
    return saltmarsh()


def posted(client, campaign, path, **fields):
    return client.post(f"{campaign.get_absolute_url()}{path}", {"key": new_key(), **fields})


def test_an_invite_is_made_shown_once_and_opened(client, campaign):
    client.force_login(person().user)
    page = posted(client, campaign, "invites/make/", **ASKED).content.decode()
    path = re.search(r'value="http://testserver(/join/[^"]+)"', page)[1]
    assert '<svg viewBox="0 0' in page
    token = path.split("/")[2]
    assert Invite.objects.get().token == hashed(token)
    assert token not in client.get(f"{campaign.get_absolute_url()}people/").content.decode()
    shown = Client().get(path)
    assert "ana invites you to this table" in shown.content.decode()
    assert f"<title>Join {campaign} ·" in shown.content.decode()
    assert "noindex" in shown.headers["X-Robots-Tag"]


def test_a_form_sent_twice_makes_one_invite(campaign):
    key, asked = new_key(), {"role": "player", "most": 1, "days": 1}
    assert make_invite(campaign.pk, person(), key, **asked) == make_invite(campaign.pk, person(), key, **asked)
    for other in ({"role": "spectator"}, {"most": 2}, {"days": 2}):
        with pytest.raises(KeyReused):
            make_invite(campaign.pk, person(), key, **{**asked, **other})
    assert Invite.objects.count() == 1


@pytest.mark.parametrize("field", ["role", "most", "days"])
@pytest.mark.parametrize("wrong", ["", "0", "101", "storyteller", "x" * 3000, "1e9", "٣٣٣"])
def test_bad_answers_are_refused_at_their_field(client, campaign, field, wrong):
    client.force_login(person().user)
    response = posted(client, campaign, "invites/make/", **{**ASKED, field: wrong})
    assert response.status_code == 422
    assert f"id_{field}_error" in response.content.decode()
    if field == "role" and wrong:
        assert "Choose one of these roles." in html_of(response)
    assert not Invite.objects.exists()


def test_without_a_key_no_invite_is_made(client, campaign):
    client.force_login(person().user)
    assert posted(client, campaign, "invites/make/", **ASKED, key="").status_code == 422
    assert not Invite.objects.exists()


def test_a_guest_sits_down_with_a_name(client, campaign):
    path = f"/join/{invite(campaign)}/"
    assert client.post(path, {"key": new_key(), "name": " "}).status_code == 422
    response = client.post(path, {"key": new_key(), "name": "Nell <b>"})
    assert response.status_code == 303
    page = client.get(response.headers["Location"]).content.decode()
    assert "Nell &lt;b&gt;" in page
    assert client.get("/campaigns/").context["going_on"][0]["member"].campaign == campaign
    assert Member.objects.get(name="Nell <b>").guest != ""


def test_an_account_sits_down_with_its_own_name(client, campaign):
    client.force_login(person("bo").user)
    assert client.post(f"/join/{invite(campaign)}/", {"key": new_key()}).status_code == 303
    assert campaign.members.get(user=person("bo").user).name == "bo"


@pytest.mark.parametrize(("name", "taken"), [("ana", "ana"), ("ANA", "ana"), ("nell", "Nell"), (" Nell ", "Nell")])
def test_a_guest_cannot_take_the_name_of_someone_at_the_table(client, campaign, name, taken):
    sits(campaign, guest(), name="Nell")
    response = client.post(f"/join/{invite(campaign)}/", {"key": new_key(), "name": name})
    assert response.status_code == 422
    [sentence] = response.context["form"].errors["name"]
    assert sentence == f"Someone here is already called {taken}. Add something to the name."
    assert 'id="id_name_error"' in html_of(response)
    assert campaign.members.count() == 2


def test_a_guest_who_comes_back_keeps_their_name(campaign):
    nell = sits(campaign, guest(), name="Nell")
    membership.leave(campaign.pk, guest())
    assert sits(campaign, guest(), name="Nell") == nell
    assert sits(campaign, guest(), name="Nell") == nell


def test_the_name_of_someone_who_left_is_free(campaign):
    sits(campaign, guest(), name="Nell")
    membership.leave(campaign.pk, guest())
    assert sits(campaign, guest("c" * 64), name="Nell").name == "Nell"


def test_a_new_guest_whose_answer_was_lost_sits_down_once(campaign):
    """Without the answer the browser has no session yet, and sends the same form again."""
    browser, path = Client(), f"/join/{invite(campaign, most=1)}/"
    browser.get(path)
    form = {"key": new_key(), "name": "Bo", "character": "begin"}
    lost = Client()
    lost.cookies.load({"csrftoken": browser.cookies["csrftoken"].value})
    assert lost.post(path, form).status_code == 303
    assert browser.post(path, form).status_code == 303
    seat = campaign.seats.get()
    assert seat.member == campaign.members.get(name="Bo")
    assert browser.get(seat.character.get_absolute_url()).status_code == 200
    stranger = Client()
    stranger.get(path)
    assert stranger.post(path, form).status_code == 410


def test_an_account_sits_down_beside_a_guest_of_its_name(client, campaign):
    sits(campaign, guest(), name="Bo")
    client.force_login(person("bo").user)
    assert client.post(f"/join/{invite(campaign)}/", {"key": new_key()}).status_code == 303


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_guests_with_one_name_at_once_one_sits_down(campaign):
    token = invite(campaign, most=100)
    answers = at_once(*[lambda at=at: join(token, guest(f"{at:064}"), name="Nell") for at in range(16)])
    assert sum(isinstance(answer, Member) for answer in answers) == 1
    assert sum(isinstance(answer, Refused) for answer in answers) == 15
    assert campaign.members.filter(name="Nell").count() == 1
    assert Invite.objects.get().uses == 1


def chosen(page):
    """The value of the character that is ticked on the page of an invite."""
    return re.findall(r'name="character" value="([^"]*)" checked', page)


def test_a_players_only_free_character_is_ticked(client, campaign):
    client.force_login(person("bo").user)
    path = f"/join/{invite(campaign)}/"
    assert chosen(client.get(path).content.decode()) == [""]
    only = mira(person("bo"), state=None)
    assert chosen(client.get(path).content.decode()) == [f"bring:{only.pk}"]
    mira(person("bo"), state=None)
    assert chosen(client.get(path).content.decode()) == [""]


def test_the_choice_of_character_is_kept_when_a_name_is_missing(client, campaign):
    page = client.post(f"/join/{invite(campaign)}/", {"key": new_key(), "name": "", "character": "begin"})
    assert chosen(page.content.decode()) == ["begin"]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("bring:{}", "You joined Saltmarsh. You play Mira. This is the sheet."),
        ("begin", "You joined Saltmarsh. Build your character here. It has its seat already."),
        ("", "You joined Saltmarsh. You have no character here yet: choose or begin one below."),
        ("bring:99999", "You joined Saltmarsh. You have no character here yet: choose or begin one below."),
    ],
)
def test_the_next_page_says_that_you_sit_at_the_table_and_what_comes_next(client, campaign, choice, said):
    client.force_login(person("bo").user)
    character = choice.format(mira(person("bo"), state=None).pk)
    sent = {"key": new_key(), "character": character}
    assert said in client.post(f"/join/{invite(campaign)}/", sent, follow=True).content.decode()


def test_each_prepared_character_is_described_by_more_than_its_name(client, campaign):
    for _ in range(2):
        seats.bring(campaign.pk, person(), mira().pk)
    page = client.get(f"/join/{invite(campaign)}/").content.decode()
    assert page.count("Level 7, Human, Human culture, Ambassador, Fighter") == 2


def test_a_spectators_next_page_says_nothing_of_characters(client, campaign):
    client.force_login(person("bo").user)
    page = client.post(f"/join/{invite(campaign, 'spectator')}/", {"key": new_key()}, follow=True).content.decode()
    assert "You joined Saltmarsh. This is its page." in page


def test_opening_an_invite_changes_nothing(client, campaign):
    token = invite(campaign)
    for _ in range(3):
        client.get(f"/join/{token}/")
    assert Invite.objects.get().uses == 0
    assert campaign.members.count() == 1


def test_a_member_who_joins_again_uses_up_no_place(client, campaign):
    token = invite(campaign, most=2)
    for _ in range(3):
        join(token, person("bo"), name="bo")
        join(token, person(), name="ana")
    assert Invite.objects.get().uses == 1
    assert campaign.members.get(user=person().user).role == "storyteller"


def test_after_a_removal_the_page_says_that_invites_still_work(client, campaign):
    """Someone who was removed may open one in another browser, as a guest."""
    client.force_login(person().user)
    for still in (False, True):
        bo = sits(campaign, person("bo"))
        token = invite(campaign) if still else ""
        answer = posted(client, campaign, f"people/{bo.pk}/remove/")
        page = html_of(client.get(answer.headers["Location"]))
        assert "Bo no longer sits at this table." in page
        assert ("Whoever has an invite below can still use it." in page) == bool(token)


@pytest.mark.parametrize(
    ("role", "invited", "gets"),
    [
        ("spectator", "player", "player"),
        ("player", "co-storyteller", "co-storyteller"),
        ("player", "spectator", "player"),
        ("co-storyteller", "player", "co-storyteller"),
    ],
)
def test_a_member_gets_the_role_of_an_invite_to_more_and_keeps_their_seat(client, campaign, role, invited, gets):
    bo = sits(campaign, person("bo"), role)
    if role == "player":
        seats.bring(campaign.pk, person("bo"), mira(person("bo")).pk)
    client.force_login(person("bo").user)
    path, uses = f"/join/{invite(campaign, invited)}/", int(gets != role)
    page = " ".join(html_of(client.get(path)).split())
    assert "You already sit at this table" in page
    assert (f"Become a {gets}" in page) == bool(uses)
    assert client.post(path, {"key": new_key()}).status_code == 303
    bo.refresh_from_db()
    assert (bo.role, bo.seats.count()) == (gets, role == "player")
    assert Invite.objects.latest("pk").uses == uses
    assert "You already sit at this table.<" in html_of(client.get(path))


def test_a_guest_who_watches_comes_to_play_by_their_name(client, campaign):
    client.post(f"/join/{invite(campaign, 'spectator')}/", {"key": new_key(), "name": "Nell"})
    path = f"/join/{invite(campaign)}/"
    assert 'name="name"' not in html_of(client.get(path))
    assert client.post(path, {"key": new_key(), "character": "begin"}).status_code == 303
    [nell] = campaign.members.filter(role="player")
    assert (nell.name, nell.seats.count()) == ("Nell", 1)


def test_an_invite_to_more_that_has_ended_raises_nobody(client, campaign):
    bo = sits(campaign, person("bo"), "spectator")
    client.force_login(person("bo").user)
    path = f"/join/{invite(campaign)}/"
    membership.revoke_invite(campaign.pk, person(), Invite.objects.latest("pk").pk)
    assert "This invite no longer works" in html_of(client.post(path, {"key": new_key()}))
    bo.refresh_from_db()
    assert bo.role == "spectator"


ENDED = {
    "used up": lambda campaign, token: join(token, guest("c" * 64), name="Cid"),
    "out of time": lambda campaign, token: Invite.objects.update(expires_at=timezone.now() - timedelta(seconds=1)),
    "taken back": lambda campaign, token: membership.revoke_invite(campaign.pk, person(), Invite.objects.get().pk),
    "the archive": lambda campaign, token: campaigns.archive(campaign.pk, person(), over=True),
}


@pytest.mark.parametrize("end", ENDED)
def test_an_ended_invite_lets_nobody_in(client, campaign, end):
    token = invite(campaign)
    ENDED[end](campaign, token)
    with pytest.raises(InviteOver):
        join(token, person("bo"), name="bo")
    for response in (client.get(f"/join/{token}/"), client.post(f"/join/{token}/", {"key": new_key(), "name": "Bo"})):
        assert response.status_code == 410
        assert "This invite no longer works" in response.content.decode()
    assert not campaign.members.filter(user=person("bo").user).exists()


def test_no_invite_is_made_at_a_table_in_the_archive_and_its_page_says_why(client, campaign):
    invite(campaign)
    client.force_login(person().user)
    campaigns.archive(campaign.pk, person(), over=True)
    page = html_of(client.get(f"{campaign.get_absolute_url()}people/"))
    assert "Nobody can join a campaign in the archive." in page
    assert "Make an invite" not in page
    assert "Open invites" not in page
    assert "Nobody can join" in html_of(posted(client, campaign, "invites/make/", **ASKED))
    assert Invite.objects.count() == 1
    campaigns.archive(campaign.pk, person(), over=False)
    assert "Open invites" in html_of(client.get(f"{campaign.get_absolute_url()}people/"))


def test_an_invite_of_a_table_in_the_bin_is_not_found(client, campaign):
    token = invite(campaign)
    campaigns.throw_away(campaign.pk, person())
    assert client.get(f"/join/{token}/").status_code == 404


def test_a_revoked_invite_is_not_brought_back_by_its_form(campaign):
    key, asked = new_key(), {"role": "player", "most": 1, "days": 1}
    make_invite(campaign.pk, person(), key, **asked)
    membership.revoke_invite(campaign.pk, person(), Invite.objects.get().pk)
    with pytest.raises(InviteOver):
        make_invite(campaign.pk, person(), key, **asked)


def test_an_invite_opens_no_other_table(campaign):
    other = saltmarsh()
    member = join(invite(campaign), person("bo"), name="bo")
    assert member.campaign == campaign
    with pytest.raises(Http404):
        member_of(other.pk, person("bo"))
    with pytest.raises(Http404):
        membership.revoke_invite(other.pk, person(), campaign.invites.get().pk)
    with pytest.raises(Http404):
        membership.remove(other.pk, person(), member.pk)


@pytest.mark.parametrize("role", ["co-storyteller", "player", "spectator"])
def test_an_invite_gives_the_role_that_it_names(campaign, role):
    assert sits(campaign, person("bo"), role).role == role


def test_co_storytellers_invite_players_but_not_co_storytellers(client, campaign):
    sits(campaign, person("bo"), "co-storyteller")
    client.force_login(person("bo").user)
    assert posted(client, campaign, "invites/make/", **ASKED).status_code == 200
    assert posted(client, campaign, "invites/make/", **{**ASKED, "role": "co-storyteller"}).status_code == 422
    with pytest.raises(Refused):
        make_invite(campaign.pk, person("bo"), new_key(), role="co-storyteller", most=1, days=1)


def test_a_removed_member_loses_access_at_once_and_cannot_return_by_an_older_invite(client, campaign):
    token = invite(campaign, most=5)
    member = join(token, person("bo"), name="bo")
    client.force_login(person("bo").user)
    assert client.get(campaign.get_absolute_url()).status_code == 200
    membership.remove(campaign.pk, person(), member.pk)
    assert client.get(campaign.get_absolute_url()).status_code == 404
    assert "Saltmarsh" not in client.get("/campaigns/").content.decode()
    page = html_of(client.get(f"/join/{token}/"))
    assert "is from before you left this table. Ask ana for a new one." in " ".join(page.split())
    assert "Your character" not in page
    refused = client.post(f"/join/{token}/", {"key": new_key()})
    assert refused.status_code == 422
    assert "is from before you left this table" in refused.content.decode()
    assert join(invite(campaign), person("bo"), name="bo").pk == member.pk
    assert client.get(campaign.get_absolute_url()).status_code == 200


def test_a_removed_member_is_told_until_they_see_it(client, campaign):
    member = sits(campaign, person("bo"))
    membership.remove(campaign.pk, person(), member.pk)
    words = "you were removed from this table. Your characters are still yours"
    assert [(one.about, one.words, one.path) for one in notifications_of(person("bo"))] == [
        ("Saltmarsh", words, "/characters/")
    ]
    assert at_hand(person("bo")).number == 1
    client.force_login(person("bo").user)
    for _ in range(2):
        answer = posted(client, campaign, "news/seen/")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/notifications/")
    assert notifications_of(person("bo")) == []


@pytest.mark.parametrize("leave", ["by themselves", "and back"])
def test_who_leaves_or_comes_back_is_told_nothing_of_a_removal(campaign, leave):
    member = sits(campaign, person("bo"))
    if leave == "and back":
        membership.remove(campaign.pk, person(), member.pk)
        sits(campaign, person("bo"))
    else:
        membership.leave(campaign.pk, person("bo"))
    assert notifications_of(person("bo")) == []


def test_members_can_leave_and_the_storyteller_cannot(client, campaign):
    sits(campaign, person("bo"))
    client.force_login(person("bo").user)
    assert posted(client, campaign, "leave/").headers["Location"] == "/campaigns/"
    assert client.get(campaign.get_absolute_url()).status_code == 404
    client.force_login(person().user)
    assert (
        "The storyteller cannot leave"
        in client.post(f"{campaign.get_absolute_url()}leave/", {"key": new_key()}, follow=True).content.decode()
    )
    assert member_of(campaign.pk, person()).role == "storyteller"


def test_only_the_storyteller_removes_a_co_storyteller(campaign):
    sits(campaign, person("bo"), "co-storyteller")
    other = sits(campaign, person("cid"), "co-storyteller")
    lead = campaign.members.get(role="storyteller")
    for member in (other, lead):
        with pytest.raises(Refused):
            membership.remove(campaign.pk, person("bo"), member.pk)
    membership.remove(campaign.pk, person(), other.pk)
    with pytest.raises(Refused):
        membership.remove(campaign.pk, person(), lead.pk)


def test_a_guest_keeps_the_seat_when_signing_up(client, campaign):
    guest = as_guest(client)
    client.post(f"/join/{invite(campaign)}/", {"key": new_key(), "name": "Nell"})
    client.post(
        "/accounts/signup/",
        {"username": "nell", "email": "nell@example.com", "password1": "a lantern on the reef", "key": new_key()},
    )
    member = campaign.members.get(name="Nell")
    assert (member.user.username, member.guest) == ("nell", "")
    assert client.get(campaign.get_absolute_url()).status_code == 200
    assert not Member.objects.filter(guest=guest.guest).exists()


def test_a_guest_and_an_account_that_both_sit_there_become_one_member(campaign):
    sits(campaign, person("bo"), "co-storyteller")
    sits(campaign, guest(), name="Nell")
    claim_seats(guest().guest, person("bo").user)
    assert campaign.members.get(user=person("bo").user).role == "co-storyteller"
    assert not campaign.members.exclude(guest="").exists()


@pytest.mark.parametrize(
    ("account", "as_guest", "left", "role"),
    [
        ("spectator", "player", [], "player"),
        ("player", "spectator", ["account"], "spectator"),
        ("spectator", "player", ["guest"], "spectator"),
        ("player", "player", ["account", "guest"], None),
    ],
)
def test_who_sits_there_twice_keeps_the_more_powerful_role_of_those_not_left(campaign, account, as_guest, left, role):
    both = {"account": person("bo"), "guest": guest()}
    for who, given in (("account", account), ("guest", as_guest)):
        sits(campaign, both[who], given, name=who)
    for who in left:
        membership.leave(campaign.pk, both[who])
    claim_seats(guest().guest, person("bo").user)
    assert [one.role for one in campaign.members.filter(user=person("bo").user, gone_at=None)] == [role] * bool(role)


def test_of_two_places_of_one_person_the_more_powerful_counts_unless_they_left_it(campaign):
    """A guest's cookie stays in the browser beside the account."""
    sits(campaign, person("bo"), "spectator")
    sits(campaign, guest(), name="Nell")
    both = Person(person("bo").user, guest().guest)
    assert membership.place_of(campaign, both).role == "player"
    membership.leave(campaign.pk, guest())
    assert membership.place_of(campaign, both).role == "spectator"


def test_members_and_invites_have_a_limit(campaign):
    token = invite(campaign, most=100)
    campaign.members.bulk_create(
        Member(campaign=campaign, guest=f"{at:064}", name="x", role="spectator") for at in range(MOST_PEOPLE - 1)
    )
    with pytest.raises(Refused, match="that is the limit"):
        join(token, person("bo"), name="bo")
    campaign.members.filter(guest=f"{0:064}").update(gone_at=timezone.now())
    join(token, person("bo"), name="bo")
    for _ in range(MOST_INVITES - 1):
        invite(campaign)
    with pytest.raises(Refused, match="invites already"):
        invite(campaign)


@pytest.mark.django_db(transaction=True)
def test_a_one_use_invite_lets_in_one_of_thirty_two_at_once(campaign):
    token = invite(campaign)
    acts = [lambda at=at: join(token, guest(f"{at:064}"), name=f"Guest {at}") for at in range(32)]
    answers = at_once(*acts)
    assert sum(isinstance(answer, Member) for answer in answers) == 1
    assert sum(isinstance(answer, InviteOver) for answer in answers) == 31
    assert (campaign.members.count(), Invite.objects.get().uses) == (2, 1)


def test_an_invite_of_a_table_whose_storyteller_is_gone_still_opens(campaign):
    token = invite(campaign)
    Member.objects.filter(role="storyteller").delete()
    shown = Client().get(f"/join/{token}/")
    assert shown.status_code == 200
    assert "Someone invites you" in shown.content.decode()


def test_a_table_that_asks_for_an_account_seats_no_new_guest(client, campaign):
    client.force_login(person().user)
    answer = posted(client, campaign, "settings/", name="Saltmarsh", description="", accounts_only="on")
    assert answer.status_code == 303
    visitor, path = Client(), f"/join/{invite(campaign, most=2)}/"
    page = visitor.get(path).content.decode()
    assert f"/accounts/signup/?next={path}" in page
    assert "Your character" not in page
    assert "Sign up with a name, an email address and a password, and you come back here." in page
    refused = visitor.post(path, {"key": new_key(), "name": "Nell"})
    assert refused.status_code == 422
    assert "asks for an account" in refused.content.decode()
    visitor.post(
        f"/accounts/signup/?next={path}",
        {"username": "nell", "email": "nell@example.com", "password1": "a lantern on the reef", "key": new_key()},
    )
    assert visitor.post(path, {"key": new_key()}).status_code == 303
    assert campaign.members.get(name="nell").guest == ""


def test_a_guest_who_sits_stays_when_the_table_asks_for_accounts(client, campaign):
    path = f"/join/{invite(campaign)}/"
    client.post(path, {"key": new_key(), "name": "Nell"})
    campaigns.describe(campaign.pk, person(), name="Saltmarsh", description="", accounts_only=True)
    assert client.get(campaign.get_absolute_url()).status_code == 200
    assert "You already sit at this table" in client.get(path).content.decode()


def test_a_guest_cannot_become_a_co_storyteller(campaign):
    """The acts of guests cannot be told apart, so players would see a guest storyteller's secret rolls."""
    token = invite(campaign, "co-storyteller")
    refused = Client().post(f"/join/{token}/", {"key": new_key(), "name": "Nell"})
    assert refused.status_code == 422
    assert "asks for an account" in refused.content.decode()
    with pytest.raises(Refused):
        join(token, guest(), name="Nell")
    assert join(token, person("bo"), name="bo").role == "co-storyteller"


@pytest.mark.parametrize(("who", "removes"), [("ana", {"bo", "cid", "eve"}), ("bo", {"cid"})])
def test_the_people_page_offers_to_remove_only_those_you_may_remove(client, campaign, who, removes):
    places = {
        name: sits(campaign, person(name), role, name=name)
        for name, role in (("bo", "co-storyteller"), ("eve", "co-storyteller"), ("cid", "player"))
    }
    client.force_login(person(who).user)
    page = client.get(f"/campaigns/{campaign.pk}/people/").content.decode()
    assert {name for name, one in places.items() if f"/{one.pk}/remove/" in page} == removes


@pytest.mark.parametrize("wrong", ["", "0", "-3", "1e9", "9" * 20, "x"])
def test_a_wrong_number_is_refused_with_both_bounds(wrong):
    errors = InviteForm(["player"], {"role": "player", "most": wrong, "days": wrong}).errors
    assert errors == {
        "most": ["Enter a whole number from 1 to 100."],
        "days": ["Enter a whole number from 1 to 90."],
    }
    assert HitForm({"amount": wrong}).errors == {"amount": ["Enter a whole number from 1 to 100,000."]}


def test_a_negative_bound_has_a_true_minus_sign():
    assert InitiativeForm({"total": "x"}).errors == {
        "total": ["Enter a whole number from \N{MINUS SIGN}1,000 to 10,000."]
    }
