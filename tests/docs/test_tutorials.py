# SPDX-License-Identifier: BSD-3-Clause
"""The cells of the tutorials give the stored outputs, in this process and in a Jupyter kernel; pictures are well-formed and render
in a browser; the site builds without warnings. Tests that need Jupyter or a browser are skipped if it is missing."""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import pytest

import corten

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import notebook  # noqa: E402

TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.ipynb"))
SVG = "{http://www.w3.org/2000/svg}"


def outputs(path):
    return [o for cell in json.loads(path.read_text())["cells"] for o in cell.get("outputs", ())]


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda p: p.stem)
def test_outputs(path):
    assert notebook.text_of(notebook.run(json.loads(path.read_text()))) == path.read_text()


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda p: p.stem)
def test_form(path):
    read = json.loads(path.read_text())
    assert read["nbformat"] == 4 and read["cells"][0]["source"][0].startswith("# ")
    for cell in read["cells"]:
        for link in re.findall(r"\]\(([^)]+)\)", "".join(cell["source"])) if cell["cell_type"] == "markdown" else ():
            assert (path.parent / link).exists(), link
    for data in (o["data"] for o in outputs(path) if "data" in o):
        if "image/svg+xml" in data:
            tree = xml.etree.ElementTree.fromstring("".join(data["image/svg+xml"]))
            assert tree.tag == SVG + "svg" and float(tree.get("width")) > 0 and tree.findall(f".//{SVG}text")
        if "image/png" in data:
            png = corten.frombuffer(bytearray(base64.b64decode("".join(data["image/png"]))), dtype=corten.uint8)
            assert corten.vision.io.decode_image(png).dim() == 3


def same(text):
    """Normalizes output: Jupyter keeps cell results, so storages have more owners, and it breaks long tuples differently."""
    return re.sub(r"\s+", "", re.sub(r"held by \d+", "held", "".join(text)))


def printed(outs):
    """Joins the printed output of a cell, which Jupyter may split into several pieces."""
    return same("".join("".join(o["text"]) for o in outs if o["output_type"] == "stream"))


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda p: p.stem)
def test_in_jupyter(path, tmp_path, monkeypatch):
    """The cells give the same outputs in a Jupyter kernel."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    read = nbformat.read(path, as_version=4)
    (tmp_path / "kernels/here").mkdir(parents=True)
    (tmp_path / "kernels/here/kernel.json").write_text(json.dumps({
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "here", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    nbclient.NotebookClient(read, timeout=120, kernel_name="here", resources={"metadata": {"path": str(tmp_path)}}).execute()
    for there, here in zip(read.cells, json.loads(path.read_text())["cells"]):
        there, here = there.get("outputs", []), here.get("outputs", [])
        for a, b in zip(*([[o for o in outs if "data" in o] for outs in (there, here)]), strict=True):
            assert set(b["data"]) <= set(a["data"])
            for kind in b["data"]:
                assert same(a["data"][kind]) == same(b["data"][kind])
        assert printed(there) == printed(here)


def test_extension(tmp_path, monkeypatch):
    """After %load_ext corten in a kernel, `import torch` is Corten, %explain draws, and %%nans raises."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    new = nbformat.v4.new_notebook()
    new.cells = [nbformat.v4.new_code_cell(text) for text in (
        "%load_ext corten", "import torch; print(torch.__name__)", "x = torch.arange(6).view(2, 3)", "%explain x.t()",
        "%explain x, torch.ones(3)", "%%nans\ntorch.tensor([-1.]).sqrt()")]
    new.cells[-1].metadata["tags"] = ["raises-exception"]
    (tmp_path / "kernels/here").mkdir(parents=True)
    (tmp_path / "kernels/here/kernel.json").write_text(json.dumps({
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "here", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    nbclient.NotebookClient(new, timeout=120, kernel_name="here").execute()
    assert new.cells[1].outputs[0]["text"].strip() in ("corten", "torch")
    assert "image/svg+xml" in new.cells[3].outputs[0]["data"] and "image/svg+xml" in new.cells[4].outputs[0]["data"]
    assert new.cells[5].outputs[0]["output_type"] == "error" and "sqrt made the first NaN" in new.cells[5].outputs[0]["evalue"]


def test_site(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "docs/site.py", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    pages = list(tmp_path.glob("*.html"))
    assert len(pages) > 80
    missing = [p.name for p in (ROOT / "docs").glob("*.md") if not (tmp_path / f"{p.stem}.html").exists()]
    assert not missing
    index = json.loads((tmp_path / "search.js").read_text().split("\n", 1)[0].removeprefix("const INDEX = ").rstrip(";"))
    found = {entry[0]: entry for entry in index}
    assert {"corten.add", "corten.linalg.lstsq", "corten.optim.Adam", "Tensor.view"} <= set(found)
    for title, _, address, _ in index:
        assert (tmp_path / address.split("#")[0]).exists(), title
    text = (tmp_path / found["corten.add"][2].split("#")[0]).read_text()
    for part in ('name="viewport"', "corten.add(input, other, *, alpha=1", "ct_add(input, other, .alpha = 1)", "torch.add("):
        assert part in text
    for page in pages:
        for link in re.findall(r'(?:href|src)="([^":]+)"', page.read_text()):
            assert (tmp_path / link.split("#")[0]).exists() or link.startswith("#"), (page.name, link)


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.skipif(not BROWSER or "asan" in os.environ.get("LD_PRELOAD", ""), reason="no browser")
def test_pictures_in_a_browser(tmp_path):
    """A browser's screenshot of a drawing has the colors of its cells."""
    svg = corten.explain(corten.arange(6).view(2, 3)[1])._repr_svg_()
    (tmp_path / "page.html").write_text(f"<!doctype html><body style='background:white'>{svg}</body>")
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=600,300", f"--user-data-dir={tmp_path}/user",
                           f"--screenshot={tmp_path}/shot.png", f"file://{tmp_path}/page.html"], capture_output=True, timeout=120)
    if not (tmp_path / "shot.png").exists():
        pytest.skip(f"the browser does not start here: {done.stderr[-200:]}")
    shot = corten.vision.io.read_image(str(tmp_path / "shot.png"))[:3].flatten(1).t()
    colors, counts = corten.unique(shot.long() @ corten.tensor([65536, 256, 1]), return_counts=True)
    fills = {int(c, 16) for c in re.findall(r"#([0-9a-f]{6})", svg)}
    large = {c for c, n in zip(colors.tolist(), counts.tolist()) if n > 500}
    assert large & fills and len(colors) > 10  # colors of cells, and of antialiased text


def test_pictures_of_readme(tmp_path):
    subprocess.run([sys.executable, ROOT / "docs/pictures/make.py", tmp_path], check=True)
    for made in tmp_path.iterdir():
        there = ROOT / "docs/pictures" / made.name
        if made.suffix == ".svg":
            assert made.read_text() == there.read_text()
        else:
            a, b = (corten.vision.io.read_image(str(p)).int() for p in (made, there))
            assert (a - b).abs().max() <= 1
