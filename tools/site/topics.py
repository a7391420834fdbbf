# topics.py -- makes the search of the site find what a game programmer types: each word of topics.txt leads to a section of the manual,
# whether or not that section uses the word. search.js ranks these results first.

import os
import re

from docutils import nodes
from sphinx.domains import Domain, ObjType
from sphinx.util import logging

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "topics.txt")
logger = logging.getLogger(__name__)


def read_topics():
    """Returns a list of (page, section, word)."""
    topics = []
    with open(FILE, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"([\w/]+)#([\w-]*): (.*)$", line)
            if match:
                page, section, words = match.groups()
                topics += [(page, section, word) for word in words.split(", ")]
    return topics


class Topics(Domain):
    """The search of Sphinx lists the objects of each domain by their names: here a name is a word of topics.txt."""
    name = "topic"
    label = "Topic"
    object_types = {"topic": ObjType("topic")}
    initial_data = {"sections": {}}  # of each page, the ids of its sections

    def get_type_name(self, type, primary=False):
        return "topic"

    def get_objects(self):
        for page, section, word in read_topics():
            ids = self.data["sections"].get(page, [])
            if ids:
                yield word.lower(), word.lower(), "topic", page, section or ids[0], 1

    def resolve_any_xref(self, *_):
        return []  # links of the manual never name a topic

    def merge_domaindata(self, docnames, otherdata):
        pass


def note_sections(app, tree):
    ids = [id for section in tree.findall(nodes.section) for id in section["ids"]]
    app.env.get_domain("topic").data["sections"][app.env.docname] = ids


def check(app, env):
    """Warns of a line of topics.txt whose section does not exist. Warnings make the build fail."""
    sections = env.get_domain("topic").data["sections"]
    for page, section, word in read_topics():
        if page not in sections or section and section not in sections[page]:
            logger.warning("tools/site/topics.txt: %s has no section #%s (%s)", page, section, word)


def setup(app):
    app.add_domain(Topics)
    app.connect("doctree-read", note_sections)
    app.connect("env-check-consistency", check)
