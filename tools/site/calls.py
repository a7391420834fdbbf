# calls.py -- links for calls. Where a page names a call as code, such as `grid:find_path`, the name becomes a link to its entry in the
# reference. Each entry gets links to the sections that explain the call. The search finds calls and options by their names.

import posixpath
import re

from docutils import nodes
from sphinx.domains import Domain, ObjType

REFERENCE = "docs/reference/"
CALL = re.compile(r"(?<![\w.:])(astar(?:\.[a-z_]+)+|[a-z_]+:[a-z_]+)")
# Pages that list everything, or explain something else: no entry of the reference leads there.
LISTS = {"README", "CHANGELOG", "CONTRIBUTING", "ARCHITECTURE", "docs/README", "docs/concepts", "docs/glossary", "docs/tactics/tactics", "docs/cheat_sheet", "docs/options", "docs/reference",
         "docs/from_jumper", "docs/from_godot", "docs/performance", "docs/targets", "docs/extending", "docs/development", "examples/README"}
MOST = 3


class Calls(Domain):
    """The entry of each call in the reference: places[call] = [(page, anchor, guides)]; how often each section names the call:
    told[call][(page, anchor, title)] = count; and the entry of each option or field: options = [(name, page, anchor)]."""
    name = "lua"
    label = "Lua"
    object_types = {"call": ObjType("call"), "option": ObjType("option")}
    initial_data = {"places": {}, "told": {}, "options": []}

    def get_objects(self):
        for call, places in self.data["places"].items():
            for page, anchor, _ in places:
                yield call, call, "call", page, anchor, 0
        for name, page, anchor in self.data["options"]:
            yield name, name, "option", page, anchor, 1

    def place(self, call, page):
        """Returns the entry of a call. If several classes have a call of this name, returns that of the class which the page explains."""
        places = self.data["places"].get(call, [])
        return next((place for place in places if page in place[2]), places[0] if places else None)

    def resolve_any_xref(self, *_):
        return []  # MyST resolves links

    def merge_domaindata(self, docnames, otherdata):
        pass


def section_of(node):
    while not isinstance(node, nodes.section):
        node = node.parent
    return node


def guides_of(env):
    """Returns the pages of the manual that a page of the reference names at its beginning."""
    with open(env.doc2path(env.docname), encoding="utf-8") as page:
        line = re.search(r"^Explained in: (.*?)\. ", page.read(), flags=re.M)
    targets = re.findall(r"\]\(([\w./]+)\.md\)", line.group(1)) if line else []
    return {posixpath.normpath(posixpath.join(REFERENCE, target)) for target in targets}


def note_entries(env, tree):
    domain = env.get_domain("lua")
    guides = guides_of(env)
    for section in tree.findall(nodes.section):
        title = section.next_node(nodes.title).astext()
        if CALL.fullmatch(title):
            domain.data["places"].setdefault(title, []).append((env.docname, section["ids"][0], guides))
        elif title.endswith(("Options", "Query", "Budget")):
            for item in section.findall(nodes.list_item):
                name = item.next_node(nodes.literal).astext().rstrip("?")
                domain.data["options"].append((name, env.docname, section["ids"][0]))


def note_told(env, tree):
    """Counts how often each section names each call."""
    told = env.get_domain("lua").data["told"]
    for node in list(tree.findall(nodes.literal)) + list(tree.findall(nodes.literal_block)):
        section = section_of(node)
        place = (env.docname, section["ids"][0], section.next_node(nodes.title).astext())
        for call in CALL.findall(node.astext()):
            counts = told.setdefault(call, {})
            counts[place] = counts.get(place, 0) + 1


def note(app, tree):
    if app.env.docname.startswith(REFERENCE):
        note_entries(app.env, tree)
    elif app.env.docname not in LISTS:
        note_told(app.env, tree)


def link(app, page, target, anchor, child):
    node = nodes.reference("", "", child, internal=True)
    node["refuri"] = app.builder.get_relative_uri(page, target) + "#" + anchor if target != page else "#" + anchor
    return node


def link_calls(app, tree, page):
    """Makes a link to the reference of each call that a page names as code."""
    domain = app.env.get_domain("lua")
    for literal in list(tree.findall(nodes.literal)):
        call = CALL.match(literal.astext())
        place = call and domain.place(call.group(1), page)
        inside = literal.parent
        if place and not isinstance(inside, (nodes.reference, nodes.title)) and page != place[0]:
            literal.replace_self(link(app, page, place[0], place[1], literal.deepcopy()))


def best(domain, call, page, guides):
    """Returns the sections that explain a call, one per page: on each page the section that names the call most often. Pages that the
    reference names as guides of the class come first, then pages that name the call more often."""
    sections, totals = {}, {}
    counts = domain.data["told"].get(call, {})
    for place, count in counts.items():
        if domain.place(call, place[0])[0] == page:
            totals[place[0]] = totals.get(place[0], 0) + count
            if place[0] not in sections or count > counts[sections[place[0]]]:
                sections[place[0]] = place
    return sorted(sections.values(), key=lambda place: (place[0] not in guides, -totals[place[0]]))[:MOST]


def link_told(app, tree, page):
    """Ends each entry of the reference with links to the sections that explain it."""
    domain = app.env.get_domain("lua")
    for section in list(tree.findall(nodes.section)):
        call = section.next_node(nodes.title).astext()
        for place, anchor, guides in domain.data["places"].get(call, []):
            told = best(domain, call, page, guides)
            if place == page and anchor == section["ids"][0] and told:
                line = nodes.paragraph("", "", nodes.Text("Explained in "), classes=["told"])
                for i, (target, within, title) in enumerate(told):
                    if i > 0:
                        line += nodes.Text(", ")
                    guide = target.split("/")[-1].replace("_", " ").capitalize()
                    line += link(app, page, target, within, nodes.Text(f"{guide}: {title}"))
                section.append(line)


def resolve(app, tree, page):
    if page.startswith(REFERENCE):
        link_told(app, tree, page)
    if page != "CHANGELOG":
        link_calls(app, tree, page)


def setup(app):
    app.add_domain(Calls)
    app.connect("doctree-read", note)
    app.connect("doctree-resolved", resolve)
