from allauth.account.adapter import DefaultAccountAdapter

from characters.people import claim_drafts


class AccountAdapter(DefaultAccountAdapter):
    """Signing up and signing in both end in `login`, where the drafts of the guest become the account's."""

    def login(self, request, user):
        super().login(request, user)
        claim_drafts(request, user)
