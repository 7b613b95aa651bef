"""One page for each kind of element."""

from contextlib import suppress
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from rules import models, reading
from rules.compile import bundle_for
from rules.engine.build import Spell
from rules.games.spell_entries import unfit_parts
from rules.stat_graph import graph_around

from . import inlines
from .base import ElementAdmin, ElementForm
from .checked_addresses import CheckedAddresses
from .source_filter import SourceFilter

KINDS_WITHOUT_COLUMNS = (
    models.CoreRules, models.Knowledge, models.Tool, models.Language, models.Lineage, models.Culture,
    models.Disposition, models.Size, models.Path, models.Feature, models.Talent, models.Category,
    models.WeaponProperty, models.DamageType, models.Term, models.Chapter,
)  # fmt: skip
admin.site.register(KINDS_WITHOUT_COLUMNS, ElementAdmin)


@admin.register(models.Background)
class BackgroundAdmin(ElementAdmin):
    item_inlines = (inlines.SuggestionInline,)


@admin.register(models.Gear)
class GearAdmin(ElementAdmin):
    item_inlines = (inlines.PropertyUseInline,)


class AbilityForm(ElementForm):
    def clean_modifier_stat(self) -> models.Stat:
        stat = self.cleaned_data["modifier_stat"]
        if self.instance.pk:
            graph = graph_around(self.instance.source)
            graph.modifier_of[self.instance.ref] = stat.key
            graph.check()
        return stat


@admin.register(models.Ability)
class AbilityAdmin(ElementAdmin):
    form = AbilityForm
    columns = (("short", "rank_stat", "modifier_stat"),)
    autocomplete_fields = (*ElementAdmin.autocomplete_fields, "rank_stat", "modifier_stat")


@admin.register(models.Skill)
class SkillAdmin(ElementAdmin):
    columns = ("key_ability",)
    autocomplete_fields = (*ElementAdmin.autocomplete_fields, "key_ability")


@admin.register(models.Job)
class JobAdmin(ElementAdmin):
    columns = (("max_rank", "limit_break"),)


class WeaponForm(ElementForm):
    class Meta:
        help_texts = {"hands": "0: everyone can attack with it, as with an unarmed strike."}


@admin.register(models.Weapon)
class WeaponAdmin(ElementAdmin):
    form = WeaponForm
    columns = (("category", "ranged", "hands"), ("dice", "die", "damage_type"))
    item_inlines = (inlines.PropertyUseInline,)
    autocomplete_fields = (*ElementAdmin.autocomplete_fields, "category", "damage_type")
    list_display = ("name", "status", "category", "dice", "die", "hands", "source")
    list_select_related = ("source", "category")


class ArmorForm(ElementForm):
    def clean_adds_ability(self) -> models.Ability | None:
        ability, source = self.cleaned_data["adds_ability"], self.source(self.cleaned_data)
        if ability and source:
            graph = graph_around(source)
            graph.added.add(ability.ref)
            graph.check()
        return ability


@admin.register(models.Armor)
class ArmorAdmin(ElementAdmin):
    form = ArmorForm
    columns = (("category", "base_defense", "hands"), ("adds_ability", "ability_cap"))
    item_inlines = (inlines.PropertyUseInline,)
    autocomplete_fields = (*ElementAdmin.autocomplete_fields, "category", "adds_ability")
    list_display = ("name", "status", "category", "base_defense", "source")
    list_select_related = ("source", "category")


@admin.register(models.Condition)
class ConditionAdmin(ElementAdmin):
    columns = (("stackable", "max_stacks", "resource"), ("turns", "until", "ends_with", "ends"))
    readonly_fields = (*ElementAdmin.readonly_fields, "ends")
    autocomplete_fields = (*ElementAdmin.autocomplete_fields, "resource", "until")

    @admin.display(description="reads as")
    def ends(self, row: models.Condition) -> str:
        return (row.pk and reading.sentence_of(row)) or "\N{EM DASH}"


class SpellEntryForm(ElementForm):
    def clean(self) -> dict[str, Any]:
        """Refuse parts that no sheet could take over here, at their fields, not only on publication."""
        cleaned = super().clean()
        spell = Spell(**{name: cleaned.get(name, "") for name in ("name", "damage", "text")})
        if source := self.source(cleaned):
            with suppress(LookupError):  # the rules may not be published yet
                for field, sentence in unfit_parts(bundle_for(source.ruleset), spell):
                    self.add_error(field, sentence)
        return cleaned


@admin.register(models.Spell)
class SpellAdmin(ElementAdmin):
    form = SpellEntryForm
    columns = (("time", "range", "cantrip"), ("attack", "saving_throw", "damage"))
    autocomplete_fields = (*ElementAdmin.autocomplete_fields, "saving_throw")
    list_display = ("name", "status", "time", "attack", "saving_throw", "damage", "source")
    list_select_related = ("source", "saving_throw")


@admin.register(models.Element)
class AllElementsAdmin(CheckedAddresses):
    """Elements of every kind in one list, for search and autocomplete. Each leads to the page of its kind."""

    list_display = ("name", "kind", "status", "source", "summary")
    list_filter = ("kind", "status", SourceFilter)
    list_select_related = ("source",)
    search_fields = ("name", "slug", "summary")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Element | None = None) -> bool:
        return False

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        element = self.get_object(request, object_id)
        if element is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        page = models.ELEMENT_CLASSES[element.kind]._meta.model_name
        return HttpResponseRedirect(reverse(f"admin:rules_{page}_change", args=[element.pk]))
