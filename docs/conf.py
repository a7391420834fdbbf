# conf.py -- how `make docs` makes a site of the Markdown here: Sphinx, with MyST and the theme of Read the Docs.

import posixpath
import re

project = "astar"
html_title = "astar"
extensions = ["myst_parser"]
myst_heading_anchors = 3
highlight_language = "none"

include_patterns = [
    "README.md", "docs/*.md", "examples/README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md",
]
root_doc = "README"
INDEX = "docs/README"

html_theme = "sphinx_rtd_theme"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_show_copyright = False


def navigation(index):
    """The order of the pages: the index itself, then what it links to, a part a heading."""
    yield f"```{{toctree}}\n:hidden:\n{INDEX}\n```\n"
    for part in re.split(r"^## ", index, flags=re.M)[1:]:
        caption, body = part.split("\n", 1)
        targets = re.findall(r"\]\(([\w./]+)\.md\)", body)
        pages = [posixpath.normpath(posixpath.join("docs", target)) for target in targets]
        pages = "\n".join(page for page in pages if page != root_doc)
        yield f"```{{toctree}}\n:hidden:\n:caption: {caption}\n{pages}\n```\n"


def add_navigation(app, name, source):
    if name == root_doc:
        with open(app.env.doc2path(INDEX), encoding="utf-8") as index:
            source[0] += "\n" + "\n".join(navigation(index.read()))


def setup(app):
    app.connect("source-read", add_navigation)
