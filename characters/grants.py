"""Writes roles with characters, in the transaction of the seat or membership that they come from."""

from collections.abc import Mapping

from .models import Grant

# The holder of a role: the id of an account, or None and the hash of a guest.
type Holder = tuple[int | None, str]


def set_grants(wanted: Mapping[int, Mapping[Holder, str]]) -> None:
    """Set the roles of people with each character, by its id. Roles with it that are not listed are removed."""
    standing, gone = set(), []
    for grant in Grant.objects.filter(character__in=list(wanted)):
        holder = (grant.user_id, grant.guest)
        if wanted[grant.character_id].get(holder) == grant.role and (grant.character_id, holder) not in standing:
            standing.add((grant.character_id, holder))
        else:
            gone.append(grant.pk)
    Grant.objects.filter(pk__in=gone).delete()
    Grant.objects.bulk_create(
        Grant(character_id=character, user_id=holder[0], guest=holder[1], role=role)
        for character, roles in wanted.items()
        for holder, role in roles.items()
        if (character, holder) not in standing
    )
