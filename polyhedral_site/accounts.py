"""Forms of the accounts library, with the site's own labels and error messages."""

from typing import Any, ClassVar
from unicodedata import normalize

from allauth.account import app_settings
from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    LoginForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
)
from allauth.account.models import EmailAddress
from allauth.account.utils import filter_users_by_email, filter_users_by_username
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.validators import EmailValidator, MaxLengthValidator, RegexValidator, validate_email
from django.forms import EmailField, Field

NEW = {"password1": "New password", "password2": "New password again"}
REFUSALS = {
    "required": "Fill this in.",
    "min_length": "That is too short: at least %(limit_value)d characters.",
    "max_length": "That is too long: at most %(limit_value)d characters.",
}
# The library's forms accept longer addresses than its column can store.
FITS = MaxLengthValidator(EmailAddress._meta.get_field("email").max_length, REFUSALS["max_length"])
# A table sees the name, so it must not look like someone's address.
NO_ADDRESS = RegexValidator(
    r"@.*\.", "Other people see this name, so it cannot be an email address.", inverse_match=True
)
USERNAME_VALIDATORS = [
    UnicodeUsernameValidator(message="Use only letters, digits and . - _ + @, and no spaces."),
    NO_ADDRESS,
]


def is_address(text: str) -> None:
    """Raise ValidationError, with a single reason, unless this is an email address that fits."""
    FITS(text)
    validate_email(text)


class SaidHere:
    """A mixin for forms: labels and refusals in the site's words (docs/voice.md)."""

    fields: dict[str, Field]
    labels: ClassVar[dict[str, str]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in self.labels.items():
            self.fields[name].label = label
        for field in self.fields.values():
            field.error_messages.update(REFUSALS)
            if isinstance(field, EmailField):
                field.error_messages["invalid"] = "Type an email address, such as ana@example.org."
                others = [one for one in field.validators if not isinstance(one, MaxLengthValidator | EmailValidator)]
                field.validators = [*others, is_address]
                field.widget.attrs["maxlength"] = str(FITS.limit_value)


class SignUpForm(SaidHere, SignupForm):
    # Makes spellings that look alike the same name, such as wide letters or a separate accent character.
    username = UsernameField(min_length=app_settings.USERNAME_MIN_LENGTH)


class AddressForm(SaidHere, AddEmailForm):
    pass


class AskForLinkForm(SaidHere, ResetPasswordForm):
    pass


class SignInForm(SaidHere, LoginForm):
    error_title = "Not signed in"
    labels: ClassVar[dict[str, str]] = {"login": "Username or email"}  # the library has only a placeholder

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.widget.attrs |= {"autocomplete": "username", "maxlength": str(FITS.limit_value)}
        login.validators = [*login.validators, FITS]  # SQLite cannot search for 50,000 characters

    def clean_login(self) -> str:
        """The login in the spelling of an account: as typed, for accounts from before sign-up normalized names, or else
        as sign-up stores it."""
        typed: str = super().clean_login()
        spelled = normalize("NFKC", typed)
        known = spelled == typed or filter_users_by_username(typed).exists() or filter_users_by_email(typed)
        return typed if known else spelled


class NewPasswordForm(SaidHere, ChangePasswordForm):
    labels: ClassVar[dict[str, str]] = {"oldpassword": "Current password", **NEW}


class ForgottenPasswordForm(SaidHere, ResetPasswordKeyForm):
    labels: ClassVar[dict[str, str]] = NEW
