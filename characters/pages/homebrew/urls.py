"""Homebrew: what people make for their own characters, and what their tables have made."""

from django.urls import path

from . import entry_page
from .mine import Mine
from .place_urls import homebrew_urls

urlpatterns = [
    *homebrew_urls("homebrew/", Mine, Mine),
    path("homebrew/<slug:ruleset>/<slug:kind>/<slug:slug>/", entry_page.entry, name="homebrew-entry"),
]
