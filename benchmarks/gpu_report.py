"""How figures of a GPU are measured one after the other and kept: in gpu.json, or in the file that is named."""

import datetime
import json
import platform
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def tested(file: str) -> str:
    """Whether the tests of a file under tests/gpu pass here."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "gpu", str(HERE.parent / "tests" / "gpu" / file)]
    )
    return "passed" if done.returncode == 0 else f"failed: {done.returncode}"


def write_report(key: str, parts: Mapping[str, Callable[[], Any]]) -> None:
    """Run every part and write what it returns under `key`, with the date and the device; what else stands there stays.

    Written after every part: what was measured is kept when a later part fails.
    """
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    began = time.perf_counter()
    report: dict[str, Any] = {
        "device": subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip(),
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "python": platform.python_version(),
    }
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "gpu.json"
    for name, part in parts.items():
        try:
            report[name] = part()
        except Exception as error:
            traceback.print_exc()
            report[name] = {"failed": f"{type(error).__name__}: {error}"}
        print(f"{time.perf_counter() - began:.0f} s: {name} done", flush=True)
        before = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**before, key: report}, indent=1) + "\n")
