"""Homebrew: what people make for their own characters, and what their tables have made."""

from django.urls import path

from . import entry_page
from .mine import PersonPlace, first
from .place_urls import homebrew_urls

urlpatterns = [
    path("homebrew/", first, name="my-homebrew"),
    *homebrew_urls("homebrew/<slug:ruleset>/", PersonPlace, PersonPlace),
    path("homebrew/<slug:ruleset>/<slug:kind>/<slug:slug>/", entry_page.entry, name="homebrew-entry"),
]
