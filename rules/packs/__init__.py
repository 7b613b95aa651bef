"""Content packs: from YAML files to rows of the database, and back."""
