"""Notes of a table: written, rewritten, deleted and restored by those who run it."""

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.following import tell_followers
from campaigns.models import CampaignNote, Member, Reveal
from campaigns.models.campaign_note import EVERYONE, ONE, STORYTELLERS
from campaigns.roles import RUN, SEE
from characters.change.refusals import KeyReused, Refused, StalePage
from characters.models import Character
from characters.people import Person

MOST = 500


def notes_for(member: Member) -> QuerySet:
    """The notes that this person reads, the newest first."""
    notes = CampaignNote.objects.filter(campaign=member.campaign_id, binned_at=None).select_related("character", "by")
    if member.may(RUN):
        return notes
    return notes.filter(Q(audience=EVERYONE) | Q(audience=ONE, character__seat__member=member))


def shown_to(members: QuerySet) -> Q:
    """A filter for the reveals that were made to these members, of notes that they may still read."""
    still = Q(note__binned_at=None) & (Q(note__audience=EVERYONE) | Q(note__character=F("character")))
    return still & (Q(character=None) | Q(character__seat__member__in=members))


def reveals_for(member: Member) -> QuerySet:
    """The reveals at their table of the notes that this person reads, the newest first."""
    found = Reveal.objects.filter(note__campaign=member.campaign_id).select_related("note", "character", "by")
    return found.filter(Q(note__binned_at=None) if member.may(RUN) else shown_to(Member.objects.filter(pk=member.pk)))


def unseen_by(member: Member) -> QuerySet:
    """The reveals to this person, by others, that they have not seen."""
    news = reveals_for(member).filter(shown_to(Member.objects.filter(pk=member.pk)), pk__gt=member.reveals_seen)
    return news.exclude(by=member)


def reveals_seen(pk: int, person: Person, newest: int) -> None:
    """A member has seen what was shown up to this reveal. An older page changes nothing."""
    with changing(pk, person, SEE) as member:
        known = reveals_for(member).filter(pk__lte=newest).first()
        if known is not None:
            Member.objects.filter(pk=member.pk, reveals_seen__lt=known.pk).update(reveals_seen=known.pk)


def write(pk: int, person: Person, key: str, *, text: str, reader: str) -> CampaignNote:
    """Write a note. `reader` says for whom: storytellers, everyone, or the player of a character at this table
    (`CampaignNote.reader`). The same key returns the same note."""
    with changing(pk, person, RUN, key=key) as member:
        known = CampaignNote.objects.filter(campaign=pk, key=key).first()
        if known is not None:
            if (known.text, known.reader) != (text, reader):
                raise KeyReused
            return known
        if CampaignNote.objects.filter(campaign=pk).count() >= MOST:
            raise Refused(f"There are {MOST} notes already, and that is the limit.", "text")
        note = CampaignNote.objects.create(
            campaign=member.campaign, text=text, by=member, key=key, changed_at=timezone.now(), **_audience(pk, reader)
        )
        if note.audience != STORYTELLERS:
            note.reveals.create(character=note.character, by=member)
        tell_followers(pk)
    return note


def rewrite(pk: int, person: Person, note: int, *, text: str, reader: str, was: str) -> CampaignNote:
    """Change the text or the readers. `was` is the digest that the edit started from; raises StalePage with the note if
    something else is stored by now."""
    with changing(pk, person, RUN) as member:
        found = _note(pk, note)
        if found.binned_at is not None:
            raise Refused("Someone else has deleted this note. Copy your text, and save it as a new one.", "text")
        if (found.text, found.reader) == (text, reader):
            return found
        if was != found.digest:
            raise StalePage(field="text", stored=found)
        before = found.reader
        for column, value in {"text": text, "changed_at": timezone.now(), **_audience(pk, reader, found)}.items():
            setattr(found, column, value)
        found.save()
        if found.reader not in (before, STORYTELLERS) and before != EVERYONE:
            found.reveals.create(character=found.character, by=member)
        tell_followers(pk)
    return found


def bin_note(pk: int, person: Person, note: int, *, back: bool = False) -> CampaignNote:
    """Move a note into the bin, or with `back=True` out of it. Repeating either changes nothing."""
    with changing(pk, person, RUN):
        found = _note(pk, note)
        found.binned_at = None if back else found.binned_at or timezone.now()
        found.save(update_fields=["binned_at"])
        tell_followers(pk)
    return found


def _audience(pk: int, reader: str, note: CampaignNote | None = None) -> dict[str, object]:
    """The columns for these readers. A note may stay with its character, even if the character sits elsewhere by
    now."""
    word, _, character = reader.partition(":")
    if word != ONE:
        return {"audience": word, "character": None}
    at_table = Q(seat__campaign=pk) | (Q(pk=note.character_id) if note and note.character_id else Q(pk__in=[]))
    found = Character.objects.filter(at_table, pk=int(character)).first()
    if found is None:
        raise Refused("That character no longer sits at this table.", "reader")
    return {"audience": ONE, "character": found}


def _note(pk: int, note: int) -> CampaignNote:
    return row_of(CampaignNote.objects.filter(campaign=pk).select_related("character"), note)
