"""Dates with the day before the month, and hours from 0 to 23, also where Django writes them itself: in the admin."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"  # short enough for a column
