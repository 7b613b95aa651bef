"""Tokens of links. A token is all that a visitor needs, so only its hash is stored (`people.hashed`)."""

from base64 import urlsafe_b64encode

from django.utils.crypto import salted_hmac


def token_for(purpose: str, *of: object) -> str:
    """256 bits that only this site can compute. `of` ends with the form's key: the same form gives the same token, so
    sending it twice makes one link and shows it twice."""
    digest = salted_hmac(f"token.{purpose}", ".".join(map(str, of)), algorithm="sha256").digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")
