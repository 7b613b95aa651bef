"""The largest body that each address takes: pictures are larger than anything else that people send."""

import re

from django.conf import settings

LARGEST_PICTURE = 8_100_000  # of a whole form; the page says 8 MB
PICTURES = re.compile(rb"/(characters|campaigns)/\d+/face/")


def is_picture(path: bytes) -> bool:
    """True for the addresses where a picture is uploaded."""
    return PICTURES.fullmatch(path) is not None


def limit_of(path: bytes) -> int:
    """In bytes."""
    return LARGEST_PICTURE if is_picture(path) else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
