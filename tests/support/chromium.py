"""Finding the browser that the browser tests drive."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

# The shell comes first: it has the same engine without the desktop program, which would add a tenth to the tests' time.
PACKAGES = ("chromium-headless-shell", "chromium")
NAMES = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
HOW_TO_GET_IT = (
    "No Chromium was found. Install it (Debian: apt install chromium; anywhere: .venv/bin/playwright install "
    "--with-deps chromium) or set CHROMIUM to its program."
)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find():
    """The program's path: CHROMIUM, the system's, or what Playwright downloaded; else None."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    for name in NAMES:
        if found := shutil.which(name):
            return found
    if Path(MAC).exists():
        return MAC
    with sync_playwright() as playwright:
        downloaded = playwright.chromium.executable_path
    return downloaded if Path(downloaded).exists() else None
