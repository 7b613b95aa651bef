"""Every page of a character: making and keeping it, and reading it."""

from .builder.urls import urlpatterns as building
from .views.urls import urlpatterns as reading

app_name = "characters"
urlpatterns = [*building, *reading]
