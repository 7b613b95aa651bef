"""Forms of the accounts library with labels that say what to type, in the words of the site."""

from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordKeyForm

NEW = {"password1": "New password", "password2": "New password again"}


class SignInForm(LoginForm):
    error_title = "Not signed in"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = "Username or email"  # the library only says it in the placeholder
        login.widget.attrs["autocomplete"] = "username"


class NewPasswordForm(ChangePasswordForm):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name, label in {"oldpassword": "Current password", **NEW}.items():
            self.fields[name].label = label


class ForgottenPasswordForm(ResetPasswordKeyForm):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name, label in NEW.items():
            self.fields[name].label = label
