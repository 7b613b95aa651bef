"""The fields of every page: room for sentences, and fewer links beside a reference."""

from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db import models

A_SENTENCE = 200  # what may be as long as this is written across the page


class PlainFields:
    """The part that pages and inlines share."""

    def formfield_for_dbfield(self, db_field, request, **kwargs):
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and isinstance(field.widget, RelatedFieldWidgetWrapper):
            # The row referred to has a page of its own, where it is deleted and looked at.
            field.widget.can_delete_related = field.widget.can_view_related = False
        if field and type(db_field) is models.CharField and (db_field.max_length or 0) >= A_SENTENCE:
            field.widget.attrs["class"] = "vTextField sentence"
        return field
