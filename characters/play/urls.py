"""Playing a character: its live pages, and an address for every action."""

from django.urls import include, path

from characters.actions.registry import every

from .views import pages
from .views.act import view_of

acting = [path(f"{one.slug}/", view_of(one.name), name=f"play-{one.slug}") for one in every().values()]

urlpatterns = [
    path("characters/<int:pk>/play/", include(acting)),
    path("characters/<int:pk>/watch/", pages.watch, name="watch"),
    path("characters/<int:pk>/glance/", pages.page_view("glance"), name="glance"),
    path("characters/<int:pk>/rest/", pages.page_view("rest"), name="rest"),
    path("characters/<int:pk>/downtime/", pages.downtime, name="downtime"),
    path("characters/<int:pk>/pool/", pages.pool, name="pool"),
    path("characters/<int:pk>/history/", pages.page_view("history"), name="history"),
    path("characters/<int:pk>/history/<int:sequence>/", pages.since, name="since"),
    path("characters/<int:pk>/rolls/", pages.page_view("rolls"), name="rolls"),
    path("characters/<int:pk>/roll/<str:key>/", pages.prepare_roll, name="prepare-roll"),
]
