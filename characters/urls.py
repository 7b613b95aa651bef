"""Every page of a character: making and keeping it, reading it, comparing it, its levels, and playing it."""

from .builder.urls import urlpatterns as building
from .compare.urls import urlpatterns as comparing
from .levels.urls import urlpatterns as leveling
from .play.urls import urlpatterns as playing
from .views.urls import urlpatterns as reading

app_name = "characters"
# What is asked most comes first: each pattern on the way costs.
urlpatterns = [*playing, *reading, *building, *comparing, *leveling]
