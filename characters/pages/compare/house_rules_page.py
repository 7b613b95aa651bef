"""House rules of a character: their values, and a preview of other values before these are saved."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.http import Http404, QueryDict

from characters import verbs
from characters.models import Change
from characters.read.open import OpenCharacter
from characters.verbs.leveling import seen
from rules.engine import Build, derive, difference
from rules.engine.bundle import Bundle
from rules.engine.content import Switch
from rules.engine.phrases import first_up, setting_words
from rules.games.house_rules import unfit

from .comparison_text import comparison_sections
from .trial import RulesTrial, TrialPage


def labeled(switch: Switch, value: str) -> str:
    """A switch's value with a capital letter, where it stands alone on a page."""
    return first_up(setting_words(switch, value))


class HouseRulesForm(forms.Form):
    """One field a switch, named by its key. `data` None shows the values in force."""

    prefix = "rule"

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        switches: Sequence[Switch],
        build: Build,
        of_tables: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        """`of_tables` are pairs of a switch and a value that is not offered unless it is in force."""
        self.switches = switches
        self.in_force = {one.key: build.switches.get(one.key, one.default) for one in switches}
        super().__init__(data, initial=self.in_force)
        for switch in switches:
            now = self.in_force[switch.key]
            offered = [value for value in switch.allowed if value == now or (switch.key, value) not in of_tables]
            self.fields[switch.key] = field_of(switch, offered)

    @property
    def groups(self) -> list[tuple[str, list[tuple[Switch, Any, str]]]]:
        """The fields as the page shows them, by the switches' groups: (group, [(switch, field, in force)])."""
        rows = [(one, self[one.key], labeled(one, self.in_force[one.key])) for one in self.switches]
        return [(group, list(found)) for group, found in groupby(rows, key=lambda row: row[0].group)]

    @property
    def values(self) -> dict[str, str]:
        """The values that differ from those in force."""
        return {key: value for key, value in self.cleaned_data.items() if value != self.in_force[key]}

    @property
    def apart(self) -> list[str]:
        """The values in force that differ from this form's, in words."""
        return [
            f"“{one.name}” is set to {setting_words(one, self.in_force[one.key])}"
            for one in self.switches
            if one.key in self.values
        ]

    @property
    def differing(self) -> dict[str, str]:
        """The values that differ from the defaults."""
        defaults = {one.key: one.default for one in self.switches}
        return {key: value for key, value in self.cleaned_data.items() if value != defaults.get(key)}


RETIRED = "Retired: once it is back at its default, it is no longer offered here."


def field_of(switch: Switch, offered: list[str]) -> forms.Field:
    words = {"required": "Choose a value."}
    about = f"{switch.help} {RETIRED}".strip() if switch.status == "retired" else switch.help
    if switch.allowed and switch.type != "number":
        choices = [(value, labeled(switch, value)) for value in offered]
        words["invalid_choice"] = unfit(switch, "%(value)s")
        return forms.ChoiceField(label=switch.name, help_text=about, choices=choices, error_messages=words)
    words["max_length"] = "That is too long: at most 200 characters."
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    if switch.type == "number" and not switch.allowed:
        bounds = {"min": switch.minimum, "max": switch.maximum}
        widget = forms.NumberInput(attrs={name: value for name, value in bounds.items() if value is not None})

    def fits(value: str) -> None:
        if why_not := unfit(switch, value):
            raise forms.ValidationError(why_not)

    return forms.CharField(
        label=switch.name,
        help_text=about,
        max_length=200,
        widget=widget,
        validators=[fits],
        error_messages=words,
    )


class HouseRulesPage(TrialPage):
    name = "house-rules"
    form: HouseRulesForm

    def form_of(self, data: QueryDict | None) -> HouseRulesForm:
        switches, opened = switches_of(self.opened), self.opened
        sent = data and with_defaults(data, switches)
        return HouseRulesForm(sent, switches=switches, build=opened.build, of_tables=opened.game.of_tables)

    def trial(self) -> RulesTrial:
        opened, values = self.opened, self.form.values
        switches = opened.bundle.switches
        merged = {**opened.build.switches, **values}
        differing = {k: v for k, v in merged.items() if k not in switches or v != switches[k].default}
        build = opened.game.levels.under(opened.bundle, opened.build, differing)
        moves = difference(opened.sheet, derive(opened.bundle, build))
        return RulesTrial(
            rules=tuple(
                (switches[key].name, labeled(switches[key], self.form.in_force[key]), labeled(switches[key], value))
                for key, value in values.items()
            ),
            sections=comparison_sections(opened.bundle, moves),
            saw=seen(opened.bundle, opened.character.version),
        )

    def keep(self, key: str, saw: str) -> Change:
        return verbs.set_switches(self.opened.character.pk, self.opened.visitor, key, values=self.form.values, saw=saw)

    def more(self) -> dict[str, Any]:
        return {"defaults": {one.key: labeled(one, one.default) for one in self.form.switches}}


def switches_of(opened: OpenCharacter) -> list[Switch]:
    """The switches of the character's rules that something reads. Http404 if there are none."""
    found = [one for one in in_groups(opened.bundle, opened.build.switches) if one.key not in opened.game.unread]
    if not found:
        raise Http404("These rules have no house rules.")
    return found


def in_groups(bundle: Bundle, set_to: Container[str]) -> list[Switch]:
    """The switches on offer, group by group, as the rules list them. set_to: those that are set already."""
    switches = sorted(bundle.offered_switches(set_to).values(), key=lambda one: (one.sort, one.key))
    order = list(dict.fromkeys(one.group for one in switches))
    return sorted(switches, key=lambda one: order.index(one.group))


def with_defaults(data: QueryDict, switches: Iterable[Switch]) -> QueryDict:
    """The form's data with the rule that `reset` names at its default."""
    if "reset" not in data:
        return data
    switch = next((one for one in switches if one.key == data["reset"]), None)
    if switch is None:
        raise Http404
    changed = data.copy()
    changed[f"rule-{switch.key}"] = switch.default
    return changed
