"""What several test modules need."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ACCESSIBILITY = Path(__file__).parent / "accessibility"


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser on this machine."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("Chromium is not installed")
    return found


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, installed once by npm as the lock file says."""
    source = ACCESSIBILITY / "node_modules/axe-core/axe.min.js"
    if not source.exists():
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed, and axe-core comes from there")
        command = ["npm", "ci", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=ACCESSIBILITY, capture_output=True, check=False)
        if done.returncode or not source.exists():
            pytest.skip("npm could not install axe-core: " + done.stderr.decode()[-200:])
    return source.read_text(encoding="utf-8")
