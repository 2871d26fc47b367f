"""Compiling for a GPU where there is none: down to PTX."""

import os

import pytest


def require_compiler() -> None:
    """Skip the test where nothing can be compiled for a GPU; on continuous integration that is a failure."""
    try:
        from numba.cuda.cudadrv.nvvm import NVVM

        NVVM()
    except Exception as error:
        missing = f"compiling for a GPU needs numba-cuda and NVVM: {type(error).__name__}: {error}"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
