"""Chooses the face of a character, and serves an uploaded one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from characters.change.portraits import LARGEST, TOO_LARGE, BadPicture, portrait
from characters.change.refusals import Refused
from characters.models import Picture
from characters.pages.responses import SeeOther
from characters.read.faces import EMBLEMS, PICTURE, PORTRAITS
from characters.read.open import OpenCharacter, find_readable
from characters.verbs import set_face, set_picture

A_YEAR = 365 * 24 * 3600


class PictureForm(forms.Form):
    """An uploaded picture, cleaned to the portrait that is stored. Cleaning comes before any transaction, since a large
    picture takes a while."""

    picture = forms.FileField(
        label="A picture",
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp,image/gif"}),
        help_text="JPEG, PNG, WebP or GIF, up to 8\N{NO-BREAK SPACE}MB. The site keeps a square from the"
        " middle, without anything that the camera noted, such as the place.",
        error_messages={"required": "Choose a picture first.", "empty": "That file is empty."},
    )
    key = forms.CharField(min_length=8, max_length=64, widget=forms.HiddenInput)

    def clean_picture(self) -> bytes:
        picture = self.cleaned_data["picture"]
        if picture.size > LARGEST:
            raise forms.ValidationError(TOO_LARGE)
        try:
            return portrait(picture.read())
        except BadPicture as wrong:
            raise forms.ValidationError(str(wrong)) from wrong


@require_http_methods(["GET", "HEAD", "POST"])
def face(request: HttpRequest, pk: int) -> HttpResponse:
    opened = OpenCharacter.playable(request, pk)
    if request.method != "POST":
        return show(request, opened, PictureForm())
    if "face" in request.POST:
        form = PictureForm()
        try:
            change = set_face(pk, opened.visitor, request.POST.get("key", ""), face=request.POST["face"])
        except Refused as refused:
            return show(request, opened, form, refused=refused.sentence, status=422)
    else:
        form = PictureForm(request.POST, request.FILES)
        if not form.is_valid():
            return show(request, opened, form, status=422)
        try:
            change = set_picture(pk, opened.visitor, form.cleaned_data["key"], picture=form.cleaned_data["picture"])
        except Refused as refused:
            form.add_error("picture", refused.sentence)
            return show(request, opened, form, status=422)
    messages.success(request, change.sentence)
    return SeeOther(reverse("characters:face", args=[pk]))


def show(
    request: HttpRequest, opened: OpenCharacter, form: forms.Form, *, refused: str = "", status: int = 200
) -> HttpResponse:
    context = {
        **opened.context,
        "portraits": PORTRAITS,
        "emblems": EMBLEMS,
        "form": form,
        "refused": refused,
    }
    return render(request, "characters/face.html", context, status=status)


@require_safe
def picture(request: HttpRequest, digest: str, **where: Any) -> HttpResponse:
    """The uploaded portrait that the character has. The address changes with the picture, so a browser may keep it."""
    character = find_readable(request, **where)
    return picture_of(character.face, digest)


def picture_of(face: str, digest: str) -> HttpResponse:
    """The picture of this digest; Http404 unless it is the face."""
    if face != f"{PICTURE}:{digest}":
        raise Http404("No such picture.")
    kept = get_object_or_404(Picture, digest=digest)
    return HttpResponse(
        bytes(kept.data),
        content_type="image/webp",
        headers={"Cache-Control": f"private, max-age={A_YEAR}, immutable", "Content-Disposition": "inline"},
    )
