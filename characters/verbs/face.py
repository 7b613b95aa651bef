import hashlib
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.change.draft import Draft
from characters.change.journal import perform
from characters.change.refusals import Refused
from characters.change.text_input import who
from characters.models import Change, Character, Picture
from characters.people import Person
from characters.read.faces import ALL, DRAWN, PICTURE

FACE = "field:face"
MOST_PICTURES = 50  # of one character; each is kept, since an undo can bring it back


def set_face(pk: int, person: Person, key: str, *, face: str) -> Change:
    """Set a drawn portrait or emblem by its name; "" for the initials."""
    if face and face not in ALL:
        raise Refused("There is no such face. Choose one of those shown.", "face")

    def act(draft: Draft) -> str:
        draft.put(FACE, face and f"{DRAWN}:{face}")
        draft.check_moved("face")
        return f"{who(draft)} has a new face: {ALL.get(face, 'initials').lower()}."

    return perform(pk, person, "set_face", key, {"face": face}, act)


def set_picture(pk: int, person: Person, key: str, *, picture: bytes) -> Change:
    """Set an uploaded portrait, in the form that `portraits.portrait` returns."""
    digest = hashlib.sha256(picture).hexdigest()

    def act(draft: Draft) -> str:
        uploads = Change.objects.filter(character=draft.character, verb="set_picture")
        if uploads.count() >= MOST_PICTURES:
            raise Refused(
                f"This character has had {MOST_PICTURES} pictures, and that is the limit. Choose a drawn face.",
                "picture",
            )
        draft.put(FACE, keep_picture(picture))
        return f"{who(draft)} has a new picture."

    return perform(pk, person, "set_picture", key, {"digest": digest}, act)


def keep_picture(picture: bytes) -> str:
    """Store a picture that `portraits.portrait` has made, in the caller's transaction; returns the value of `face` for
    it."""
    digest = hashlib.sha256(picture).hexdigest()
    # A picture that is here already is new again, so that nobody forgets it before it is a face.
    rows = [Picture(digest=digest, data=picture, size=len(picture))]
    Picture.objects.bulk_create(rows, update_conflicts=True, unique_fields=["digest"], update_fields=["made_at"])
    return f"{PICTURE}:{digest}"


def forget_pictures(others: QuerySet) -> int:
    """Delete the pictures that no character has and no undo can bring back; returns how many.

    others: a query for the faces of anything else that has pictures; it runs inside the transaction.
    """
    with transaction.atomic():
        faces = set(Character.objects.exclude(face="").values_list("face", flat=True))
        for before, after in Change.objects.filter(after__has_key=FACE).values_list("before", "after").iterator():
            faces |= {before[FACE], after[FACE]}
        faces |= set(others)
        old = Picture.objects.filter(made_at__lt=timezone.now() - timedelta(days=1))
        gone = [pk for pk, digest in old.values_list("pk", "digest") if f"{PICTURE}:{digest}" not in faces]
        return old.filter(pk__in=gone).delete()[0]
