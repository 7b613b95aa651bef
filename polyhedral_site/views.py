from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from characters.models import Character


@require_safe
def home(request):
    samples = Character.objects.exclude(sample="").only("name", "sample").order_by("name")
    return render(request, "home.html", {"samples": samples})


@require_safe
def favicon(request):
    """Browsers ask here on pages that name no icon, such as the admin's."""
    return redirect(static("favicon.svg"))
