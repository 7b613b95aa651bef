"""Records the characters that are derived during a test."""

from importlib import import_module


def sheets_made(monkeypatch) -> list[str]:
    """The rules and build of each sheet that is made from now on, wherever `derive` is called."""
    module, made = import_module("rules.engine.derive"), []
    sheet = module.Sheet

    def noted(**parts):
        found = parts["solver"].found
        made.append(f"{id(found.bundle)} {found.build}")
        return sheet(**parts)

    monkeypatch.setattr(module, "Sheet", noted)
    return made
