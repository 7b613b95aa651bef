from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from . import account_deletion, mail_choice_page, style_page, views
from .connections import STREAM
from .streams.stream_view import screen_stream, stream

# The admin's own sign-in form is closed: its users sign in by the same page, with the same limits, as everyone else.
admin.site.login = secure_admin_login(require_safe(admin.site.login))

urlpatterns = [
    path("", include("characters.urls")),  # first, since most requests are for it
    path("", include("campaigns.urls")),
    # The account's own page has limits and sends an email; the admin's does neither.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password"), name="admin-password"),
    path("admin/", admin.site.urls),
    path("accounts/notifications/", mail_choice_page.choose, name="account_notifications"),
    path("accounts/delete/", account_deletion.delete_account, name="account_delete"),
    path("accounts/", include("allauth.account.urls")),
    path("favicon.ico", views.favicon, name="favicon"),
    path("", views.home, name="home"),
    path(STREAM.decode()[1:], stream, name="stream"),
    path(f"{STREAM.decode()[1:]}<slug:screening>/", screen_stream, name="screen-stream"),
    path("unsubscribe/<str:signed>/", mail_choice_page.unsubscribe, name="unsubscribe"),
    path("rules/", include("rules.urls")),
]
if settings.STYLE_PAGE:
    urlpatterns.append(path("style/", style_page.style, name="style"))

handler500 = "polyhedral_site.errors.server_error"
