# conf.py -- settings for `make docs`, which builds a site from docs/ with Sphinx, MyST and the theme Furo. If the playground was
# built, tools/site.sh copies it into the site and sets ASTAR_PLAYGROUND: each snippet then has a link that opens it in the playground.
# calls.py links calls to the reference and back, topics.py adds search words, markdown_beside.py copies each page's Markdown.

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
import topics  # noqa: E402

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

html_theme = "furo"
# Debian's build of Furo has no dark colours for readers whose system is dark and who never chose a theme: they are written here.
DARK = {
    "background-primary": "#16181d", "background-secondary": "#1c2027", "background-hover": "#262b34", "background-border": "#343a45",
    "background-hover--transparent": "#262b3400", "background-item": "#4a505c",
    "foreground-primary": "#d5d7dc", "foreground-secondary": "#a3a8b2", "foreground-muted": "#9298a3", "foreground-border": "#6a707c",
    "brand-primary": "#6cb2eb", "brand-content": "#6cb2eb", "highlighted-background": "#6b5310", "highlight-on-target": "#33300f",
    "admonition-background": "#1a1d23", "code-background": "#1c2027", "code-foreground": "#d5d7dc",
}
html_theme_options = {
    "top_of_page_button": None,  # "edit this page" would need the address of a repository
    "dark_css_variables": {"color-" + name: color for name, color in DARK.items()},
}
pygments_style = "friendly"
pygments_dark_style = "material"
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


def fold_navigation(app, name, template, context, tree):
    """Folds each part of the sidebar but the one that holds the current page. Furo itself folds only pages below a page."""
    parts = re.split(r'<p class="caption"[^>]*>(.*?)</p>', context.get("furo_navigation_tree", ""), flags=re.S)
    folded = parts[0]
    for caption, pages in zip(parts[1::2], parts[2::2]):
        is_open = "current" in pages or name == root_doc and caption == parts[1]
        folded += f'<details{" open" if is_open else ""}><summary class="caption">{caption}</summary>{pages}</details>'
    context["furo_navigation_tree"] = folded


ADMONITIONS = {"note": nodes.note, "warning": nodes.warning, "limit": nodes.admonition, "limits": nodes.admonition}


def make_admonitions(app, tree):
    """Makes an admonition of each paragraph or block quote that begins with a bold "Note", "Warning" or "Limit"."""
    for paragraph in list(tree.findall(nodes.paragraph)):
        label = next((child for child in paragraph.children if child.astext()), None)  # MyST puts an empty text before it
        name = label.astext().rstrip(".:").lower() if isinstance(label, nodes.strong) else ""
        quote = paragraph.parent if isinstance(paragraph.parent, nodes.block_quote) else None
        if name not in ADMONITIONS or quote and quote.index(paragraph) > 0:
            continue
        after = label.next_node(descend=False, siblings=True)
        if isinstance(after, nodes.Text):
            paragraph.replace(after, nodes.Text(after.astext().lstrip()))
        paragraph.remove(label)
        if name.startswith("limit"):
            admonition = nodes.admonition("", nodes.title("", name.capitalize()), classes=["note"])
        else:
            admonition = ADMONITIONS[name]("")
        (quote or paragraph).replace_self(admonition)
        admonition += quote.children if quote else paragraph


def playground(app, name, script="", query=""):
    """Returns the address of the playground from a page, with a script to open."""
    address = app.builder.get_relative_uri(name, "playground/index") + query
    return address + ("#lua=" + urllib.parse.quote(script, safe="") if script else "")


def button(address, text, kind=""):
    return f'<a class="button{kind}" href="{address}">{text}</a>'


def add_buttons(app, name, source):
    """Puts buttons below the first paragraph of the home page, which begins with that paragraph and not with its picture; and leads to
    the playground from the home page, the index of the manual and the playground's own page."""
    buttons = []
    if name == root_doc:
        source[0] = re.sub(r"\A(# .*?\n\n)(!\[.*?\n\n)(.*?\n\n)", r"\1\3\2", source[0], flags=re.S)
        buttons = [button(app.builder.get_relative_uri(name, "docs/" + page), text, kind) for page, text, kind in (
            ("first_game", "Get started", " first"), ("concepts", "Concepts", ""), ("cookbook", "Cookbook", ""), ("reference", "Reference", ""))]
    if os.environ.get("ASTAR_PLAYGROUND") and name in (root_doc, INDEX, "docs/playground"):
        buttons.append(button(playground(app, name), "Try it in the browser"))
    if buttons:
        row = "```{raw} html\n<p class=\"buttons\">" + "".join(buttons) + "</p>\n```\n\n"
        heading, opening, rest = source[0].split("\n\n", 2)
        source[0] = f"{heading}\n\n{opening}\n\n{row}{rest}"


# Snippets whose map can be painted on, and calls that draw something over a map.
MAP = re.compile(r"astar\.grid\s*\(?\s*\[\[")
ASKED = re.compile(r":(find_path|find_nearest|flow|reach|search|go)\b")
UNSEEN = re.compile(r"astar\.graph|:share\b|workers|desire_map|:resolving|:job|_job")  # the playground has no threads, and draws no graph beside a grid


def open_snippets(app, tree, name):
    """Puts a link to the playground behind each snippet. The link opens the earlier snippets of the section as well, because the snippets
    of a section continue each other. On a page without a picture the first map is shown, to be painted on."""
    section, program = None, ""
    maps = []  # candidates: (no map in the snippet to paint on, number, block, address)
    opening = None  # on a page of the reference: the first snippet, which all other snippets continue
    if name in ("docs/extending", "docs/first_game"):
        return  # the first page adds to astar what it does not have yet, the second one needs LÖVE
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


NORMALIZE = "/usr/share/javascript/normalize.css/normalize.css"


def include_normalize(app, error):
    """Puts normalize.css into furo.css. Debian's Furo imports it from an address that only a web server on Debian has."""
    style = os.path.join(app.outdir, "_static", "styles", "furo.css")
    if error or not os.path.exists(style):
        return
    with open(style, encoding="utf-8") as file:
        text = file.read()
    rules = ""
    if os.path.exists(NORMALIZE):
        with open(NORMALIZE, encoding="utf-8") as file:
            rules = file.read()
    with open(style, "w", encoding="utf-8") as file:
        file.write(re.sub(r"@import url\(/javascript/normalize\.css/normalize\.css\);?", lambda _: rules, text))


def setup(app):
    calls.setup(app)
    topics.setup(app)
    markdown_beside.setup(app)
    app.connect("source-read", add_navigation)
    app.connect("source-read", add_buttons)
    app.connect("doctree-read", make_admonitions)
    app.connect("html-page-context", fold_navigation, priority=900)  # after Furo has made its tree
    app.connect("build-finished", include_normalize)
    if os.environ.get("ASTAR_PLAYGROUND"):
        app.connect("doctree-resolved", open_snippets)
