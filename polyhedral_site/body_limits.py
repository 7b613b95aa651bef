"""The addresses to which people send files, and the largest body for each address. Pictures are larger than anything
else."""

import re

from django.conf import settings

LARGEST_PICTURE = 8_100_000  # for a whole form; the page says 8 MB
PICTURES = re.compile(rb"/(characters|campaigns)/\d+/face/")

FILES = re.compile(
    rb"/((characters|campaigns)/\d+/face|characters/upload|campaigns/\d+/files"
    rb"|(homebrew/[\w-]+|campaigns/\d+/homebrew)/take|admin/rules/source/upload(/store)?)/"
)


def is_upload(path: bytes) -> bool:
    """True for the addresses where a file is uploaded: a picture, characters or a pack."""
    return FILES.fullmatch(path) is not None


def is_picture(path: bytes) -> bool:
    """True for the addresses where a picture is uploaded."""
    return PICTURES.fullmatch(path) is not None


def limit_of(path: bytes) -> int:
    """The largest body that this address takes, in bytes."""
    return LARGEST_PICTURE if is_picture(path) else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
