"""Packs damaged at random: each is answered in sentences, none with an error of the site, and none is half stored."""

import os
import random
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from rules.models import Choice, Effect, Element, Resource, Source, Stat
from rules.packs.load import files_in
from rules.packs.packing import zipped

SOAK = bool(os.environ.get("SOAK"))  # 2,000 of them, which takes half an hour
ROOT = Path(__file__).parents[2]
PACKS = [files_in(ROOT / "docs/packs/river-folk"), files_in(ROOT / "rules/packs/polyhedral-core")]
BITS = [b"[", b"]", b"{", b"}", b"&a ", b"*a", b"!!set ", b": ", b"- ", b"\n", b"\t", b"\0", b"\xff", b"'", b'"', b"|",
        b"99999999999", b"-1", b"true", b"null", b"", b"slug", b"%YAML", b"---\n", b"<<: "]  # fmt: skip
TABLES = (Source, Element, Stat, Effect, Choice, Resource)


def mutated(chance: random.Random, files: dict[str, bytes]) -> dict[str, bytes]:
    files = dict(files)
    for _ in range(chance.choice((1, 1, 2, 5))):
        name = chance.choice(sorted(files))
        files[name] = chance.choice((bytes_changed, lines_changed, words_swapped))(chance, files[name])
    if chance.random() < 0.05:
        del files[chance.choice(sorted(files))]
    return files


def bytes_changed(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(BITS) + data[at + chance.choice((0, 1, 1, 8)) :]


def lines_changed(chance: random.Random, data: bytes) -> bytes:
    """The data with one line deleted, doubled, indented or moved."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    line = lines.pop(at)
    put = chance.choice(([], [line, line], [b"  " + line], [line.lstrip()]))
    at = chance.choice((at, at, chance.randrange(len(lines) + 1)))
    return b"\n".join([*lines[:at], *put, *lines[at:]])


def words_swapped(chance: random.Random, data: bytes) -> bytes:
    words = data.split(b" ")
    one, other = chance.randrange(len(words)), chance.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return b" ".join(words)


def counted():
    return [model.objects.count() for model in TABLES]


def answered(client, files) -> int:
    before = counted()
    answer = client.post("/admin/rules/source/upload/", {"pack": SimpleUploadedFile("pack.zip", zipped(files))})
    assert answer.status_code in (200, 422)
    assert counted() == before
    if answer.status_code == 422:
        said = answer.context.get("problems") or [("", "", *answer.context["form"].errors["pack"])]
        assert said
        assert all(reason and "Traceback" not in reason for _, _, reason in said)
    return answer.status_code


def sound(client, seeds) -> None:
    """The core rules come only one time in ten, because checking them takes longer than the small pack."""
    client.force_login(User.objects.create_superuser("ada", "ada@example.com", "a long password"))
    found = [answered(client, mutated(random.Random(seed), PACKS[seed % 10 == 9])) for seed in seeds]
    assert 200 in found
    assert 422 in found


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("start", range(0, 2_000, 250) if SOAK else [0])
def test_mutated_packs_are_answered_in_sentences(client, start):
    sound(client, range(start, start + (250 if SOAK else 100)))
