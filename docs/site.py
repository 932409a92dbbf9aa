# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site from the pages of the repository: site.py FOLDER. Standard library only.

Reads README, docs/*.md, the tutorials (notebooks, as notebook.py wrote them) and the change log; operations.py adds a page for each
family of operations and for each Python module. It understands the Markdown that these pages use (headings, lists, tables, code,
links, emphasis). Links to pages become links to HTML, links to source files become plain text, and a broken link is an error. The
search runs in the browser, on the index of all headings in search.js.
"""
import base64
import html
import json
import pathlib
import re
import sys

import operations

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ["README.md", "docs/start.md",
         *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs/tutorials").glob("*.ipynb")), "docs/from-pytorch.md",
         "docs/from-numpy.md", "docs/python.md", "docs/c-api.md", "docs/files.md", "docs/data.md", "docs/distributed.md",
         "docs/performance.md", "docs/reliability.md", "docs/conformance.md", "docs/reference.md", "docs/design.md",
         "docs/adding-an-operation.md", "docs/adding-an-engine.md", "docs/glossary.md"]
PAGES += [name for p in sorted((ROOT / "docs").glob("*.md")) if (name := f"docs/{p.name}") not in PAGES]
PAGES += ["CONTRIBUTING.md", "CHANGELOG.md"]
STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; color: #1d2328; }
nav { position: fixed; top: 0; bottom: 0; width: 13rem; overflow: auto; padding: 1.2rem; background: #f4f1ec; box-sizing: border-box; }
nav input[type=search] { width: 100%; box-sizing: border-box; padding: .35rem .5rem; font: inherit; border: 1px solid #cdbfae; border-radius: 4px; }
nav summary { cursor: pointer; padding: .3rem 0; font-weight: 600; color: #5b3a1e; } #menu, nav label { display: none; }
#found { margin: .4rem 0 1rem; } #found small { display: block; color: #6a737d; }
nav a { display: block; padding: .15rem 0; color: #5b3a1e; text-decoration: none; } nav a.here { font-weight: 600; }
main { margin-left: 13rem; padding: 1.5rem 3rem 4rem; max-width: 52rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: #f6f6f4; border-radius: 3px; }
code { padding: 0 .2em; } pre { padding: .8rem 1rem; overflow-x: auto; } pre code { padding: 0; background: none; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; } th, td { border: 1px solid #ddd; padding: .3rem .6rem; text-align: left; vertical-align: top; }
pre.text { white-space: pre-wrap; } pre.plain { background: none; border-left: 3px solid #e0d6c8; border-radius: 0; } figure { margin: 1rem 0; overflow-x: auto; } img { max-width: 100%; }
th { background: #f4f1ec; } a { color: #9a4a12; } h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.2rem; }
.k { color: #9a4a12; } .c { color: #6a737d; } .s { color: #22662a; }
@media (max-width: 50rem) {
  nav { position: sticky; bottom: auto; width: auto; max-height: 80vh; padding: .6rem 1rem; z-index: 1; border-bottom: 1px solid #e0d6c8; }
  nav label { display: inline-block; float: right; padding: .35rem .6rem; border: 1px solid #cdbfae; border-radius: 4px; }
  nav input[type=search] { width: calc(100% - 5.5rem); } #pages { display: none; } #menu:checked ~ #pages { display: block; clear: both; }
  nav a { padding: .4rem 0; } main { margin: 0; padding: 1rem; } h1 { font-size: 1.6rem; } main { overflow-wrap: break-word; }
}
"""
# An entry [title, page, address, text] matches if it contains all words of the query; matches in the title come first.
SEARCH = r"""
const box = document.getElementById("search"), found = document.getElementById("found");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  if (!words.length || box.value.trim().length < 2) return;
  const hits = [];
  for (const entry of INDEX) {
    const title = entry[0].toLowerCase(), all = title + " " + entry[3].toLowerCase();
    if (!words.every(w => all.includes(w))) continue;
    const last = title.split(/[. ]/).pop();
    hits.push([last === words[0] ? 0 : last.startsWith(words[0]) ? 1 : words.every(w => title.includes(w)) ? 2 : 3, entry]);
  }
  hits.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length);
  for (const [, [title, page, address, text]] of hits.slice(0, 30)) {
    const link = document.createElement("a"), small = document.createElement("small");
    link.href = address; link.textContent = title; small.textContent = text.slice(0, 90) || page; link.append(small); found.append(link);
  }
  if (!hits.length) found.textContent = "nothing found";
});
"""
KEYWORDS = {
    "python": "import from as for in def class return if else with while try except raise print not and or is None True False lambda yield",
    "c": "include int void const for if else return struct static bool double float char int64_t while",
}


def target(page):
    """Returns the name of the HTML file of a page."""
    return "index.html" if page.name == "README.md" else page.stem.lower() + ".html"


def slug(text):
    """Returns the anchor of a heading, formed as on GitHub."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", text).lower()).replace(" ", "-")


def markdown_of(path):
    """Returns the Markdown of a page. Code cells of a notebook become code blocks followed by their outputs, each image in a separate block; Markdown cells are kept as they are."""
    if path.suffix != ".ipynb":
        return path.read_text()
    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            data = output.get("data", {"text/plain": output.get("text", "")})
            kind = next(k for k in ("image/svg+xml", "image/png", "text/plain") if k in data)
            parts.append(f"```{kind.split('/')[1].split('+')[0]}\n{''.join(data[kind]).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


class Page:
    """Converts one page to HTML."""

    def __init__(self, path, pages, problems, text=None):
        self.path, self.pages, self.problems = path, pages, problems
        self.text = markdown_of(path) if text is None else text
        self.title = re.search(r"^# (.*)", self.text, re.M)[1]

    def link(self, match):
        """Converts a link: [text](where)."""
        text, where = match[1], match[2]
        if where.startswith(("http:", "https:", "mailto:")):
            return f'<a href="{html.escape(where)}">{text}</a>'
        name, _, anchor = where.partition("#")
        found = (self.path.parent / name).resolve() if name else self.path
        if not found.exists():
            self.problems.append(f"{self.path.relative_to(ROOT)}: no such file: {where}")
        if anchor and found in self.pages and anchor not in self.pages[found]:
            self.problems.append(f"{self.path.relative_to(ROOT)}: no such heading: {where}")
        if found in self.pages:
            return f'<a href="{target(found)}{"#" + anchor if anchor else ""}">{text}</a>'
        return f'<span title="{html.escape(where)}">{text}</span>'

    def picture(self, match):
        """Converts an image, ![description](where), into an element that contains its data."""
        found = self.path.parent / match[2]
        if not found.exists():
            self.problems.append(f"{self.path.relative_to(ROOT)}: no such file: {match[2]}")
            return ""
        kind = "svg+xml" if found.suffix == ".svg" else found.suffix[1:]
        return f'<img alt="{match[1]}" src="data:image/{kind};base64,{base64.b64encode(found.read_bytes()).decode()}">'

    def inline(self, text):
        """Converts code, emphasis, links and images within a line."""
        kept = []

        def keep(match):
            kept.append(f"<code>{html.escape(match[2])}</code>")
            return f"\0{len(kept) - 1}\0"
        text = re.sub(r"(`+)(.+?)\1", keep, text)
        text = html.escape(text, quote=False)
        text = re.sub(r"!\[(.*?)\]\((.*?)\)", self.picture, text)
        text = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)", self.link, text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*(?!\s)(.+?)(?<!\s)\*(?![\w*])", r"<em>\1</em>", text)
        return re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], text)

    @staticmethod
    def code(text, language):
        """Converts a block of code, with syntax colouring."""
        if language == "svg":
            return text
        if language == "png":
            return f'<img alt="" src="data:image/png;base64,{text}">'
        words = "|".join(KEYWORDS.get(language, "").split())
        text = html.escape(text, quote=False)
        if not words:
            return text
        comment = r"#[^\n]*" if language == "python" else r"/\*.*?\*/|//[^\n]*"
        pattern = re.compile(rf"(?P<c>{comment})|(?P<s>'[^'\n]*'|\"[^\"\n]*\")|\b(?P<k>{words})\b", re.S)
        return pattern.sub(lambda m: f'<span class="{m.lastgroup}">{m[0]}</span>', text)

    def body(self):
        """Converts the whole page."""
        out, lines, i = [], self.text.split("\n"), 0
        while i < len(lines):
            line = lines[i]
            if fence := re.match(r"(\s*)```(\w*)", line):
                end = next(j for j in range(i + 1, len(lines)) if lines[j].strip() == "```")
                text = "\n".join(x.removeprefix(fence[1]) for x in lines[i + 1:end])
                text = self.code(text, fence[2])
                out.append(f"<figure>{text}</figure>" if fence[2] in ("svg", "png") else
                           f'<pre class="{fence[2]}"><code>{text}</code></pre>')
                i = end + 1
            elif head := re.match(r"(#+) (.*)", line):
                n = len(head[1])
                out.append(f'<h{n} id="{slug(head[2])}">{self.inline(head[2])}</h{n}>')
                i += 1
            elif line.startswith("|"):
                end = next((j for j in range(i, len(lines)) if not lines[j].startswith("|")), len(lines))
                out.append(self.table(lines[i:end]))
                i = end
            elif re.match(r"\s*([-*]|\d+\.) ", line):
                end = next((j for j in range(i, len(lines)) if not lines[j].strip() or (
                    not lines[j].startswith(" ") and not re.match(r"([-*]|\d+\.) ", lines[j]))), len(lines))
                out.append(self.items(lines[i:end]))
                i = end
            elif line.startswith("    ") and line.strip():
                end = next((j for j in range(i, len(lines)) if lines[j].strip() and not lines[j].startswith("    ")), len(lines))
                out.append(f"<pre><code>{html.escape(chr(10).join(x[4:] for x in lines[i:end]).rstrip(), quote=False)}</code></pre>")
                i = end
            elif line.strip():
                end = next((j for j in range(i, len(lines)) if not lines[j].strip() or lines[j].startswith(("#", "|", "```"))),
                           len(lines))
                out.append(f"<p>{self.inline(' '.join(lines[i:end]))}</p>")
                i = max(end, i + 1)
            else:
                i += 1
        return "\n".join(out)

    def table(self, lines):
        """Converts a table, whose cells are separated by bars."""
        rows = [[c.strip().replace("\1", "|") for c in line.replace(r"\|", "\1").strip().strip("|").split("|")] for line in lines]
        head = "".join(f"<th>{self.inline(c)}</th>" for c in rows[0])
        body = "".join(f"<tr>{''.join(f'<td>{self.inline(c)}</td>' for c in row)}</tr>" for row in rows[2:])
        return f"<table><tr>{head}</tr>{body}</table>"

    def items(self, lines):
        """Converts a list; lines that are indented further form a nested list."""
        out, depth = [], []
        for line in lines:
            found = re.match(r"(\s*)([-*]|\d+\.) (.*)", line)
            if not found:
                out.append(" " + self.inline(line.strip()))
                continue
            indent, kind = len(found[1]), "ol" if found[2][0].isdigit() else "ul"
            while depth and depth[-1][0] > indent:
                out.append(f"</li></{depth.pop()[1]}>")
            if depth and depth[-1][0] == indent:
                out.append("</li>")
            else:
                depth.append((indent, kind))
                out.append(f"<{kind}>")
            out.append(f"<li>{self.inline(found[3])}")
        while depth:
            out.append(f"</li></{depth.pop()[1]}>")
        return "".join(out)


def index_of(page, address):
    """Yields the search entry [title, page, address, text] of each heading of a page."""
    text = re.sub(r"^```.*?^```$", "", page.text, flags=re.M | re.S)
    for part in re.split(r"^(?=#+ )", text, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        title = head.lstrip("# ")
        plain = " ".join(re.sub(r"[`*|]|\]\([^)]*\)|\[", "", body).split())
        yield [re.sub(r"[`*]", "", title), page.title, f"{address}#{slug(title)}", plain[:200]]


def navigation(here, groups):
    """Returns the menu of links to all pages; a group of pages is collapsed unless it contains the current page."""
    out = []
    for name, links in groups:
        texts = "".join(f'<a href="{address}"{" class=here" if address == here else ""}>{html.escape(title)}</a>' for address, title in links)
        unfolded = " open" if any(address == here for address, _ in links) else ""
        out.append(f"<details{unfolded}><summary>{name}</summary>{texts}</details>" if name else texts)
    return ('<nav><input type="search" id="search" placeholder="Search" aria-label="Search"><label for="menu">Menu</label>'
            f'<input type="checkbox" id="menu"><div id="found"></div><div id="pages">{"".join(out)}</div></nav>')


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [ROOT / name for name in PAGES if (ROOT / name).exists()]
    headings = {p: {slug(h) for h in re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", markdown_of(p), flags=re.M | re.S), re.M)}
                for p in paths}
    problems = []
    pages = [Page(p, headings, problems) for p in paths]
    written = [("", [(target(p.path), p) for p in pages])]
    for name, make in (("Operations", operations.operation_pages), ("Python modules", operations.module_pages)):
        written.append((name, [(address, Page(ROOT / "docs" / address, headings, problems, text)) for address, _, text in make()]))
    groups = [(name, [(address, page.title.removeprefix("Operations: ")) for address, page in some]) for name, some in written]
    entries = []
    for address, page in (one for _, some in written for one in some):
        entries += index_of(page, address)
        (folder / address).write_text(
            '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(page.title)}</title><style>{STYLE}</style>{navigation(address, groups)}<main>{page.body()}</main>"
            '<script src="search.js"></script></html>\n')
    (folder / "search.js").write_text(f"const INDEX = {json.dumps(entries, ensure_ascii=False)};\n{SEARCH}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{sum(len(some) for _, some in written)} pages in {folder}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site"))
