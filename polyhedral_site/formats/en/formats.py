"""Dates with the day before the month, and hours from 0 to 23, for the admin, where Django writes them itself."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"  # short enough for a column
