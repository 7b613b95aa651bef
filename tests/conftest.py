import os

# Playwright keeps an event loop running in the thread of the tests, which Django takes for an asynchronous caller.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

pytest_plugins = ["tests.support.browser"]
