"""One torch thread for tests: small networks, and neighbours that test, too."""

import pytest
import torch


@pytest.fixture(autouse=True)
def one_torch_thread():
    """For a single test; a test may set another number."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
