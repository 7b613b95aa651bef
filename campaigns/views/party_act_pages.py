"""The storyteller's acts: a page for each, with a preview, and the acts that were done."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.acts import lately, needed_of
from campaigns.campaign_access import member_of
from campaigns.helping import HELP, helper_of
from campaigns.models import Member
from campaigns.roles import RUN
from campaigns.roster import RosterRow, deeds_at, rows_of
from campaigns.seen_party import SeenParty
from campaigns.verbs import party_acts
from campaigns.verbs.party_acts import CONTEST, EACH, GROUP, HALF, ONE
from campaigns.views.campaign_pages import campaign_page
from campaigns.views.encounter_pages import encounter_page
from characters.actions.carrying import CARRIED
from characters.actions.form_values import answers_of
from characters.actions.together import Deed, deeds_of
from characters.actions.what_if import Foreseen, foreseen
from characters.change.gain_experience import AskFirst
from characters.change.refusals import Refused, RefusedForSome
from characters.models import Character
from characters.pages.game_templates import template_of
from characters.pages.responses import SeeOther
from characters.pages.sheet.history_page import in_words
from characters.people import visitor_of
from rules.engine.content import Element
from rules.engine.many import at_least
from rules.games.contract import Asking


def ways_to_count(asking: Asking) -> dict[str, str]:
    """The ways in which the rolls of several count, in words. A game may have none for a group or for a contest."""
    ways = {EACH: "Each on their own", ONE: "One success is enough"}
    ways |= {GROUP: f"As a group: {asking.GROUP}"} if asking.GROUP else {}
    return ways | ({CONTEST: f"Against each other: {asking.CONTEST}"} if asking.CONTEST else {})


@dataclass
class Recipient:
    """A character that an act may be for, as the page shows it."""

    row: RosterRow
    deed: Deed | None
    ticked: bool
    option: str = ""
    refused: str = ""
    foreseen: Foreseen | None = None
    chance: Fraction | None = None

    @property
    def character(self) -> Character:
        return self.row.character

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def helps(self) -> str:
        """The option to send for a character whom this one helps."""
        return f"{HELP}{self.character.pk}"

    @cached_property
    def moves(self) -> dict[str, Any]:
        bundle = self.row.version.bundle
        return in_words(bundle, self.foreseen.moves) if self.foreseen else {}


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, campaign: int, deed: str) -> HttpResponse:
    person, name = visitor_of(request), deed.replace("-", "_")
    member = member_of(campaign, person, RUN)
    rows = rows_of(SeenParty(member, person))
    deeds = deeds_at(member.campaign, rows)
    if name not in deeds:
        if rows:
            raise Http404("No such act.")
        return campaign_page(request, campaign, refused="No character sits here yet.", status=422)
    page = ActPage(request, member, rows, name)
    if request.method != "POST":
        return page.show()
    try:
        page.check_still_here()
        if request.POST.get("do") == "look":
            page.look()
            return page.show()
        done = party_acts.do_to_several(
            campaign, person, request.POST.get("key", ""), name, page.sent, page.options, **page.more
        )
    except Refused as refused:
        return page.show(refused=refused, status=422)
    said = "" if not done.proposed else "Asked: " if done.asks else "Proposed: "
    messages.success(request, f"{said}{done.sentence}")
    return SeeOther(member.campaign.get_absolute_url())


class ActPage:
    """The form of one act, with what has been typed."""

    def __init__(self, request: HttpRequest, member: Member, rows: Sequence[RosterRow], name: str) -> None:
        self.request, self.member, self.name = request, member, name
        self.posted = request.POST if request.method == "POST" else request.GET
        everyone = "everyone" in self.posted
        ticked, half = set(self.posted.getlist("to")), set(self.posted.getlist("half"))
        left_out = self.posted.get("without", "").split()
        self.recipients = []
        for row in rows:
            if row.plays:
                pk = str(row.character.pk)
                own = deeds_of(row.character.ruleset.game).get(name)
                by_all = everyone and row.seat.member is not None and own is not None
                chosen = (pk in ticked or by_all) and pk not in left_out
                option = HALF if pk in half else self.posted.get(f"how-{pk}", "")
                self.recipients.append(Recipient(row, own, chosen, option))

    @property
    def chosen(self) -> list[Recipient]:
        return [one for one in self.recipients if one.ticked]

    @property
    def refusing(self) -> list[Recipient]:
        """Those whose refusal stops the act for the others; nobody if everyone who is chosen refuses."""
        found = [one for one in self.chosen if one.refused]
        return found if len(found) < len(self.chosen) else []

    @property
    def fields(self) -> set[str]:
        """The fields that show a refusal beside them."""
        return {*self.deed.action.fields, "rule", "reason", "to"}

    @property
    def options(self) -> dict[int, str]:
        return {one.character.pk: one.option for one in self.chosen}

    @property
    def asking(self) -> Asking | None:
        """The game's rules on asking for rolls, if that is the act; else None."""
        asking = self.first.row.version.bundle.game.asking
        return asking if asking and self.name == asking.ACTION else None

    @cached_property
    def first(self) -> Recipient:
        """The character whose game the form is of: one of those chosen, if possible of the table's game."""
        able = [one for one in (*self.chosen, *self.recipients) if one.deed]
        return min(able, key=lambda one: (not one.ticked, one.character.ruleset_id != self.member.campaign.ruleset_id))

    @property
    def deed(self) -> Deed:
        deed = self.first.deed
        assert deed is not None
        return deed

    @property
    def sent(self) -> dict[str, str]:
        sent = {field: self.posted[field] for field in self.deed.action.fields if self.posted.get(field)}
        if self.asking and self.hidden:
            sent.pop(self.asking.TARGET, None)
        return sent

    @property
    def split(self) -> bool:
        return "split" in self.posted and bool(self.deed.together.split)

    @property
    def hidden(self) -> bool:
        return "hidden" in self.posted

    def target(self, asking: Asking) -> int | None:
        """The difficulty of a roll that is asked for. Raises Refused if it is not a number."""
        number: int | None = answers_of(self.deed.action.fields, self.posted.dict())[asking.TARGET]
        return number

    def rule(self, asking: Asking) -> str:
        rule = self.posted.get("rule", EACH)
        if rule not in ways_to_count(asking):
            raise Refused("Choose how the rolls count.", "rule")
        if rule == CONTEST and len(self.chosen) < 2:
            raise Refused("Tick at least two.", "to")
        if rule == GROUP and asking.needed(len(self.chosen)) is None:
            fewest = next(many for many in count(1) if asking.needed(many) is not None)
            raise Refused(f"A group needs at least {fewest} characters. Choose another way to count.", "to")
        return rule

    @property
    def more(self) -> dict[str, Any]:
        """Arguments of the act besides the fields of its form."""
        more = {
            "proposed": self.posted.get("do") == "propose",
            "split": self.split,
            "reason": self.posted.get("reason", ""),
        }
        if asking := self.asking:
            more |= {"rule": self.rule(asking), "target": self.target(asking), "hidden": self.hidden}
        return more

    def check_still_here(self) -> None:
        """Raise Refused if one of those who were ticked has left the table or is in the bin."""
        wanted = {*self.posted.getlist("to")} - {*self.posted.get("without", "").split()}
        if wanted - {str(one.character.pk) for one in self.recipients}:
            raise Refused("One of those you ticked is no longer here. Nothing was done. Check who it is for.", "to")

    def look(self) -> None:
        """Preview the act for each ticked character, by the procedures that would do it. Nothing is written."""
        if not self.chosen:
            raise Refused("Tick who it is for.", "to")
        asking = self.asking
        if asking:
            self.check_chances(asking)
        person, share = visitor_of(self.request), len(self.chosen) if self.split else 1
        able = {one.character.pk: (one.character, one.row.version) for one in self.recipients}
        for one in self.chosen:
            if one.deed is None:
                one.refused = "Plays another game, which does not have this."
                continue
            sent = party_acts.for_one(one.deed, self.sent, one.option, share)
            if asking:
                known = {**sent, asking.TARGET: self.target(asking)}  # a hidden one, too
                try:
                    if one.deed.together.helped:
                        helper_of(one.character.pk, one.option, sent, able)
                    one.chance = party_acts.asked_roll(one.deed, known, one.character, one.row.version, person).chance
                except Refused as no:
                    one.refused = no.sentence
            else:
                part = one.deed.part(one.character.pk, sent, person)
                one.foreseen = foreseen(one.character, one.row.version, part.act)

    def check_chances(self, asking: Asking) -> None:
        """Raise Refused if there is no difficulty to know the chances by."""
        if self.rule(asking) == CONTEST:
            raise Refused("A contest has no difficulty to show chances for.", "rule")
        if self.target(asking) is None:
            raise Refused("Enter a difficulty to see the chances.", asking.TARGET)

    @property
    def joint_chances(self) -> list[tuple[str, Fraction]]:
        """The exact chances of all who are asked, if they are known: that one of them succeeds, that all do, and that
        the group does by its rule."""
        chances = [one.chance for one in self.chosen if one.chance is not None]
        if len(chances) < 2 or len(chances) < len(self.chosen):
            return []
        group = needed_of(GROUP, len(chances), self.first.character)
        found = [("At least one succeeds", at_least(chances, 1)), ("All succeed", at_least(chances, len(chances)))]
        if group is not None:
            found.append((f"The group succeeds, with {group} of {len(chances)}", at_least(chances, group)))
        return found

    def show(self, *, refused: Refused | None = None, status: int = 200) -> HttpResponse:
        why = refused.refusals if isinstance(refused, RefusedForSome) else {}
        for one in self.recipients:
            if one.character.pk in why:
                one.refused = why[one.character.pk].sentence
        version = self.first.row.version
        context = {
            "campaign": self.member.campaign,
            "act": self,
            "word": self.deed.together.word,
            "together": self.deed.together,
            "template": template_of(version.bundle, f"hand/{self.deed.action.slug}.html"),
            "table": version.table,
            "stackable": version.bundle.stackable,
            "levels": version.bundle.game.levels,
            "held": self.held,
            "sent": self.posted,
            "refused": None if why else refused,
            "refused_for_some": bool(why),
            "looked": self.request.method == "POST" and refused is None,
            "asks_first": any(isinstance(one, AskFirst) for one in why.values()),
            "rules": ways_to_count(self.asking) if self.asking else {},
            "rolls": self.asking.rolls(version.sheet) if self.asking else [],
            "ladder": self.asking.ladder(version.bundle) if self.asking else [],
        }
        return render(self.request, "campaigns/act.html", context, status=status)

    @property
    def things(self) -> list[tuple[str, list[Element]]]:
        """The things that may be given, by kind."""
        bundle = self.first.row.version.bundle
        return [(kind.title(), bundle.offered(kind)) for kind in sorted(CARRIED)]

    @property
    def held(self) -> list[tuple[str, str]]:
        """The conditions in force on any of them, by name."""
        found = {
            held.ref: one.row.version.bundle.called(held.ref)
            for one in self.recipients
            for held in one.row.version.build.conditions
        }
        return sorted(found.items(), key=lambda pair: pair[1])


@require_safe
def acts(request: HttpRequest, campaign: int) -> HttpResponse:
    """The newest acts with their results, for a page that follows them."""
    found = member_of(campaign, visitor_of(request), RUN).campaign
    return render(request, "campaigns/_acts.html", {"campaign": found, **lately(found)})


@require_POST
def undo(request: HttpRequest, campaign: int, number: int) -> HttpResponse:
    fights = "fight" in request.POST
    try:
        done = party_acts.undo(campaign, visitor_of(request), request.POST.get("key", ""), number)
    except Refused as refused:
        page = encounter_page if fights else campaign_page
        return page(request, campaign, refused=refused.sentence, status=422)
    messages.success(request, done.sentence)
    if fights:
        return SeeOther(reverse("campaigns:encounter", args=[campaign]))
    return SeeOther(reverse("campaigns:campaign", args=[campaign]) + "#acts")
