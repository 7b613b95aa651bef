"""Reading a character: the visitor's own under /characters/, the samples under /samples/."""

from django.urls import path

from . import face, files, sheet

urlpatterns = [
    path("characters/upload/", files.upload, name="upload"),
    path("characters/<int:pk>/", sheet.sheet, name="sheet"),
    path("characters/<int:pk>/explain/<str:key>/", sheet.explain, name="explain"),
    path("characters/<int:pk>/odds/<str:key>/", sheet.odds, name="odds"),
    path("characters/<int:pk>/download/", files.download, name="download"),
    path("characters/<int:pk>/face/", face.face, name="face"),
    path("characters/<int:pk>/face/<str:digest>.webp", face.picture, name="picture"),
    path("samples/<slug:slug>/", sheet.sheet, name="sample"),
    path("samples/<slug:slug>/face/<str:digest>.webp", face.picture, name="sample-picture"),
    path("samples/<slug:slug>/explain/<str:key>/", sheet.explain, name="sample-explain"),
    path("samples/<slug:slug>/odds/<str:key>/", sheet.odds, name="sample-odds"),
    path("samples/<slug:slug>/download/", files.download, name="sample-download"),
]
