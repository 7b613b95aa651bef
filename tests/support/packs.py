"""Loads packs of rules whose files a test has as text."""

from collections.abc import Mapping
from pathlib import Path

from rules.packs.load import load_rules


def load_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write these texts into the folder, by file name without its ending, and load them as a pack."""
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    load_rules(folder)
