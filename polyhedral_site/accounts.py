"""The sign-in form, with a label that says what to type: the accounts library only says it in the placeholder."""

from allauth.account.forms import LoginForm


class SignInForm(LoginForm):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = "Username or email"
        login.widget.attrs["autocomplete"] = "username"
