# conf.py -- how `make docs` makes a site of docs/: Sphinx, with MyST and the theme of Read the Docs. Where
# the playground was built, tools/site.sh puts it beside and says so: each snippet then has a link that opens it there.
# calls.py links calls to the reference and back, markdown_beside.py puts each page's Markdown beside it.

import os
import posixpath
import re
import sys
import urllib.parse

from docutils import nodes

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import calls  # noqa: E402
import markdown_beside  # noqa: E402

project = "astar"
with open(HERE + "/../../src/astar.h", encoding="utf-8") as header:
    version = release = re.search('ASTAR_VERSION "([^"]+)"', header.read()).group(1)
html_title = "astar"
extensions = ["myst_parser"]
myst_heading_anchors = 3
highlight_language = "none"

include_patterns = [
    "README.md", "docs/*.md", "docs/*/*.md", "examples/README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md",
]
root_doc = "README"
INDEX = "docs/README"
REFERENCE = "docs/reference"

html_theme = "sphinx_rtd_theme"
html_static_path = ["site.css", "site.js"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = HERE + "/search.js"
html_copy_source = False
html_use_index = False
html_show_copyright = False


def pages_of(text, folder):
    """The pages that a text links to, once each, in its order."""
    targets = re.findall(r"\]\(([\w./]+)\.md[#)]", text)
    return list(dict.fromkeys(posixpath.normpath(posixpath.join(folder, target)) for target in targets))


def navigation(index):
    """The order of the pages: the index itself, then what it links to, a part a heading."""
    yield f"```{{toctree}}\n:hidden:\n{INDEX}\n```\n"
    for part in re.split(r"^## ", index, flags=re.M)[1:]:
        caption, body = part.split("\n", 1)
        pages = "\n".join(page for page in pages_of(body, "docs") if page != root_doc)
        yield f"```{{toctree}}\n:hidden:\n:caption: {caption}\n{pages}\n```\n"


def add_navigation(app, name, source):
    if name == root_doc:
        with open(app.env.doc2path(INDEX), encoding="utf-8") as index:
            source[0] += "\n" + "\n".join(navigation(index.read()))
    elif name == REFERENCE:
        classes = "\n```{toctree}\n:hidden:\n" + "\n".join(pages_of(source[0], "/docs")) + "\n```\n"
        source[0] = source[0].replace("\n", "\n" + classes, 1)  # before any section, or they would lie within that


def playground(app, name, script="", query=""):
    """The address of the playground from a page, with a script to open."""
    address = app.builder.get_relative_uri(name, "playground/index") + query
    return address + ("#lua=" + urllib.parse.quote(script, safe="") if script else "")


def add_playground(app, name, source):
    """Leads to it from the first page, the index and its own page."""
    if name in (root_doc, INDEX, "docs/playground"):
        link = f'<p><a class="playground" href="{playground(app, name)}">Open the playground: all of this in the browser</a></p>'
        source[0] = source[0].replace("\n\n", f"\n\n```{{raw}} html\n{link}\n```\n\n", 1)


# A map that one can paint on, and what draws something over it.
MAP = re.compile(r"astar\.grid\s*\(?\s*\[\[")
ASKED = re.compile(r":(find_path|find_nearest|flow|reach|search|go)\b")
UNSEEN = re.compile(r"astar\.graph|:share\b|workers|desire_map|:resolving|:job|_job")  # the playground has no threads, draws no graph


def open_snippets(app, tree, name):
    """Puts a link behind each snippet: those before it in its section come along, for they go on from one another. On a page
    without a picture the first map lies there, to be touched."""
    section, program = None, ""
    maps = []  # what could be shown: whether one can paint on it, the block, its address
    opening = None  # of a page of the reference, what all its examples follow
    if name in ("docs/extending", "docs/first_game"):
        return  # what astar does not have yet, what needs LÖVE
    for block in list(tree.findall(nodes.literal_block)):
        if block.get("language") != "lua":
            continue
        parent = block.parent
        while parent.parent and not (isinstance(parent, nodes.section) and isinstance(parent.parent, nodes.section)):
            parent = parent.parent
        if parent is not section:
            section, program = parent, ""
            if name.startswith(REFERENCE + "/"):
                opening = opening if opening is not None else block.astext().rstrip("\n") + "\n"
                program = "" if block.astext().rstrip("\n") + "\n" == opening else opening
        program += block.astext().rstrip("\n") + "\n"
        first = "" if 'require "astar"' in program else 'local astar = require "astar"\n\n'
        link = f'<p class="playground"><a href="{playground(app, name, first + program)}">Open in the playground</a></p>'
        if "astar.grid" in program and ASKED.search(block.astext()) and not UNSEEN.search(program):
            maps.append((not MAP.search(program), len(maps), block, playground(app, name, first + program, "?map")))
        block.parent.insert(block.parent.index(block) + 1, nodes.raw("", link, format="html"))
    if maps and next(tree.findall(nodes.image), None) is None:
        _, _, block, address = min(maps)
        frame = f'<iframe class="map" loading="lazy" title="The map of this code: paint on it, drag S and G" src="{address}"></iframe>'
        block.parent.insert(block.parent.index(block) + 2, nodes.raw("", frame, format="html"))


def setup(app):
    calls.setup(app)
    markdown_beside.setup(app)
    app.connect("source-read", add_navigation)
    if os.environ.get("ASTAR_PLAYGROUND"):
        app.connect("source-read", add_playground)
        app.connect("doctree-resolved", open_snippets)
