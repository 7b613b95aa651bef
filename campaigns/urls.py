"""Tables and who sits at them."""

from django.urls import path

from .views import campaign_pages, hand_pages, leadership_pages, log_pages, members, note_pages, party_pages, seating

app_name = "campaigns"
urlpatterns = [
    path("campaigns/", campaign_pages.mine, name="list"),
    path("campaigns/begin/", campaign_pages.begin, name="begin"),
    path("campaigns/<int:campaign>/", campaign_pages.show, name="campaign"),
    path("campaigns/<int:campaign>/settings/", campaign_pages.settings, name="settings"),
    path("campaigns/<int:campaign>/archive/", campaign_pages.archive, name="archive"),
    path("campaigns/<int:campaign>/bin/", campaign_pages.throw_away, name="bin"),
    path("campaigns/<int:campaign>/restore/", campaign_pages.restore, name="restore"),
    path("campaigns/<int:campaign>/people/", members.show, name="people"),
    path("campaigns/<int:campaign>/people/<int:member>/remove/", members.remove, name="remove"),
    path("campaigns/<int:campaign>/leave/", members.leave, name="leave"),
    path("campaigns/<int:campaign>/invites/make/", members.invite, name="invite"),
    path("campaigns/<int:campaign>/invites/<int:invite>/revoke/", members.revoke, name="revoke"),
    path("campaigns/<int:campaign>/seats/bring/", seating.bring, name="bring"),
    path("campaigns/<int:campaign>/seats/<int:seat>/take/", seating.take, name="take"),
    path("campaigns/<int:campaign>/seats/<int:seat>/stand-up/", seating.stand_up, name="stand-up"),
    path("campaigns/<int:campaign>/log/", log_pages.show, name="log"),
    path("campaigns/<int:campaign>/log.json", log_pages.export, {"form": "json"}, name="log-json"),
    path("campaigns/<int:campaign>/log.csv", log_pages.export, {"form": "csv"}, name="log-csv"),
    path("campaigns/<int:campaign>/log/marks/", log_pages.set_mark, name="set-mark"),
    path("campaigns/<int:campaign>/log/marks/<int:mark>/", log_pages.session, name="session"),
    path("campaigns/<int:campaign>/log/marks/<int:mark>/remove/", log_pages.remove_mark, name="remove-mark"),
    path("campaigns/<int:campaign>/log/<int:character>/undo/", log_pages.undo, name="undo"),
    path("campaigns/<int:campaign>/notes/", note_pages.show, name="notes"),
    path("campaigns/<int:campaign>/notes/write/", note_pages.write, name="write-note"),
    path("campaigns/<int:campaign>/notes/<int:note>/", note_pages.rewrite, name="edit-note"),
    path("campaigns/<int:campaign>/notes/<int:note>/bin/", note_pages.put_away, name="bin-note"),
    path("campaigns/<int:campaign>/print/", party_pages.on_paper, name="print"),
    path("campaigns/<int:campaign>/characters.zip", party_pages.download, name="download-party"),
    path("campaigns/<int:campaign>/files/", party_pages.files, name="files"),
    path("campaigns/<int:campaign>/hand-over/", leadership_pages.hand_over, name="hand-over"),
    path("campaigns/<int:campaign>/take-up/", leadership_pages.take_up, name="take-up"),
    path("campaigns/<int:campaign>/act/<slug:deed>/", hand_pages.act, name="act"),
    path("campaigns/<int:campaign>/acts/<int:number>/undo/", hand_pages.undo, name="undo-act"),
    path("join/<slug:invitation>/", members.join, name="join"),
]
