"""Backups: a folder with the database, the secret key, and a manifest that describes them (decision 023).

`make` and `restore` go through these parts in order. Each part can copy itself into the folder and restore itself.
Uploaded pictures are rows of the database; if they were files, they would be a third part like `key`.
"""
