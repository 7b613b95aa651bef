"""The page on which people delete their account, at once and for good (decision 088)."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from campaigns.models import Member, Seat
from campaigns.roles import LEADS, OWN
from campaigns.verbs import leadership, seats
from campaigns.verbs.membership import lock_tables
from characters.models import Character
from characters.pages.responses import SeeOther
from characters.people import Person
from rules.models import Homebrew

SAME = "Type your username as it is written above."


class DeletionForm(forms.Form):
    username = forms.CharField(
        label="Your username",
        max_length=150,
        error_messages={"required": SAME, "max_length": SAME},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    error_title = "Not deleted"

    def __init__(self, *args: Any, of: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.of = of

    def clean_username(self) -> str:
        if self.cleaned_data["username"] != self.of:
            raise forms.ValidationError(SAME)
        return self.of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # asks for the password before the page asks for the name
def delete_account(request: HttpRequest) -> HttpResponse:
    user = request.user
    form = DeletionForm(request.POST if request.method == "POST" else None, of=user.get_username())
    if form.is_bound and form.is_valid():
        address = EmailAddress.objects.get_primary_email(user)
        delete(user)
        logout(request)
        get_adapter(request).send_notification_mail("account/email/account_deleted", user, email=address)
        messages.success(request, "Your account and its characters were deleted.")
        return SeeOther("/")
    mine = Character.objects.filter(owner=user)
    context = {
        "form": form,
        "characters": mine.count(),
        "binned": mine.filter(binned_at__isnull=False).count(),
        "homebrew": Homebrew.objects.filter(owner=user).exists(),
        "leads": Member.objects.filter(user=user, role=LEADS, campaign__binned_at=None).count(),
    }
    return render(request, "account/delete.html", context, status=422 if form.is_bound else 200)


def delete(user: AbstractBaseUser) -> None:
    """Delete the account with its characters and seats, all or nothing."""
    while not _deleted(user):
        pass


def _deleted(user: AbstractBaseUser) -> bool:
    """Lock tables, characters and account, in the same order as every verb, and delete. Until that is done, nobody can
    give a role on these characters, change them or begin another.

    False if the person joined another table before the account was locked.
    """
    account = get_user_model().objects.filter(pk=user.pk)
    with transaction.atomic(durable=True):
        tables = lock_tables(Person(user))
        members = Member.objects.filter(user=user.pk)
        taken = Seat.objects.filter(member__in=members).values("character")
        for rows in (Character.objects.filter(Q(owner=user.pk) | Q(pk__in=taken)), account):
            list(rows.select_for_update().order_by("pk").values_list("pk"))
        if members.exclude(campaign__in=tables).exists():
            return False
        for member in members.filter(gone_at=None):
            seats.clear_seats_of(member)
            if member.may(OWN):
                leadership.tell_heirs(member)
        account.delete()
    return True
