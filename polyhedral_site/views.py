from django.db import DatabaseError, connection
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from characters.models import Character


@require_safe
def home(request):
    samples = Character.objects.exclude(sample="").only("name", "sample").order_by("name")
    return render(request, "home.html", {"samples": samples})


@require_safe
@never_cache
def health(request):
    """Whether the site can serve: 200 when the database answers, 503 when it does not."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"database": "does not answer"}, status=503)
    return JsonResponse({"database": "answers"})


@require_safe
def favicon(request):
    """Browsers ask here on pages that name no icon, such as the admin's."""
    return redirect(static("favicon.svg"))
