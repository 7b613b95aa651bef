"""Backups: a folder with the database, the secret key, and a manifest that says what they are (decision 023).

`make` and `restore` go through these parts in order. Each can copy itself into the folder and put itself back. Uploaded
pictures are rows of the database; files, should there ever be any, would be a third part like `key`.
"""
