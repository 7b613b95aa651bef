"""Django's password rules in the voice of the site (docs/voice.md)."""

from django.contrib.auth import password_validation


class LongEnough(password_validation.MinimumLengthValidator):
    def get_error_message(self) -> str:
        return f"That password is too short: use at least {self.min_length} characters."

    def get_help_text(self) -> str:
        return f"At least {self.min_length} characters."


class NothingOfYours(password_validation.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return "That password is too close to your %(verbose_name)s."

    def get_help_text(self) -> str:
        return "Nothing like your username or your email address."


class NotCommon(password_validation.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return "That password is one of the first that a stranger would try."

    def get_help_text(self) -> str:
        return "Not one that many people use."
