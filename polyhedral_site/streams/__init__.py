"""Telling pages that something has changed (docs/decisions/047-telling.md)."""
