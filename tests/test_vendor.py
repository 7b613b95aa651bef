"""Code from elsewhere is exactly as its VENDOR.md says, and every file is listed."""

import hashlib
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parent.parent / "static"
ROW = re.compile(r"^\| (?P<name>\S+) \|.*\b(?P<sha256>[0-9a-f]{64}) \|$", re.MULTILINE)


@pytest.mark.parametrize("folder", ["fonts", "vendor/htmx-4.0.1"])
def test_the_files_are_the_ones_listed(folder):
    listed = dict(ROW.findall((STATIC / folder / "VENDOR.md").read_text()))
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (STATIC / folder).iterdir()
        if path.name in listed or path.suffix in {".js", ".woff2"}
    }
    assert listed
    assert found == listed


def test_every_vendored_folder_is_listed():
    assert [path.name for path in (STATIC / "vendor").iterdir()] == ["htmx-4.0.1"]
