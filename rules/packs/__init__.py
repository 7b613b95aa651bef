"""Content packs: YAML files in, database rows out, and back again."""
