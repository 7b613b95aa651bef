"""The house rules of a table: a preview of other values for each seated character, and exceptions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.campaign_access import member_of
from campaigns.models import Member
from campaigns.roles import RUN
from campaigns.roster import RosterRow, rows_of
from campaigns.seen_party import SeenParty
from campaigns.verbs import table_rules
from characters.actions.what_if import Foreseen, foreseen
from characters.change.refusals import Refused, StalePage
from characters.pages.compare.house_rules_page import HouseRulesForm, in_groups, labeled, with_defaults
from characters.pages.compare.sources_page import SourcesForm
from characters.pages.responses import SeeOther
from characters.pages.sheet.history_page import in_words
from characters.people import visitor_of
from characters.read.open_sources import optional_sources
from characters.verbs.followed_rules import differing, following
from rules.compile import bundle_for
from rules.engine import Build
from rules.engine.content import Switch
from rules.games.outcome import listed
from rules.models import Ruleset


@dataclass(frozen=True)
class Affected:
    """The effect of other rules on one character at the table."""

    row: RosterRow
    foreseen: Foreseen

    @property
    def moves(self) -> dict[str, Any]:
        return in_words(self.row.version.bundle, self.foreseen.moves)


@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: HttpRequest, campaign: int) -> HttpResponse:
    """The rules of the table as a form: `save` stores them, anything else previews them."""
    person = visitor_of(request)
    page = RulesPage(request, member_of(campaign, person, RUN), request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return page.show()
    if not page.valid:
        return page.show(status=422)
    if "save" not in request.POST:
        return page.show(affected=page.affected())
    try:
        changed = table_rules.decide(
            campaign,
            person,
            request.POST.get("key", ""),
            switches=page.form.differing,
            sources=page.sources.wanted,
            was=page.was or None,  # forms of older pages have no such field, and are not compared
        )
    except StalePage as stale:  # perhaps by a form that came while this one waited for the lock
        now = RulesPage(request, member_of(campaign, person, RUN), request.POST)
        return now.moved_on(stale) if now.valid else now.show(status=422)
    except Refused as refused:
        return page.show(refused=refused.sentence, status=422)
    many = len(changed)
    told = f" {many} character{' plays' if many == 1 else 's play'} by these rules now." if many else ""
    messages.success(request, f"Saved.{told}")
    return SeeOther(reverse("campaigns:rules", args=[campaign]))


class RulesPage:
    """The form of the rules. `data` None shows those in force."""

    def __init__(self, request: HttpRequest, member: Member, data: QueryDict | None = None) -> None:
        self.request, self.campaign = request, member.campaign
        self.rows = rows_of(SeenParty(member, visitor_of(request)))
        self.decided = table_rules.rules_of(self.campaign)
        self.was = table_rules.digest(self.decided) if data is None else data.get("was", "")
        build = Build()
        if self.decided is not None:
            build = Build(switches=self.decided.switches, sources=table_rules.sources_of(self.decided))
        game = self.campaign.game
        known = switches_of(self.campaign.ruleset, build.switches)
        switches = [one for one in known if one.key not in {*game.unread, *game.terms}]
        asked = None if data is None else with_defaults(data, switches)
        self.form = HouseRulesForm(asked, switches=switches, build=build)
        offered = table_rules.offered_sources(self.campaign)
        self.sources = SourcesForm(data, offered=offered, build=build)

    @property
    def valid(self) -> bool:
        return self.form.is_valid() and self.sources.is_valid()

    def affected(self) -> list[Affected]:
        """The effect of these rules on each seated character, by the procedure that would apply them."""
        switches, sources = self.form.differing, self.sources.wanted
        act = following(switches, sources)
        return [
            Affected(row, foreseen(row.character, row.version, act))
            for row in self.rows
            if row.character.ruleset_id == self.campaign.ruleset_id
            and not row.exception
            and differing(row.version.bundle, row.version.build, switches, sources)
        ]

    def moved_on(self, stale: StalePage) -> HttpResponse:
        """The form as it was sent, with what is in force now above it; Save replaces that."""
        self.was = table_rules.digest(self.decided)
        refused = with_stored(stale, [*self.form.apart, *self.sources.apart])
        return self.show(affected=self.affected(), refused=refused, status=stale.status)

    def show(
        self,
        *,
        affected: list[Affected] | None = None,
        refused: str = "",
        reason_refused: str = "",
        status: int = 200,
    ) -> HttpResponse:
        """reason_refused: a fault in the reason for an exception, which is shown beside that field."""
        context: Mapping[str, Any] = {
            "campaign": self.campaign,
            "form": self.form,
            "sources": self.sources,
            "defaults": {one.key: labeled(one, one.default) for one in self.form.switches},
            "affected": affected,
            "moving": sum(bool(one.foreseen.moves or one.foreseen.refused) for one in affected or ()),
            "refused": refused,
            "reason_refused": reason_refused,
            "was": self.was,
            "decided": self.decided,
            "rows": self.rows,
        }
        return render(self.request, "campaigns/rules.html", context, status=status)


def with_stored(stale: StalePage, apart: Collection[str]) -> str:
    """The refusal, with the values in force that differ from the form's."""
    return f"{stale.sentence} Now {listed(apart)}." if apart else stale.sentence


def switches_of(ruleset: Ruleset, set_to: Collection[str]) -> list[Switch]:
    """The house rules on offer from all sources of the ruleset, group by group. `set_to`: those that are set."""
    return in_groups(bundle_for(ruleset, optional_sources(ruleset.pk)), set_to)


@require_POST
def set_exception(request: HttpRequest, campaign: int, seat: int) -> HttpResponse:
    """With a reason, a character plays by its own rules; with `end`, by the table's again."""
    person = visitor_of(request)
    try:
        if "end" in request.POST:
            found = table_rules.end_exception(campaign, person, request.POST.get("key", ""), seat)
            messages.success(request, f"{found.character} plays by the table’s rules.")
        else:
            found = table_rules.except_seat(campaign, person, seat, reason=request.POST.get("reason", ""))
            messages.success(request, f"{found.character} plays by its own rules.")
    except Refused as refused:
        page = RulesPage(request, member_of(campaign, person, RUN))
        if refused.field == "reason":
            return page.show(reason_refused=refused.sentence, status=422)
        return page.show(refused=refused.sentence, status=422)
    return SeeOther(reverse("campaigns:rules", args=[campaign]))
