"""What all tests share: errors are read as users see them, not as their authors debug them."""

import os
import shutil
import signal

import pytest

try:
    from hypothesis import settings
except ImportError:  # `make test-gpu` runs where it may be missing
    settings = None  # type: ignore[assignment, misc]

os.environ.pop("ZERMELO_DEBUG", None)
# No example fails because neighbours keep the computer busy.
if settings is not None:
    settings.register_profile("zermelo", deadline=None)
    settings.load_profile("zermelo")
# A run that was started in the background ignores Ctrl-C, and so would the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def need():
    """Skip a test whose program is not installed; where everything must be there, fail."""

    def check(program: str) -> str:
        found = program if os.path.exists(program) else shutil.which(program)
        if found is None:
            missing = f"{program} is not installed: tests/programs.sh does it"
            if os.environ.get("CI"):
                pytest.fail(missing)
            pytest.skip(missing)
        return found

    return check


@pytest.fixture
def nothing_compiled(tmp_path, monkeypatch):
    """Nothing compiled, nothing known, no children that compile."""
    from zermelo.compile import aside, program
    from zermelo.running import devices

    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "native"))
    for home, name in ((devices, "_spent"), (devices, "_making"), (aside, "_under_way"), (program, "_programs")):
        monkeypatch.setattr(home, name, {})
    monkeypatch.setattr(program, "_refused", {})
