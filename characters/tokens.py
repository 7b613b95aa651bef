"""Tokens of links: whoever has one may come in. Kept is their hash alone (`people.hashed`)."""

from base64 import urlsafe_b64encode

from django.utils.crypto import salted_hmac


def token_for(purpose: str, *of: object) -> str:
    """256 bits that only this site can work out: the same for the same form, so that sending it twice makes one link
    and shows it twice. `of` ends with the form's key."""
    digest = salted_hmac(f"token.{purpose}", ".".join(map(str, of)), algorithm="sha256").digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")
