"""A server that is killed while it writes loses nothing that it has acknowledged. `make soak` kills it 200 times."""

import pytest

from tests.soak.kills import nothing_is_lost

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("at_servers")
def test_a_killed_server_loses_no_acknowledged_change():
    assert nothing_is_lost(kills=3, writers=3)
