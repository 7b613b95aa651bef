"""Dates as all pages write them, also where Django writes them by itself: in the lists and histories of the admin."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
