"""The page to choose notifications by mail, and the link in each email that ends them."""

from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from campaigns.notification_kinds import KINDS
from characters.pages.responses import SeeOther

from . import notification_mail
from .models import MailChoice

NEVER = "never"
WHEN = ((NEVER, "No email"), (MailChoice.SOON, "Soon"), (MailChoice.DAILY, "Once a day"))


class MailForm(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, prefix="mail", **kwargs)
        for name, kind in KINDS.items():
            refusals = dict.fromkeys(("required", "invalid_choice"), "Choose one of these three.")
            self.fields[name] = forms.ChoiceField(label=kind.label, choices=WHEN, error_messages=refusals)

    @property
    def wanted(self) -> dict[str, str]:
        """Kind -> when it is mailed; kinds that are not mailed are left out."""
        return {kind: when for kind, when in self.cleaned_data.items() if when != NEVER}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest) -> HttpResponse:
    address = EmailAddress.objects.filter(user=request.user, primary=True, verified=True).first()
    chosen = dict(MailChoice.objects.filter(user=request.user).values_list("kind", "when"))
    form = MailForm(request.POST if request.method == "POST" else None, initial=dict.fromkeys(KINDS, NEVER) | chosen)
    if form.is_bound and address and form.is_valid():
        notification_mail.choose(request.user, form.wanted)
        messages.success(request, "Saved.")
        return SeeOther(reverse("account_notifications"))
    context = {"form": form, "address": address, "zone": timezone.get_current_timezone_name()}
    return render(request, "account/notifications.html", context, status=422 if form.is_bound else 200)


@csrf_exempt  # mail programs post without our page; the signature says for whom (RFC 8058)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, signed: str) -> HttpResponse:
    """End notifications: at once on POST, which mail programs send themselves; on GET, ask first."""
    user = notification_mail.recipient(signed)
    known = user is not None
    if done := user is not None and request.method == "POST":
        notification_mail.stop(user)
    return render(request, "account/unsubscribe.html", {"known": known, "done": done}, status=200 if known else 404)
