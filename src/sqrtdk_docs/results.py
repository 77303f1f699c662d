"""What the code printed and measured, written once and committed.

`python -m sqrtdk_docs results` runs every block of the pages as a reader would: the very text
that the page shows, alone, in an empty folder, in a fresh interpreter, without this package.
It writes docs/results/outputs/ID.txt (first line: the hash of the code that printed the rest),
docs/results/data/NAME.json from the modules of `sqrtdk.measurements`, and then
docs/results/figures/LANG/NAME.svg from the modules of `sqrtdk.figures`.
`--check` changes nothing and tells what is stale.
"""

import argparse
import ast
import hashlib
import importlib
import importlib.util
import json
import math
import os
import pkgutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import track

from sqrtdk_docs import figures
from sqrtdk_docs.blocks import Block, all_blocks
from sqrtdk_docs.project import Project, ProjectError, read_text, replace

HEADER = "# printed by the code with sha256 "
SECONDS = 120                         # a block that runs longer is a slip
# A reader does not have this package: make its import fail even where it is installed.
AS_A_READER = ("import runpy, sys; sys.modules['sqrtdk'] = sys.modules['sqrtdk_docs'] = None; "
               "runpy.run_path('block.py', run_name='__main__')")


# --- outputs of blocks ---------------------------------------------------------------------

def run_block(block: Block) -> str:
    """What the block prints, alone in an empty folder. Raises ProjectError if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "block.py").write_text(block.code + "\n", "utf-8")
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run([sys.executable, "-I", "-X", "utf8", "-c", AS_A_READER],
                                  cwd=folder, env=environment, capture_output=True,
                                  encoding="utf-8", timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise ProjectError(f"{block.where}: block {block.id} ran longer than {SECONDS} s")
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise ProjectError(f"{block.where}: block {block.id} failed: {reason[0]}")
    if not done.stdout.strip():
        raise ProjectError(f"{block.where}: block {block.id} printed nothing")
    return done.stdout.rstrip("\n") + "\n"


class Outputs:
    """The committed outputs, read and written by block."""

    def __init__(self, folder: Path):
        self.folder = folder

    def path(self, block: Block) -> Path:
        return self.folder / f"{block.id}.txt"

    def __call__(self, block: Block) -> str:
        """The block's output. Raises ProjectError if there is none or other code printed it."""
        path = self.path(block)
        if not path.is_file():
            raise ProjectError(f"block {block.id}: no output yet; "
                               "run `python -m sqrtdk_docs results`")
        header, _, text = read_text(path).partition("\n")
        if header != HEADER + block.hash:
            raise ProjectError(f"block {block.id}: its code has changed since it was run; "
                               "run `python -m sqrtdk_docs results`")
        if not text.strip():
            raise ProjectError(f"block {block.id}: its output is empty; "
                               "run `python -m sqrtdk_docs results`")
        return text

    def write(self, block: Block, text: str) -> None:
        replace(self.path(block), f"{HEADER}{block.hash}\n{text}")


def has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


# --- measurements --------------------------------------------------------------------------

def measurements() -> list[str]:
    """The names of the modules in `sqrtdk.measurements`."""
    package = importlib.import_module("sqrtdk.measurements")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__)
                  if not module.name.startswith("_"))


def source_hash(project: Project, module: str) -> str:
    """A hash of the code behind a measurement: its module and all of `sqrtdk` it imports.

    Of the syntax tree without docstrings, so that a comment does not make a result stale.
    """
    seen: dict[str, str] = {}

    def visit(name: str) -> None:
        path = project.source.joinpath(*name.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if name in seen or not path.is_file():
            return
        tree = ast.parse(read_text(path), str(path))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqrtdk"):
                visit(node.module)
                for alias in node.names:
                    visit(f"{node.module}.{alias.name}")
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name.startswith("sqrtdk"):
                        visit(alias.name)
            if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)):
                if ast.get_docstring(node, clean=False) is not None:
                    node.body = node.body[1:] or [ast.Pass()]
        seen[name] = ast.dump(tree)

    visit(module)
    joined = "\n".join(f"{name} {tree}" for name, tree in sorted(seen.items()))
    return hashlib.sha256(joined.encode()).hexdigest()[:16]


def rounded(value):
    """JSON-able values with floats at six significant digits; NaN and infinity are refused."""
    if isinstance(value, dict):
        return {str(key): rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(item) for item in value]
    if hasattr(value, "tolist"):
        return rounded(value.tolist())
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ProjectError(f"a measurement gave {value}")
        return float(f"{value:.6g}")
    return value


def measure(project: Project, name: str) -> dict:
    """Run one measurement. The key `about` says which code made it."""
    module = f"sqrtdk.measurements.{name}"
    numbers = rounded(importlib.import_module(module).measure())
    return {"about": {"module": module, "source": source_hash(project, module)}, **numbers}


def is_slow(name: str) -> bool:
    return getattr(importlib.import_module(f"sqrtdk.measurements.{name}"), "SLOW", False)


def read_data(project: Project, name: str) -> dict:
    path = project.results / "data" / f"{name}.json"
    if not path.is_file():
        raise ProjectError(f"{project.shown(path)}: not measured yet; "
                           "run `python -m sqrtdk_docs results`")
    try:
        data = json.loads(read_text(path))
        data["about"]["source"]
    except (ValueError, RecursionError, TypeError, KeyError) as error:
        raise ProjectError(f"{project.shown(path)}: is not what `results` writes: {error}") from error
    return data


def differences(old, new, path="") -> list[str]:
    """Where two measurements differ by more than rounding (1e-5, relative)."""
    if isinstance(old, dict) and isinstance(new, dict):
        lines = [f"{path}/{key}: only on one side" for key in old.keys() ^ new.keys()]
        return lines + [line for key in old.keys() & new.keys()
                        for line in differences(old[key], new[key], f"{path}/{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [line for i, pair in enumerate(zip(old, new))
                for line in differences(*pair, f"{path}/{i}")]
    numbers = all(isinstance(value, (int, float)) for value in (old, new))
    if numbers and math.isclose(old, new, rel_tol=1e-5, abs_tol=1e-12):
        return []
    return [] if old == new else [f"{path}: {old!r} is committed, {new!r} was measured"]


# --- figures -------------------------------------------------------------------------------

def drawn(project: Project, names: list[str]) -> dict[Path, str]:
    """Every figure in every language that has words for it, by path, drawn now."""
    words = project.source / "sqrtdk" / "figures" / "words"
    langs = [lang for lang in project.languages if (words / f"{lang}.toml").is_file()]
    return {path: text for name in names for path, text in
            figures.drawings(project, name, lambda need: read_data(project, need), langs).items()}


def stale_figures(project: Project, names: list[str]) -> list[str]:
    """Draw every figure again and tell which committed ones differ."""
    fresh = drawn(project, names)
    told = [f"{project.shown(path)}: drawn by other code or data; "
            "run `python -m sqrtdk_docs results`" for path, text in fresh.items()
            if not path.is_file() or read_text(path) != text]
    return told + [f"{project.shown(path)}: there is no such figure"
                   for path in orphaned_figures(project, names)]


def orphaned_figures(project: Project, names: list[str]) -> list[Path]:
    return [path for path in sorted((project.results / "figures").rglob("*.svg"))
            if path.stem not in names]


# --- the command ---------------------------------------------------------------------------

def stale_outputs(project: Project, blocks: dict[str, Block]) -> list[str]:
    """Run every block again and tell which committed outputs do not hold."""
    outputs, told = Outputs(project.results / "outputs"), []
    for block in blocks.values():
        if block.needs_torch and not has_torch():
            continue
        try:
            committed, printed = outputs(block), run_block(block)
            if committed != printed:
                told.append(f"{block.where}: block {block.id} prints something else now")
        except ProjectError as slip:
            told.append(str(slip))
    return told


def orphans(project: Project, blocks: dict[str, Block]) -> list[Path]:
    """Outputs that no page names any more."""
    return [path for path in sorted((project.results / "outputs").glob("*.txt"))
            if path.stem not in blocks]


def stale_data(project: Project, names: list[str]) -> list[str]:
    """Tell which committed measurements other code made (slow ones are not run again here)."""
    told = []
    for name in names:
        try:
            committed = read_data(project, name)
        except ProjectError as slip:
            told.append(str(slip))
            continue
        module = f"sqrtdk.measurements.{name}"
        if committed["about"]["source"] != source_hash(project, module):
            told.append(f"docs/results/data/{name}.json: its code has changed; "
                        f"run `python -m sqrtdk_docs results --data {name}`")
        elif not is_slow(name):
            told += [f"docs/results/data/{name}.json{line}"
                     for line in differences(committed, measure(project, name))]
    return told


def write_outputs(project: Project, blocks: dict[str, Block], console: Console,
                  again: bool) -> list[str]:
    """Run the blocks whose output is missing or stale (all with `again`); returns the slips."""
    outputs, slips, skipped = Outputs(project.results / "outputs"), [], []
    for block in track(list(blocks.values()), "blocks", console=console, transient=True):
        try:
            outputs(block)
            if not again:
                continue
        except ProjectError:
            pass
        if block.needs_torch and not has_torch():
            skipped.append(block.id)
            continue
        try:
            outputs.write(block, run_block(block))
            console.print(f"ran {block.id}")
        except ProjectError as slip:
            slips.append(str(slip))
    if skipped:
        console.print(f"torch is not installed: left alone {', '.join(skipped)}")
    return slips


def write_data(project: Project, names: list[str], console: Console, again: bool) -> None:
    """Measure what is missing or made by other code (all with `again`, slow ones only then)."""
    for name in names:
        try:
            module = f"sqrtdk.measurements.{name}"
            fresh = read_data(project, name)["about"]["source"] == source_hash(project, module)
        except ProjectError:
            fresh = False
        if fresh and not again:
            continue
        if is_slow(name) and not again:
            console.print(f"{name} is stale and slow: run "
                          f"`python -m sqrtdk_docs results --data {name}`")
            continue
        console.print(f"measuring {name} …")
        try:
            numbers = measure(project, name)
        except ModuleNotFoundError as missing:
            if missing.name != "torch":
                raise
            console.print(f"torch is not installed: left alone {name}")
            continue
        text = json.dumps(numbers, indent=1, ensure_ascii=False) + "\n"
        replace(project.results / "data" / f"{name}.json", text)


def _write_figures(project: Project, console: Console) -> None:
    for path, text in drawn(project, figures.names()).items():
        if not path.is_file() or path.read_bytes() != text.encode():
            replace(path, text)
            console.print(f"drew {project.shown(path)}")


def run(args: argparse.Namespace) -> int:
    project, console = Project.find(), Console(stderr=True, highlight=False)
    pages = None
    if args.page:
        pages = [path for lang in project.languages for path in project.pages(lang)
                 if project.page_name(path) == args.page]
        if not pages:
            raise ProjectError(f"--page: there is no page {args.page!r}")
    names = measurements()
    for name in args.data:
        if name not in names:
            raise ProjectError(f"--data: no measurement {name!r}; there are {', '.join(names)}")
    blocks = all_blocks(project, pages)
    if args.check:
        told = stale_outputs(project, blocks)
        if pages is None:
            told += [f"{project.shown(path)}: no page has this block" for path in
                     orphans(project, blocks)]
            told += stale_data(project, names)
            told += stale_figures(project, figures.names())
        for line in told:
            print(line)
        console.print(f"{len(blocks)} blocks, {len(told)} stale")
        return 1 if told else 0
    if pages is None:
        write_data(project, args.data or names, console, again=args.again or bool(args.data))
    if args.data:
        return 0
    slips = write_outputs(project, blocks, console, args.again)
    if pages is None:
        _write_figures(project, console)
        for path in orphans(project, blocks) + orphaned_figures(project, figures.names()):
            path.unlink()
            console.print(f"removed {project.shown(path)}: nothing has this name any more")
    for slip in slips:
        print(slip)
    return 1 if slips else 0


def add_parser(subparsers) -> None:
    parser = subparsers.add_parser(
        "results", help="run the pages' blocks and the measurements, write what they gave",
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="examples:\n  python -m sqrtdk_docs results\n"
               "  python -m sqrtdk_docs results --check\n"
               "  python -m sqrtdk_docs results --page softmax/formula\n"
               "  python -m sqrtdk_docs results --data growth")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if stale")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--page", metavar="PAGE", help="only the blocks of this page")
    only.add_argument("--data", metavar="NAME", action="append", default=[],
                        help="only measure NAME again (may be given several times)")
    parser.add_argument("--again", action="store_true", help="run also what is fresh, slow measurements too")
    parser.set_defaults(run=run)
