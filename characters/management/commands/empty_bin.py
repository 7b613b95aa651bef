from django.core.management.base import BaseCommand

from characters.verbs import empty_bin


class Command(BaseCommand):
    help = "Deletes for good the characters that have been in the bin for more than 30 days. Safe to run at any time."

    def handle(self, **options):
        count = empty_bin()
        self.stdout.write(f"{count} character{'s' * (count != 1)} deleted for good from the bin.")
