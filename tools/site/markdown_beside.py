# markdown_beside.py -- each page of the site as plain Markdown beside it, and llms.txt (llmstxt.org), which leads to all of them:
# for programs that read manuals.

import os
import posixpath
import re
import shutil

SUMMARY = "Pathfinding on grids, graphs and worlds without edges for Lua: a C module, and a twin in plain Lua."


def name_markdown(app, name, template, context, tree):
    """A page says where its Markdown is."""
    if tree is not None:
        markdown = posixpath.basename(name) + ".md"
        context["metatags"] += f'<link rel="alternate" type="text/markdown" href="{markdown}">'


def read(app, name):
    with open(app.env.doc2path(name), encoding="utf-8") as file:
        return file.read()


def plain(text):
    """Links as their words alone."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)


def entries(index):
    """The index of the manual as lists: its headings, and a line for each page it links to."""
    for line in index[index.index("\n## ") + 1:].split("\n"):
        row = re.match(r"\| (\[.*\)) \| (.*) \|$", line)
        if row:
            for title, target in re.findall(r"\[([^]]+)\]\(([\w./]+)\)", line):
                yield f"- [{title}]({posixpath.normpath(posixpath.join('docs', target))}): {plain(row.group(2))}"
        elif line.startswith("## "):
            yield f"\n{line}\n"


def classes(app):
    yield "\n## Reference, a class a page: every call, field and option, with examples\n"
    for name in sorted(app.env.found_docs):
        if name.startswith("docs/reference/"):
            yield f"- [{app.env.titles[name].astext()}]({name}.md)"


def write(app, error):
    if error:
        return
    for name in app.env.found_docs:
        shutil.copy(app.env.doc2path(name), os.path.join(app.outdir, name + ".md"))
    lines = [f"# astar {app.config.version}", "", "> " + SUMMARY, *entries(read(app, "docs/README")), *classes(app)]
    with open(os.path.join(app.outdir, "llms.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def setup(app):
    app.connect("html-page-context", name_markdown)
    app.connect("build-finished", write)
