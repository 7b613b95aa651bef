"""The people at a table, the invites, and the page that an invite opens."""

from typing import Any

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.campaign_access import member_of
from campaigns.forms import InviteForm, JoinForm
from campaigns.models import Campaign, Invite, Member
from campaigns.new_characters import terms_of
from campaigns.roles import HELPS, LEADS, OWN, PLAY, RUN, may, rank
from campaigns.roster import in_words
from campaigns.verbs import membership, seats
from campaigns.verbs.table_rules import own_rules_kept
from campaigns.views.campaign_pages import elsewhere, to_bring
from campaigns.views.term_pages import built_at
from characters.change.refusals import Refused
from characters.pages.responses import SeeOther, add_refusal, unlisted
from characters.people import Person, visitor_of
from characters.read.faces import medallion
from characters.read.party import versions_of
from rules.number_text import number_in


def _people_page(
    request: HttpRequest,
    campaign: int,
    *,
    form: InviteForm | None = None,
    refused: str = "",
    status: int = 200,
    **made: Any,
) -> HttpResponse:
    member = member_of(campaign, visitor_of(request), RUN)
    people = list(member.campaign.members.filter(gone_at=None))
    played = member.campaign.seats.exclude(member=None).select_related("character", "member")
    context = {
        "campaign": member.campaign,
        "member": member,
        "people": people,
        "removable": [one for one in people if one != member and membership.may_remove(member, one)],
        "helpers": [one for one in people if one.role == HELPS] if member.may(OWN) else [],
        "lent": [
            (one, seat)
            for seat in played.filter(character__binned_at=None)
            for one in people
            if one != seat.member and seats.is_keeper(one, seat.character)
        ],
        "invites": membership.working_invites(member.campaign),
        "archived": membership.ARCHIVED if member.campaign.archived_at else "",
        "form": form or InviteForm(membership.may_invite(member.role)),
        "refused": refused,
        **made,
    }
    return render(request, "campaigns/people.html", context, status=status)


show = require_safe(_people_page)


def made_link(request: HttpRequest, name: str, token: str) -> dict[str, Any]:
    """A new link, with a QR code for the phone across the table. The form is answered with the page itself: a redirect
    would have to carry the link, which would then be kept somewhere."""
    link = request.build_absolute_uri(reverse(f"campaigns:{name}", args=[token]))
    svg = segno.make(link, error="m").svg_inline(omitsize=True, border=3, light="#fff", svgclass="code", lineclass=None)
    return {"made": link, "code": mark_safe(svg)}  # noqa: S308  (numbers and colors; the link is not in it as text)


@require_http_methods(["POST", "GET", "HEAD"])
def invite(request: HttpRequest, campaign: int) -> HttpResponse:
    if request.method != "POST":  # someone reloads the page that showed the link
        return redirect("campaigns:people", campaign)
    person = visitor_of(request)
    form = InviteForm(membership.may_invite(member_of(campaign, person, RUN).role), request.POST)
    if form.is_valid():
        try:
            token = membership.make_invite(campaign, person, request.POST.get("key", ""), **form.cleaned_data)
        except Refused as refused:
            add_refusal(form, refused)
        else:
            return _people_page(request, campaign, **made_link(request, "join", token))
    return _people_page(request, campaign, form=form, status=422)


@require_POST
def revoke(request: HttpRequest, campaign: int, invite: int) -> HttpResponse:
    membership.revoke_invite(campaign, visitor_of(request), invite)
    messages.success(request, "The invite was deleted.")
    return SeeOther(reverse("campaigns:people", args=[campaign]))


@require_POST
def remove(request: HttpRequest, campaign: int, member: int) -> HttpResponse:
    try:
        gone = membership.remove(campaign, visitor_of(request), member)
    except Refused as refused:
        return _people_page(request, campaign, refused=refused.sentence, status=422)
    messages.success(request, f"{gone} no longer sits at this table.{_still_invited(gone.campaign)}")
    return SeeOther(reverse("campaigns:people", args=[campaign]))


@require_POST
def make_player(request: HttpRequest, campaign: int, member: int) -> HttpResponse:
    made = membership.make_player(campaign, visitor_of(request), member)
    messages.success(request, f"{made} is a player now.{_still_invited(made.campaign)}")
    return SeeOther(reverse("campaigns:people", args=[campaign]))


def _still_invited(campaign: Campaign) -> str:
    return " Whoever has an invite below can still use it." if membership.working_invites(campaign) else ""


@require_POST
def leave(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    try:
        membership.leave(campaign, person)
    except Refused as refused:
        messages.error(request, refused.sentence)
        return SeeOther(reverse("campaigns:campaign", args=[campaign]))
    messages.success(request, "You have left the table.")  # not its name, which may have changed
    return SeeOther(reverse("campaigns:list"))


@unlisted
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, invitation: str) -> HttpResponse:
    found = membership.invite_of(invitation)
    if request.method != "POST":
        return _join_page(request, invitation, found, JoinForm())
    person = visitor_of(request, remember=True)
    form, name = JoinForm(request.POST), _known_name(found.campaign, person)
    if not name and not form.is_valid():
        return _join_page(request, invitation, found, form, status=422)
    try:
        member = membership.join(invitation, person, name=name or form.cleaned_data["name"])
        said, to = _sit_down(member, person, request.POST)
    except membership.InviteOver:
        return _join_page(request, invitation, membership.invite_of(invitation), form)
    except Refused as refused:
        if refused.field:
            form.add_error(refused.field, refused.sentence)
        said = "" if refused.field else refused.sentence
        return _join_page(request, invitation, found, form, refused=said, status=422)
    messages.success(request, f"You joined {member.campaign}. {said}")
    return SeeOther(to)


def _known_name(campaign: Campaign, person: Person) -> str:
    """The name of an account, or the one that a guest has at this table already; "" for others, who type one."""
    if person.user is not None:
        return str(person.user.get_username()[:40])
    member = membership.place_of(campaign, person)
    return member.name if member is not None and member.gone_at is None else ""


def _sit_down(member: Member, person: Person, data: QueryDict) -> tuple[str, str]:
    """Sit down with the chosen character. Returns a sentence on the next step, and the address for it: the sheet, the
    builder of a new character, or the table. If that character is no longer available, the person sits down without one
    and chooses again at the table."""
    how, _, pk = data.get("character", "").partition(":")
    without = "You have no character here yet: choose or begin one below." if member.may(PLAY) else "This is its page."
    verb = {"bring": seats.bring, "take": seats.take}.get(how)
    try:
        if how == "begin":
            begun = seats.begin(member.campaign_id, person, data.get("key", ""))
            return "Build your character here. It has its seat already.", built_at(begun.character_id)
        number = number_in(pk)
        if verb is not None and number is not None:
            seat = verb(member.campaign_id, person, number)
            said = f"You play {seat.character}. This is the sheet. {own_rules_kept(seat)}".strip()
            return said, seat.character.get_absolute_url()
    except (Refused, Http404) as refused:
        if isinstance(refused, Refused):
            without = f"{refused.sentence} Choose a character below."
    return without, member.campaign.get_absolute_url()


def _join_page(
    request: HttpRequest, invitation: str, found: Invite, form: JoinForm, *, refused: str = "", status: int = 200
) -> HttpResponse:
    person = visitor_of(request)
    campaign, member = found.campaign, membership.place_of(found.campaign, person)
    sits = member is not None and member.gone_at is None
    stays = member is not None and sits and rank(found.role) >= rank(member.role)
    over = not stays and (found.over or campaign.archived_at is not None)
    free = campaign.seats.filter(member=None, character__binned_at=None).select_related("character__ruleset")
    versions = {} if stays or over else versions_of([seat.character for seat in free])
    mine = [(f"bring:{one.pk}", one, name) for one, name in to_bring(person)] if person.identified else []
    only = mine[0][0] if len(mine) == 1 else ""
    context = {
        "invitation": invitation,
        "invite": found,
        "campaign": campaign,
        "storyteller": campaign.members.filter(role=LEADS).first(),  # None once their account is deleted
        "stays": stays,
        "sits_as": member.role if member and sits else "",
        "over": over,
        "from_before": membership.is_from_before(found, member),
        "medallion": "" if stays or over else medallion(campaign, request.path),
        "form": form,
        "prepared": [
            (f"take:{seat.pk}", seat.character, in_words(versions[seat.character_id]))
            for seat in free
            if seat.character_id in versions
        ],
        "to_bring": mine,
        "elsewhere": elsewhere(person, campaign) if person.identified else [],
        "terms": terms_of(campaign) if may(found.role, PLAY) else None,
        "chosen": request.POST.get("character", only),
        "refused": refused,
    }
    return render(request, "campaigns/join.html", context, status=410 if over else status)
