"""The command line, called in this process."""

import pytest

from zermelo.cli import main


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that tells what is wrong."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("zermelo: ")
    assert err.count("\n") == 1
    return err
