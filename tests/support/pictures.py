"""Pictures to upload, and to inspect."""

import io
from random import Random

from PIL import Image

RED = (200, 30, 30)


def drawing(form="JPEG", size=(80, 60), color=RED, **how):
    data = io.BytesIO()
    Image.new("RGB", size, color).save(data, form, **how)
    return data.getvalue()


def noise(side, deviation):
    """A gray square of noise, the same in every run: detail that compresses badly, so each quality gives another
    size."""
    chance = Random(1)
    dots = (round(chance.gauss(128, deviation)) for _ in range(side * side))
    return Image.frombytes("L", (side, side), bytes(min(max(dot, 0), 255) for dot in dots))


def opened(data):
    return Image.open(io.BytesIO(data))
