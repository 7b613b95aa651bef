"""Every page of a character: making and keeping it, reading it, comparing it, and its levels."""

from .builder.urls import urlpatterns as building
from .compare.urls import urlpatterns as comparing
from .levels.urls import urlpatterns as leveling
from .views.urls import urlpatterns as reading

app_name = "characters"
urlpatterns = [*building, *reading, *comparing, *leveling]
