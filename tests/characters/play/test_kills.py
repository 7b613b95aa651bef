"""A server killed while it writes loses nothing that it acknowledged. `make soak` does this two hundred times."""

import pytest

from tests.soak.kills import nothing_is_lost

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("at_servers")
def test_a_killed_server_loses_no_acknowledged_change():
    assert nothing_is_lost(kills=3, writers=3)
