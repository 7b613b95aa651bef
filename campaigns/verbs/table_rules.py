"""The house rules of a table: decided, followed by its characters, and exceptions from them."""

import contextlib
from collections.abc import Collection, Iterable, Mapping

from django.db import transaction

from campaigns.campaign_access import changing, row_of
from campaigns.following import tell_followers
from campaigns.models import Campaign, CampaignRules, RuleException, Seat, TableHomebrew
from campaigns.roles import RUN
from characters.change.journal import Part, perform_all
from characters.change.refusals import Refused, StalePage
from characters.change.text_input import clean
from characters.models import Character
from characters.people import Person
from characters.read.open_sources import optional_sources
from characters.read.party import versions_of
from characters.read.prose import digest_of
from characters.verbs.followed_rules import differing, following
from characters.verbs.switches import fitting
from rules.compile import bundle_for
from rules.homebrew import begun
from rules.models import Source


def digest(rules: CampaignRules | None) -> str:
    """A digest of the house rules that an edit starts from."""
    return digest_of({"switches": rules.switches, "sources": sorted(sources_of(rules))} if rules else {})


def decide(
    pk: int,
    person: Person,
    key: str,
    *,
    switches: Mapping[str, str],
    sources: Collection[str],
    was: str | None = None,
) -> list[Character]:
    """Decide the rules that the table plays by, and change every seated character that has no exception; returns those
    that changed.

    switches: those that differ from their defaults. was: the digest of the rules that the form showed. Raises
    StalePage if others are in force by now, Refused if a rule is not offered to this table, RefusedForSome if a
    character cannot follow.
    """
    with changing(pk, person, RUN, key=key) as member:
        campaign = member.campaign
        decided = rules_of(campaign)
        if was is not None and was != digest(decided) and not _same(decided, switches, sources):
            raise StalePage
        bundle = bundle_for(campaign.ruleset, optional_sources(campaign.ruleset_id))
        offered = bundle.offered_switches(decided.switches if decided else ())
        for rule, value in switches.items():
            fitting(offered, rule, value)
        rules = decided or CampaignRules(campaign=campaign)
        rules.switches = dict(switches)
        rules.save()
        among = offered_sources(campaign)
        rules.sources.set([source for slug, source in among.items() if slug in sources])
        seated = Character.objects.filter(seat__campaign=campaign, seat__exception=None, binned_at=None)
        followers = follow(rules, person, key, seated.select_related("ruleset"))
        tell_followers(pk)
    return followers


def _same(decided: CampaignRules | None, switches: Mapping[str, str], sources: Collection[str]) -> bool:
    """True if these are in force already, for example if the form was sent twice."""
    return decided is not None and decided.switches == dict(switches) and sources_of(decided) == frozenset(sources)


def follow(rules: CampaignRules, person: Person, key: str, characters: Iterable[Character]) -> list[Character]:
    """Make these characters play by the table's rules, in the caller's transaction. Returns those that played by
    others."""
    same_game = [one for one in characters if one.ruleset_id == rules.campaign.ruleset_id]
    sources = sources_of(rules)
    versions = versions_of(same_game)
    plays = {one.pk: (versions[one.pk].bundle, versions[one.pk].build) for one in same_game}
    behind = [one for one in same_game if differing(*plays[one.pk], rules.switches, sources)]
    act, what = following(rules.switches, sources), {"switches": rules.switches, "sources": sorted(sources)}
    perform_all([Part(one.pk, what, act) for one in behind], person, "follow_table", key)
    return behind


def rules_of(campaign: Campaign) -> CampaignRules | None:
    """The rules that the table has decided; None if each character plays by its own."""
    return CampaignRules.objects.filter(campaign=campaign).select_related("campaign").first()


def sources_of(rules: CampaignRules) -> frozenset[str]:
    return frozenset(rules.sources.values_list("slug", flat=True))


def homebrew_of(campaign: Campaign) -> Source | None:
    """The source that the table has made for itself; None if it has none."""
    return Source.objects.filter(homebrew__table__campaign=campaign).select_related("ruleset").first()


def homebrew_begun(campaign: Campaign) -> Source:
    """The table's own source, made if there is none; the caller has locked the campaign in its transaction."""
    found = homebrew_of(campaign)
    if found is None:
        found = begun(campaign.ruleset, f"Homebrew of {campaign}")
        TableHomebrew.objects.create(campaign=campaign, homebrew=found.homebrew)
    return found


def offered_sources(campaign: Campaign) -> dict[str, Source]:
    """The sources that this table may put in play, by slug: the public ones and its own."""
    ours = homebrew_of(campaign)
    return optional_sources(campaign.ruleset_id, besides=[ours.slug] if ours else [])


def except_seat(pk: int, person: Person, seat: int, *, reason: str) -> Seat:
    """Let this character play by its own rules, for this reason."""
    reason = clean(reason, limit=160, field="reason", empty="Say why, in a few words.")
    with changing(pk, person, RUN) as member:
        found = _seat(member.campaign, seat)
        RuleException.objects.update_or_create(seat=found, defaults={"reason": reason})
        tell_followers(pk)
    return found


def end_exception(pk: int, person: Person, key: str, seat: int) -> Seat:
    """Make this character play by the table's rules again."""
    with changing(pk, person, RUN, key=key) as member:
        found = _seat(member.campaign, seat)
        RuleException.objects.filter(seat=found).delete()
        if rules := rules_of(member.campaign):
            follow(rules, person, key, [found.character])
        tell_followers(pk)
    return found


def _seat(campaign: Campaign, seat: int) -> Seat:
    return row_of(campaign.seats.select_related("character__ruleset"), seat)


def sit_by_rules(seat: Seat, person: Person) -> None:
    """Make a character that sits down play by the table's rules. If it cannot, it sits down anyway and is marked."""
    rules = rules_of(seat.campaign)
    if rules is not None:
        with contextlib.suppress(Refused), transaction.atomic():
            follow(rules, person, f"seat-{seat.pk}-rules", [seat.character])


def own_rules_kept(seat: Seat) -> str:
    """A sentence on a character with its own house rules, perhaps those of a former table, at a table that has decided
    none; "" for all others."""
    version = versions_of([seat.character])[seat.character_id]
    if rules_of(seat.campaign) is not None or not differing(version.bundle, version.build, {}, ()):
        return ""
    return f"This table has no house rules, so {seat.character} keeps its own."
