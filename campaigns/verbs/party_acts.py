"""The storyteller's acts on several characters at the table. Each is done to all of them or to none."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.http import Http404

from campaigns.campaign_access import changing
from campaigns.following import tell_followers
from campaigns.helping import helper_in, helper_of, with_help
from campaigns.models import Campaign, Encounter, Member, PartyAct
from campaigns.names_apart import names_at
from campaigns.roles import RUN
from characters.access import playable_by
from characters.actions.act import act_of
from characters.actions.action_context import allowed
from characters.actions.form_values import answers_of
from characters.actions.proposals import Proposed, asks, check_answerable, propose, roll_of, withdraw
from characters.actions.registry import actions_of
from characters.actions.together import Deed, deeds_of
from characters.change.arguments import fingerprint_of, shortened, storable
from characters.change.journal import Part, check_key, perform_all
from characters.change.refusals import KeyReused, Refused, RefusedForSome
from characters.change.text_input import clean, in_digits
from characters.models import Change, Character, not_undone
from characters.people import Person
from characters.read.party import versions_of
from characters.read.versions import Version
from rules.games import GAMES
from rules.games.contract import RollAhead
from rules.games.outcome import listed
from rules.games.table_action import Together

HALF = "half"
# The rules by which several requested rolls count together.
EACH, ONE, GROUP, CONTEST = "each", "one", "group", "contest"
GONE = "No longer at this table."


def do_to_several(
    pk: int,
    person: Person,
    key: str,
    verb: str,
    sent: Mapping[str, Any],
    options: Mapping[int, str],
    *,
    proposed: bool = False,
    split: bool = False,
    reason: str = "",
    **facts: Any,
) -> PartyAct:
    """Do an action to several characters, or propose it to their players. The same key returns the same act.

    verb: the name of the action. sent: its fields, as the form has them for all. options: by the id of each character
    that it is for, "" or the one thing that differs for it: HALF (half of the number), a word of `Together.for_some`,
    or its helper (`campaigns.helping`). split: the number is shared among all. facts: what else to store with the act.
    Raises RefusedForSome with the refusal of each.
    """
    check_key(key)
    reason = clean(reason, limit=160, field="reason")
    asked = {"sent": dict(sent), "to": {str(one): option for one, option in sorted(options.items())}, "split": split}
    fingerprint = fingerprint_of(name=verb, proposed=proposed, reason=reason, **asked, **facts)
    what = storable({**asked, **facts, "reason": reason})
    with changing(pk, person, RUN) as member:
        act = PartyAct(campaign=member.campaign, by=member, verb=verb, key=key, fingerprint=fingerprint, what=what)
        if earlier := done_before(act):
            return earlier
        characters = _recipients(member.campaign, person, options)
        deeds = {one.pk: _deed(one, verb) for one in characters}
        for one, option in options.items():
            _check_option(deeds[one].together, option)
        helpers = _helpers(member.campaign, person, sent, options, deeds)
        share = len(options) if split else 1
        each_sent = {one: for_one(deeds[one], sent, option, share) for one, option in options.items()}
        act.proposed = proposed or any(deed.together.proposed for deed in deeds.values())
        if act.proposed:
            check_proposed(characters, deeds, each_sent, person)
            proposals = [Proposed(one, own, with_help(reason, helpers.get(one))) for one, own in each_sent.items()]
            propose(proposals, person, verb, key)
        else:
            parts = [deeds[one].part(one, own, person) for one, own in each_sent.items()]
            perform_all(parts, person, verb, key, reason=reason)
        words = _words(deeds[characters[0].pk], sent, characters, split=split)
        whom = listed(_whom(member.campaign, characters, options, helpers))
        return record_act(act, f"{words}: {whom}.", characters)


def check_proposed(
    characters: Iterable[Character],
    deeds: Mapping[int, Deed],
    each_sent: Mapping[int, Mapping[str, Any]],
    person: Person,
) -> None:
    """Raise RefusedForSome if a character is asked for a roll that it cannot make, or its player for an answer that
    they can neither give nor decline."""
    versions, refused = versions_of(characters), {}
    for one in characters:
        deed, version = deeds[one.pk], versions[one.pk]
        try:
            if asks(deed, version):
                asked_roll(deed, each_sent[one.pk], one, version, person)
            check_answerable(deed, each_sent[one.pk], one, version, person)
        except Refused as no:
            refused[one.pk] = no
    if refused:
        raise RefusedForSome(refused)


def asked_roll(
    deed: Deed, sent: Mapping[str, Any], character: Character, version: Version, person: Person
) -> RollAhead:
    """The roll that is asked of a character, as it would be made now. Raises Refused if they cannot make it."""
    roll = allowed(roll_of, deed, sent, character, version, person)
    if roll is None:
        raise Refused("Has no such roll.")
    return roll


def hit(pk: int, person: Person, key: str, character: int, *, amount: int, heal: bool, reason: str = "") -> PartyAct:
    """Hit one character, or heal it, by its game's own act for that."""
    found = Character.objects.filter(playable_by(person), seat__campaign=pk, pk=character)
    game = found.values_list("ruleset__game", flat=True).first()
    if game is None:
        raise Refused("That character no longer sits at this table. Nothing was done.")
    rules = GAMES[game].encounter
    verb = rules.HEAL if heal else rules.HIT
    if not verb:
        raise Refused("This game does not have that.")
    return do_to_several(pk, person, key, verb, {"amount": str(amount)}, {character: ""}, reason=reason)


def newest_hit(encounter: Encounter, verbs: Iterable[str]) -> PartyAct | None:
    """The newest of these acts since the encounter began that was not undone, for all or by each player."""
    there = PartyAct.objects.filter(campaign=encounter.campaign_id, at__gte=encounter.made_at)
    made = Change.objects.filter(not_undone(), character__seat__campaign=encounter.campaign_id, key=OuterRef("key"))
    return there.filter(Exists(made), verb__in=verbs, proposed=False, inverted_by=None).first()


def undo(pk: int, person: Person, key: str, number: int) -> PartyAct:
    """Undo an act for all of its characters, and withdraw the proposals that still wait; undoing that does the act
    again.

    A character that has undone it already stays as it is, and one that has left the table keeps the change: the
    sentence names them.
    """
    with changing(pk, person, RUN, key=key) as member:
        target = PartyAct.objects.filter(campaign=pk, pk=number).first()
        if target is None:
            raise Http404("No such act.")
        return undo_act(member, person, person, key, target)


def undo_act(member: Member, person: Person, runner: Person, key: str, target: PartyAct) -> PartyAct:
    """Undo an act in this person's name, for those of its characters that `runner` may play. The caller has locked the
    campaign. The same key returns the same act."""
    act = PartyAct(campaign=member.campaign, by=member, verb="undo", key=key, inverts_id=target.pk, proposed=False)
    act.fingerprint, act.what = fingerprint_of(act=target.pk), {"act": target.pk, "again": target.is_undoing}
    if earlier := done_before(act):
        return earlier
    if target.inverted:
        raise Refused("That is undone already.")
    characters = list(target.characters.select_related("ruleset").order_by("name", "pk"))
    # This also locks the characters, so that no player undoes their own part after what stands has been read.
    withdrawn = withdraw([one.pk for one in characters], [target.key])
    seated = target.characters.filter(playable_by(runner), seat__campaign=target.campaign_id)
    made = list(Change.objects.filter(character__in=seated, key=first_of(target).key).values_list("pk", flat=True))
    # A player may have undone it and done it again: what stands now is the last of those changes.
    last = Change.objects.filter(Q(pk__in=made) | Q(root__in=made), inverted_by=None)
    to_undo = {one.character_id: one.sequence for one in last if one.takes_back == target.is_undoing}
    changed = [one for one in characters if one.pk in to_undo]
    undone = [one for one in characters if one.pk in {*to_undo, *withdrawn}]
    if not undone:
        raise Refused("There is nothing left to undo.")
    try:
        perform_all((_undoing(one, to_undo[one.pk], runner) for one in changed), runner, "undo", key, actor=person)
    except RefusedForSome as no:  # with only their reasons, it would look undone for the others
        raise Refused(f"Nothing was done. {no.sentence}") from no
    word = "Redone" if target.is_undoing else "Undone" if changed else "Withdrawn"
    return record_act(act, _undone(word, target, undone), changed or undone)


def first_of(act: PartyAct) -> PartyAct:
    """The first act in a chain of undoing and redoing; an act that undoes none is its own first."""
    while act.inverts is not None:
        act = act.inverts
    return act


def _undone(word: str, target: PartyAct, undone: Sequence[Character]) -> str:
    """`Undone: Damage 7: Mara and Borrin.` or, if it did not reach all of them, `Undone for Mara: Damage 7: Mara and
    Borrin. Unchanged: Borrin.` The act named is the first of the chain."""
    first = first_of(target)
    kept = [one for one in first.characters.order_by("name", "pk") if one not in undone]
    if not kept:
        return f"{word}: {first.sentence}"
    names = names_at(target.campaign)
    reached, missed = (listed(names.get(one.pk, str(one)) for one in some) for some in (undone, kept))
    return f"{shortened(f'{word} for {reached}: {first.sentence}', 200)} Unchanged: {missed}."


def done_before(act: PartyAct) -> PartyAct | None:
    """The stored act with the same key, if there is one; KeyReused if that is a different act."""
    earlier = PartyAct.objects.filter(campaign=act.campaign_id, key=act.key).first()
    if earlier is not None and (earlier.verb, earlier.fingerprint) != (act.verb, act.fingerprint):
        raise KeyReused
    return earlier


def _recipients(campaign: Campaign, person: Person, pks: Collection[int]) -> list[Character]:
    """These characters of the table, in the order in which they sat down. Raises RefusedForSome, with one sentence for
    all that are not here, whether they left or never were."""
    if not pks:
        raise Refused("Tick who it is for.", "to")
    characters = _seated(campaign, person, pks)
    here = {one.pk for one in characters}
    if gone := [pk for pk in pks if pk not in here]:
        raise RefusedForSome({pk: Refused(GONE, "to") for pk in gone})
    return characters


def _seated(campaign: Campaign, person: Person, pks: Collection[int]) -> list[Character]:
    found = Character.objects.filter(playable_by(person), seat__campaign=campaign, pk__in=list(pks))
    return list(found.select_related("ruleset").order_by("seat"))


def _deed(character: Character, verb: str) -> Deed:
    deed = deeds_of(character.ruleset.game).get(verb)
    if deed is None:
        raise Refused(f"{character} plays another game, which does not have this.", "to")
    return deed


def _check_option(together: Together, option: str) -> None:
    """Raise Refused unless this may be sent for a character."""
    if option not in ("", HALF, *(way.word for way in together.for_some)) and helper_in(option) is None:
        raise Refused("Choose one of the ways that are offered.", "to")


def _helpers(
    campaign: Campaign, person: Person, sent: Mapping[str, Any], options: Mapping[int, str], deeds: Mapping[int, Deed]
) -> dict[int, Character]:
    """The helper of each character that is helped, by the latter's id. Raises RefusedForSome if one cannot help."""
    asked = {one: option for one, option in options.items() if deeds[one].together.helped}
    wanted = {pk for option in asked.values() if (pk := helper_in(option)) is not None}
    characters = _seated(campaign, person, wanted) if wanted else []
    versions = versions_of(characters)
    able = {one.pk: (one, versions[one.pk]) for one in characters}
    helpers, refused = {}, {}
    for one, option in asked.items():
        try:
            helper = helper_of(one, option, sent, able)
        except Refused as no:
            refused[one] = no
        else:
            if helper is not None:
                helpers[one] = helper
    if refused:
        raise RefusedForSome(refused)
    return helpers


def for_one(deed: Deed, sent: Mapping[str, Any], option: str, share: int) -> dict[str, Any]:
    """The fields for one character: as sent, with its half or share of the number, rounded down. Raises Refused if the
    act does not take them."""
    fields = {field: sent[field] for field in deed.action.fields if field in sent}
    answers = answers_of(deed.action.fields, fields)
    if option == HALF and deed.together.half:
        fields[deed.together.half] = str(answers[deed.together.half] // 2)
    fields.update(next((way.settles for way in deed.together.for_some if way.word == option), {}))
    if helper_in(option) is not None:
        fields.update(deed.together.helped)
    if share > 1 and deed.together.split:
        fields[deed.together.split] = str(answers[deed.together.split] // share)
    answers_of(deed.action.fields, fields)  # Refused if the half or the share is too little
    return fields


def _undoing(character: Character, sequence: int, person: Person) -> Part:
    answers = {"change": sequence}
    return Part(character.pk, answers, act_of(actions_of(character.ruleset.game)["undo"], answers, person))


def _words(deed: Deed, sent: Mapping[str, Any], characters: Sequence[Character], *, split: bool) -> str:
    """`Damage 7`, or `XP 101 split, 50 each`."""
    first = characters[0]  # its own rules have the names of the table's homebrew
    words = deed.words(sent, versions_of([first])[first.pk])
    if split and (field := deed.together.split):
        words += f" split, {in_digits(int(for_one(deed, sent, '', len(characters))[field]))} each"
    return words


def _whom(
    campaign: Campaign, characters: Iterable[Character], options: Mapping[int, str], helpers: Mapping[int, Character]
) -> list[str]:
    """`Mara`, `Borrin (half)`, `Nell (helped by Mara)`."""
    names = names_at(campaign)
    asides = {one: option.lower() for one, option in options.items()}
    asides |= {one: f"helped by {names[helper.pk]}" for one, helper in helpers.items()}
    return [f"{names[one.pk]}{f' ({asides[one.pk]})' if asides[one.pk] else ''}" for one in characters]


def new_act(member: Member, verb: str, key: str, what: dict[str, Any]) -> PartyAct:
    """An act with these arguments, not stored yet."""
    act = PartyAct(campaign=member.campaign, by=member, verb=verb, key=key, what=what, proposed=False)
    act.fingerprint = fingerprint_of(**what)
    return act


def record_act(act: PartyAct, sentence: str, characters: Iterable[Character]) -> PartyAct:
    """Store an act that has been done to these characters, and tell the pages that follow the table."""
    act.sentence = shortened(sentence)
    act.save(force_insert=True)
    act.characters.set(characters)
    tell_followers(act.campaign_id)
    return act
