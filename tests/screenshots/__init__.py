"""Pictures of every page on a phone and a laptop, in daylight and at night: `python -m tests.screenshots [FOLDER]`."""
