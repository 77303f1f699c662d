"""What several rooms of tests share: the repository, and the site built once a session."""

import os
import subprocess
import sys
from pathlib import Path

# Before numpy is loaded: benchmarks compare work, not how many threads wait.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest

from sqrtdk_docs.project import Project

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def project() -> Project:
    return Project(ROOT)


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The site as `mkdocs build` makes it: strict, in a folder of its own.

    SQRTDK_SITE names a site built before, for quick runs while writing tests.
    """
    if built := os.environ.get("SQRTDK_SITE"):
        return Path(built)
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)], cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
