"""Uploaded portraits: any common picture goes in, a small square one without metadata comes out."""

import io
import struct
import time

from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
LARGEST = 8_000_000  # bytes of an upload
MOST_PIXELS = 40_000_000
LONGEST_SIDE = 65_535  # as in a JPEG; in a picture one pixel wide, each row takes far more memory than its pixel
MOST_SECONDS = 5  # of processor time; the largest picture takes two
A_BLOCK = 1024  # bytes read at a time; the clock is checked before each
SIDE = 256  # pixels of the square that is kept: nearly twice the 136 of the largest that a page shows
QUALITIES = (82, 70, 58, 46, 34, 22)
# Bytes of a kept picture, if any of the qualities makes it that small. With more, a first visit to a sheet would exceed
# its limit (tests/browser/test_first_visit.py).
LIGHT = 7_900
TOO_LARGE = "That picture is too large: the limit is 8 MB."
TOO_MANY_PIXELS = "That picture has too many pixels: the limit is 40 million."
TOO_LONG = "That picture is too long: the limit is 65,535 pixels for a side."
TOO_MUCH_WORK = "That picture takes too long to read. Save it again in another program, then choose it here."
NOT_A_PICTURE = "That is not a picture this site can read. Use a JPEG, PNG, WebP or GIF."
# Also errors that Pillow does not catch in files that break their own format.
UNREADABLE = (UnidentifiedImageError, OSError, SyntaxError, ValueError, LookupError, TypeError, EOFError, struct.error)


class BadPicture(Exception):
    """A file that cannot be a portrait. Its text is the sentence for the person who sent it."""


class Watched(io.BytesIO):
    """A picture's bytes; after MOST_SECONDS of processor time, reading them raises BadPicture. Otherwise a small file
    that repeats one part a thousand times would keep its decoder busy for an hour."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.until = time.thread_time() + MOST_SECONDS

    def read(self, size: int | None = -1) -> bytes:
        if time.thread_time() > self.until:
            raise BadPicture(TOO_MUCH_WORK)
        return super().read(size)


def portrait(data: bytes) -> bytes:
    """The middle of the picture as an upright square WebP of at most 256 pixels, without metadata, in the best quality
    that makes it LIGHT, or else the lowest.

    Raises BadPicture. The size in pixels is read from the head of the file, before anything is unpacked.
    """
    if len(data) > LARGEST:
        raise BadPicture(TOO_LARGE)
    try:
        with Image.open(Watched(data), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise BadPicture(TOO_MANY_PIXELS)
            if max(picture.size) > LONGEST_SIDE:
                raise BadPicture(TOO_LONG)
            picture.decodermaxblock = A_BLOCK
            picture.draft(None, (SIDE * 2, SIDE * 2))  # a JPEG is unpacked no larger than it has to be
            picture.load()  # once, and here: after a failure, a second try by Pillow fails in other ways
            square = upright(middle(picture)).convert("RGBA")
    except Image.DecompressionBombError as bomb:
        raise BadPicture(TOO_MANY_PIXELS) from bomb
    except UNREADABLE as wrong:
        raise BadPicture(NOT_A_PICTURE) from wrong
    for quality in QUALITIES:
        kept = io.BytesIO()
        square.save(kept, "WEBP", quality=quality, exif=b"", icc_profile=None, xmp=b"")
        if kept.tell() <= LIGHT:
            break
    return kept.getvalue()


def middle(picture: Image.Image) -> Image.Image:
    """The largest square in the middle of the picture, made small at once: each copy of a large one takes 160 MB."""
    side = min(SIDE, *picture.size)
    blends = picture.mode in ("L", "RGB", "RGBA") and "transparency" not in picture.info
    return ImageOps.fit(picture if blends else picture.convert("RGBA"), (side, side), Image.Resampling.LANCZOS)


def upright(picture: Image.Image) -> Image.Image:
    """The picture turned as its metadata say, or as it is if they are damaged: Pillow may then raise any kind of
    error."""
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:
        return picture
