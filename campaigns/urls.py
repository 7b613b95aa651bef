"""Tables and who sits at them."""

from django.urls import path

from .views import people, seats, table

app_name = "campaigns"
urlpatterns = [
    path("campaigns/", table.mine, name="list"),
    path("campaigns/begin/", table.begin, name="begin"),
    path("campaigns/<int:campaign>/", table.show, name="campaign"),
    path("campaigns/<int:campaign>/settings/", table.settings, name="settings"),
    path("campaigns/<int:campaign>/archive/", table.archive, name="archive"),
    path("campaigns/<int:campaign>/bin/", table.throw_away, name="bin"),
    path("campaigns/<int:campaign>/restore/", table.restore, name="restore"),
    path("campaigns/<int:campaign>/people/", people.show, name="people"),
    path("campaigns/<int:campaign>/people/<int:member>/remove/", people.remove, name="remove"),
    path("campaigns/<int:campaign>/leave/", people.leave, name="leave"),
    path("campaigns/<int:campaign>/invites/make/", people.invite, name="invite"),
    path("campaigns/<int:campaign>/invites/<int:invite>/revoke/", people.revoke, name="revoke"),
    path("campaigns/<int:campaign>/seats/bring/", seats.bring, name="bring"),
    path("campaigns/<int:campaign>/seats/<int:seat>/take/", seats.take, name="take"),
    path("campaigns/<int:campaign>/seats/<int:seat>/stand-up/", seats.stand_up, name="stand-up"),
    path("join/<slug:invitation>/", people.join, name="join"),
]
