"""Reading a character: the visitor's own under /characters/, the samples under /samples/, by a link under /shared/."""

from django.urls import path

from characters.builder.views import begin

from . import face, files, share, sheet
from .share import unlisted

urlpatterns = [
    path("characters/upload/", files.upload, name="upload"),
    path("characters/<int:pk>/", sheet.sheet, name="sheet"),
    path("characters/<int:pk>/explain/<str:key>/", sheet.explain, name="explain"),
    path("characters/<int:pk>/odds/<str:key>/", sheet.odds, name="odds"),
    path("characters/<int:pk>/download/", files.download, name="download"),
    path("characters/<int:pk>/face/", face.face, name="face"),
    path("characters/<int:pk>/face/<str:digest>.webp", face.picture, name="picture"),
    path("characters/<int:pk>/share/", share.links, name="share"),
    path("characters/<int:pk>/share/make/", share.make, name="make-link"),
    path("characters/<int:pk>/share/<int:link>/end/", share.end, name="end-link"),
    path("shared/<slug:token>/", unlisted(sheet.sheet), name="shared"),
    path("shared/<slug:token>/face/<str:digest>.webp", unlisted(face.picture), name="shared-picture"),
    path("shared/<slug:token>/explain/<str:key>/", unlisted(sheet.explain), name="shared-explain"),
    path("shared/<slug:token>/odds/<str:key>/", unlisted(sheet.odds), name="shared-odds"),
    path("shared/<slug:token>/copy/", begin.copy_shared, name="copy-shared"),
    path("samples/<slug:slug>/", sheet.sheet, name="sample"),
    path("samples/<slug:slug>/face/<str:digest>.webp", face.picture, name="sample-picture"),
    path("samples/<slug:slug>/explain/<str:key>/", sheet.explain, name="sample-explain"),
    path("samples/<slug:slug>/odds/<str:key>/", sheet.odds, name="sample-odds"),
    path("samples/<slug:slug>/download/", files.download, name="sample-download"),
]
