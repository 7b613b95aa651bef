"""Every page of a character: making and keeping it, reading it, comparing it, its levels, and playing it."""

from .pages.builder.urls import urlpatterns as building
from .pages.compare.urls import urlpatterns as comparing
from .pages.homebrew.urls import urlpatterns as homebrew
from .pages.levels.urls import urlpatterns as leveling
from .pages.sheet.urls import urlpatterns as sheet

app_name = "characters"
# The most requested pages come first: Django tries the patterns in order, and each one takes time.
urlpatterns = [*sheet, *building, *comparing, *leveling, *homebrew]
