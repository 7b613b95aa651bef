"""Purchases together at a table: previewed, bought by the storyteller or proposed, and answered."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.campaign_access import member_of
from campaigns.following import followed
from campaigns.models import Member, Purchase, Seat
from campaigns.names_apart import names_at
from campaigns.roles import RUN
from campaigns.shown_purchases import purchases_of, refusals_of
from campaigns.verbs import agreements, purchases
from campaigns.views.refusal_pages import refused_on
from characters.access import playable
from characters.change.refusals import Refused
from characters.models import Character
from characters.pages.responses import SeeOther
from characters.pages.text_fields import WholeField
from characters.people import Person, visitor_of
from rules.compile import bundle_for
from rules.games import GAMES
from rules.games.outcome import listed
from rules.number_text import number_in


class PurchaseForm(forms.Form):
    """A purchase and everyone who joins it; nobody is ticked at first."""

    buyer = forms.TypedChoiceField(
        label="Who gets it",
        coerce=int,
        error_messages={"required": "Choose who gets it.", "invalid_choice": "Choose someone at this table."},
    )
    to = forms.TypedMultipleChoiceField(
        label="Who joins",
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick who joins.", "invalid_choice": "Choose someone at this table."},
    )
    ref = forms.ChoiceField(label="What", required=False, error_messages={"invalid_choice": "That is not for sale."})
    quantity = WholeField(label="How many", min_value=1, max_value=1_000, initial=1)

    def __init__(
        self, data: Mapping[str, Any] | None, *, everyone: list[Character], names: Mapping[int, str], **more: Any
    ) -> None:
        super().__init__(data, **more)
        named = [(one.pk, names[one.pk]) for one in everyone]
        self.fields["buyer"].choices = [("", "Choose"), *named]
        self.fields["to"].choices = named
        self.fields["ref"].choices = [("", "See what you can buy first"), *_shelves(everyone)]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "buyer" in given and "to" in given and not {*given["to"]} - {given["buyer"]}:
            self.add_error("to", "Tick who joins.")
        return given


def _shelves(buyers: Collection[Character]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Everything for sale in the game of the first who may buy, by class."""
    if not buyers:
        return []
    bundle = bundle_for(next(iter(buyers)).ruleset)
    wealth = bundle.game.wealth
    goods = wealth.for_sale(bundle)
    shelves = [
        (name, [(one.ref, one.name) for one in goods if one.cost_class == at]) for at, name in enumerate(wealth.CLASSES)
    ]
    return [(name, things) for name, things in shelves if name and things]


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, campaign: int) -> HttpResponse:
    """GET previews a purchase; POST makes or proposes it."""
    person = visitor_of(request)
    member = member_of(campaign, person)
    if GAMES[member.campaign.ruleset.game].page_rules is None and not _at_table(member):
        raise Http404("Nobody here can buy together.")
    if request.method != "POST":
        form = _form(member, request.GET if "quantity" in request.GET else None, request.GET.get("buyer", ""))
        return _page(request, member, person, form)
    form = _form(member, request.POST)
    if not member.takes_part:
        form.add_error(None, "Spectators only watch.")
    if form.is_valid() and not form.cleaned_data["ref"]:
        form.add_error("ref", "Choose what to buy.")
    if form.is_valid():
        given = form.cleaned_data
        verb = purchases.buy if member.may(RUN) else purchases.propose
        key, what = request.POST.get("key", ""), {"ref": given["ref"], "quantity": given["quantity"]}
        try:
            verb(campaign, person, key, given["buyer"], given["to"], **what)
        except Refused as refused:
            _say(form, refused)
        else:
            if member.may(RUN):
                messages.success(request, "Bought.")
                return SeeOther(f"{member.campaign.get_absolute_url()}#acts")  # there it can be undone for all
            messages.success(request, "Proposed. It is bought once every player has agreed.")
            return SeeOther(reverse("campaigns:purchases", args=[campaign]))
    return _page(request, member, person, form, status=422)


@require_safe
def of_character(request: HttpRequest, pk: int) -> HttpResponse:
    """The purchases of the table where this character sits, for its player."""
    character = playable(pk, visitor_of(request))
    seat = Seat.objects.filter(character=character, campaign__binned_at=None).first()
    if seat is None:
        raise Http404("It sits at no table.")
    return redirect(f"{reverse('campaigns:purchases', args=[seat.campaign_id])}?buyer={pk}")


def _refused(request: HttpRequest, campaign: int, refused: Refused) -> HttpResponse:
    person = visitor_of(request)
    member = member_of(campaign, person)
    refusals = refusals_of(refused, _at_table(member))
    return _page(request, member, person, _form(member), refusals=refusals, status=refused.status)


@refused_on(_refused)
def agree(request: HttpRequest, campaign: int, purchase: int, character: int) -> HttpResponse:
    bought = purchases.agree(campaign, visitor_of(request), purchase, character)
    messages.success(request, "Bought." if bought else "Agreed. Now the others must agree.")
    return SeeOther(reverse("campaigns:purchases", args=[campaign]))


@refused_on(_refused)
def decline(request: HttpRequest, campaign: int, purchase: int, character: int) -> HttpResponse:
    agreements.decline(Purchase, campaign, visitor_of(request), purchase, character)
    return SeeOther(reverse("campaigns:purchases", args=[campaign]))


@refused_on(_refused)
def withdraw(request: HttpRequest, campaign: int, purchase: int) -> HttpResponse:
    agreements.withdraw(Purchase, campaign, visitor_of(request), purchase)
    return SeeOther(reverse("campaigns:purchases", args=[campaign]))


@refused_on(_refused)
def undo(request: HttpRequest, campaign: int, purchase: int) -> HttpResponse:
    purchases.undo(campaign, visitor_of(request), request.POST.get("key", ""), purchase)
    return SeeOther(reverse("campaigns:purchases", args=[campaign]))


def _at_table(member: Member, **which: Any) -> list[Character]:
    """The characters here whose game has purchases together, those of the table's ruleset first."""
    seats = Seat.objects.filter(campaign=member.campaign, character__binned_at=None, **which)
    found = [one.character for one in seats.select_related("character__ruleset")]
    able = [one for one in found if GAMES[one.ruleset.game].page_rules is not None]
    return sorted(able, key=lambda one: one.ruleset_id != member.campaign.ruleset_id)


def _form(member: Member, data: Mapping[str, Any] | None = None, buyer: str = "") -> PurchaseForm:
    """The form. Storytellers may buy for every character here, players for those that are played."""
    everyone = _at_table(member) if member.may(RUN) else _at_table(member, member__isnull=False)
    names = names_at(member.campaign)
    return PurchaseForm(data, everyone=everyone, names=names, initial={"buyer": number_in(buyer)})


def _say(form: PurchaseForm, refused: Refused) -> None:
    """Show a refusal by its field; if several characters refuse, each by name."""
    characters = Character.objects.filter(pk__in=[pk for pk, _ in form.fields["to"].choices])
    where = {"ranks": "to"}.get(refused.field, refused.field)
    for sentence in refusals_of(refused, characters):
        form.add_error(where if where in form.fields else None, sentence)


def _page(
    request: HttpRequest,
    member: Member,
    person: Person,
    form: PurchaseForm,
    *,
    refusals: tuple[str, ...] = (),
    status: int = 200,
) -> HttpResponse:
    ahead, reach = None, None
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            together = purchases.pooled(purchases.joining(member.campaign, given["buyer"], given["to"]))
            reach = together.reach()
            ahead = together.ahead(given["ref"], given["quantity"], person) if given["ref"] else None
        except Refused as refused:
            _say(form, refused)
        if ahead and ahead.refused:
            form.add_error("ref", ahead.refused)
    status = 422 if form.errors else status  # so that the page begins at the first field at fault
    context = {
        "campaign": member.campaign,
        "member": member,
        "runs": member.may(RUN),
        "form": form,
        "ahead": ahead if ahead and not ahead.refused else None,
        "reach": reach,
        "affords": (listed(one.name for one in reach.classes if one.together) or "nothing") if reach else "",
        "shown": purchases_of(member, person),
        "refusals": refusals,
        **followed(member.campaign, ()),
    }
    template = "campaigns/purchases.html#purchases" if request.htmx else "campaigns/purchases.html"
    return render(request, template, context, status=status)
