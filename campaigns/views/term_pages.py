"""The terms of a table, and beginning a character at them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.campaign_access import member_of
from campaigns.models.campaign_terms import MOST_XP
from campaigns.new_characters import Terms, ever_rolled, terms_of
from campaigns.roles import RUN
from campaigns.verbs import seats
from campaigns.verbs import terms as term_verbs
from campaigns.views.campaign_pages import changes_table
from campaigns.views.rule_pages import switches_of, with_stored
from characters.change.refusals import Refused, StalePage
from characters.pages.compare.house_rules_page import HouseRulesForm
from characters.pages.responses import SeeOther, add_refusal
from characters.people import visitor_of
from rules.engine import Build


class MoreXPForm(forms.Form):
    more_xp = forms.IntegerField(
        min_value=0,
        max_value=MOST_XP,
        error_messages={"required": "Write 0 for none."},
    )

    def __init__(self, in_force: Terms, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["more_xp"].required = not in_force.by_milestone
        levels = in_force.game.levels
        label, help_text = levels.POINTS, "New characters begin with this much."
        if levels.STARTING:
            label = f"Extra {levels.POINTS}"
            start = f"the {levels.POINTS} of the starting {levels.NAME}"
            help_text = f"Added to {start}, for a table that is partway to the next one."
        self.fields["more_xp"].label, self.fields["more_xp"].help_text = label, help_text


@require_http_methods(["GET", "HEAD", "POST"])
def terms(request: HttpRequest, campaign: int) -> HttpResponse:
    person = visitor_of(request)
    found = member_of(campaign, person, RUN).campaign
    in_force = terms_of(found)
    if not in_force.to_decide:
        raise Http404("Characters of this game all begin alike.")
    if request.method != "POST":
        more = MoreXPForm(in_force, initial={"more_xp": in_force.more_xp})
        return _terms_page(request, in_force, _form_of(in_force), more)
    form, more = _form_of(in_force, request.POST), MoreXPForm(in_force, request.POST)
    # Both are validated, so that the faults of both are shown.
    if all([form.is_valid(), more.is_valid()]):
        more_xp = more.cleaned_data["more_xp"] or 0
        try:
            was = request.POST.get("was") or None  # forms of older pages have no such field, and are not compared
            term_verbs.decide(campaign, person, switches=form.differing, more_xp=more_xp, was=was)
        except StalePage as stale:  # perhaps by a form that came while this one waited for the lock
            in_force = terms_of(member_of(campaign, person, RUN).campaign)
            form = _form_of(in_force, request.POST)
            form.full_clean()
            xp = [] if more_xp == in_force.more_xp else [f"“{more['more_xp'].label}” is set to {in_force.more_xp:,}"]
            form.add_error(None, with_stored(stale, [*form.apart, *xp]))
            return _terms_page(request, in_force, form, more, status=stale.status)
        except Refused as refused:
            add_refusal(more if refused.field == "more_xp" else form, refused)
        else:
            messages.success(request, "Saved. Characters already here stay as they are.")
            return SeeOther(found.get_absolute_url())
    return _terms_page(request, in_force, form, more, status=422)


def _form_of(in_force: Terms, data: QueryDict | None = None) -> HouseRulesForm:
    """The house rules on how characters begin, in the order in which the game names them."""
    keys = in_force.game.terms
    known = [one for one in switches_of(in_force.campaign.ruleset, in_force.starting_switches) if one.key in keys]
    switches = sorted(known, key=lambda one: keys.index(one.key))
    build = Build(switches=in_force.starting_switches)
    return HouseRulesForm(data, switches=switches, build=build)


def _terms_page(
    request: HttpRequest, in_force: Terms, form: HouseRulesForm, more: MoreXPForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "campaign": in_force.campaign,
        "form": form,
        "was": request.POST.get("was", "") if status == 422 else term_verbs.digest(in_force),
        "more": more,
        "in_force": in_force,
        "rolled_sets": ever_rolled(in_force),
    }
    return render(request, "campaigns/terms.html", context, status=status)


@changes_table
def begin(request: HttpRequest, campaign: int) -> HttpResponse:
    """A new character at the terms, and then its builder."""
    seat = seats.begin(campaign, visitor_of(request), request.POST.get("key", ""))
    return SeeOther(built_at(seat.character_id))


def built_at(character: int) -> str:
    return reverse("characters:build", args=[character, "origin"])
