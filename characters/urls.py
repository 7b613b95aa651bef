"""Every page of a character: making and keeping it, reading it, comparing it, its levels, and playing it."""

from .pages.builder.urls import urlpatterns as building
from .pages.compare.urls import urlpatterns as comparing
from .pages.levels.urls import urlpatterns as leveling
from .pages.sheet.urls import urlpatterns as sheet

app_name = "characters"
# What is asked most comes first: each pattern on the way costs.
urlpatterns = [*sheet, *building, *comparing, *leveling]
