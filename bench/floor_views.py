from django.db import transaction
from django.db.models import F
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.views.decorators.http import require_POST

from .models import Counter


def page(request):
    counter = get_object_or_404(Counter, slug="bench")
    rows = [{"name": f"Row {number}", "value": counter.count + number} for number in range(20)]
    return render(request, "floor/page.html", {"counter": counter, "rows": rows})


@require_POST
def bump(request):
    with transaction.atomic():
        Counter.objects.filter(slug="bench").update(count=F("count") + 1)
    return render(request, "floor/fragment.html", {"name": "bench", "lines": range(8)})


urlpatterns = [path("page/", page), path("bump/", bump)]
