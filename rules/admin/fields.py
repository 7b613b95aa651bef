"""The fields of every page: room for sentences, fewer links beside a reference, and no homebrew to choose from."""

from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple, RelatedFieldWidgetWrapper
from django.db import models

A_SENTENCE = 200  # what may be as long as this is written across the page


class OfSource:
    """An autocomplete that offers what rows of `source` may name, and what is everyone's while it has none."""

    source = None

    def get_url(self):
        return f"{super().get_url()}?source={self.source.pk}" if self.source else super().get_url()


class OneOfSource(OfSource, AutocompleteSelect):
    """It need not ask the database for the name of `known`, if that is what is selected."""

    known = None

    def optgroups(self, name, value, attr=None):
        if self.known is None or [str(selected) for selected in value] != [str(self.known.pk)]:
            return super().optgroups(name, value, attr)
        blank = [] if self.is_required else [self.create_option(name, "", "", False, 0)]
        return [(None, [*blank, self.create_option(name, self.known.pk, str(self.known), True, 0)], 0)]


class SeveralOfSource(OfSource, AutocompleteSelectMultiple):
    pass


def offer(form, source):
    """Let the autocompletes of this form offer what rows of `source` may name."""
    for field in form.fields.values():
        widget = getattr(field.widget, "widget", None)  # the admin wraps it in its links
        if isinstance(widget, OfSource):
            widget.source = source


class PlainFields:
    """The part that pages and inlines share."""

    def formfield_for_foreignkey(self, db_field, request, **kwargs):
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = OneOfSource(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field, request, **kwargs):
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = SeveralOfSource(db_field, self.admin_site)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field, request, **kwargs):
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and isinstance(field.widget, RelatedFieldWidgetWrapper):
            # The row referred to has a page of its own, where it is deleted and looked at.
            field.widget.can_delete_related = field.widget.can_view_related = False
        if field and type(db_field) is models.CharField and (db_field.max_length or 0) >= A_SENTENCE:
            field.widget.attrs["class"] = "vTextField sentence"
        return field
