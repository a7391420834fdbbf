// editor.js -- the script's editor: Lua in colours, the error beside its line, a long drawing folded away.

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo } from "@codemirror/commands";
import {
  codeFolding, foldEffect, foldGutter, HighlightStyle, indentOnInput, StreamLanguage, syntaxHighlighting,
} from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { Annotation, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { offer } from "./offering.js";

const byPage = Annotation.define(); // edits that are not typed

const style = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.standard(tags.variableName), class: "tok-builtin" },
]);

class Message extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }

  eq(other) {
    return other.text === this.text;
  }

  toDOM() {
    const element = document.createElement("div");
    element.className = "line-error";
    element.appendChild(document.createElement("p")).textContent = this.text;
    return element;
  }
}

const setError = StateEffect.define();

// The line that the last error came from, and below it what it says; gone with the next edit of the text.
const errorField = StateField.define({
  create: () => Decoration.none,
  update(decorations, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setError)) continue;
      if (!effect.value || effect.value.line > transaction.newDoc.lines) return Decoration.none;
      const line = transaction.newDoc.line(Math.max(1, effect.value.line));
      return Decoration.set([
        Decoration.line({ class: "line-with-error" }).range(line.from),
        Decoration.widget({ widget: new Message(effect.value.message), side: 1, block: true }).range(line.to),
      ]);
    }
    return transaction.docChanged ? decorations.map(transaction.changes) : decorations;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const flash = StateEffect.define(), unflash = StateEffect.define();

// What the page has just edited, to be seen.
const flashField = StateField.define({
  create: () => Decoration.none,
  update(decorations, transaction) {
    let next = decorations.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(unflash)) next = Decoration.none;
      if (effect.is(flash)) next = next.update({ add: effect.value.map(({ from, to }) => Decoration.mark({ class: "flash" }).range(from, to)), sort: true });
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editor {
  constructor(parent, { onTyped, onRun }) {
    this.onTyped = onTyped;
    const run = { key: "Mod-Enter", run: () => (onRun(), true) };
    this.extensions = [
      lineNumbers(), foldGutter(), drawSelection(), highlightActiveLine(), codeFolding(), errorField, flashField,
      history({ joinToEvent: (transaction, isNext) => isNext || Boolean(transaction.annotation(byPage)) }), // a stroke is one edit
      EditorState.tabSize.of(2), StreamLanguage.define(lua), indentOnInput(), syntaxHighlighting(style),
      autocompletion({ override: [offer], icons: false }),
      keymap.of([run, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Lua script. Escape, then Tab, leaves it", spellcheck: "false", autocapitalize: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(byPage))) this.onTyped(update);
      }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: this.extensions }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // Edits as script.js makes them; undone as what is typed is, with the one before where it goes on with that.
  edit(changes, goesOn = false) {
    this.change(changes, goesOn);
    this.flash([changes].flat());
  }

  change(changes, goesOn = false) {
    this.view.dispatch({ changes, annotations: goesOn ? byPage.of(true) : [byPage.of(true), isolateHistory.of("before")] });
  }

  // Lights up what edits have put into the text, and brings the first of it into sight.
  flash(edits) {
    let moved = 0;
    const ranges = [];
    for (const { from, to = from, insert } of edits) {
      if (insert) ranges.push({ from: from + moved, to: from + moved + insert.length });
      moved += insert.length - (to - from);
    }
    if (ranges.length === 0 || ranges.length > 2000) return;
    this.view.dispatch({ effects: flash.of(ranges) });
    if (!this.view.hasFocus) this.bring(ranges[0].from);
    clearTimeout(this.flashed);
    this.flashed = setTimeout(() => this.view.dispatch({ effects: unflash.of(null) }), 1500);
  }

  // Scrolls to a place if it is out of sight. CodeMirror's own way would scroll the window as well, which hides the map on a telephone.
  bring(place) {
    const { scrollDOM } = this.view, { top, bottom } = this.view.lineBlockAt(Math.min(place, this.view.state.doc.length));
    if (top < scrollDOM.scrollTop) scrollDOM.scrollTop = top - 20;
    else if (bottom > scrollDOM.scrollTop + scrollDOM.clientHeight) scrollDOM.scrollTop = bottom + 20 - scrollDOM.clientHeight;
  }

  showEnd() {
    this.bring(this.view.state.doc.length);
  }

  replace(text) {
    this.change({ from: 0, to: this.view.state.doc.length, insert: text });
    this.view.scrollDOM.scrollTop = 0;
  }

  undo() {
    return undo(this.view);
  }

  redo() {
    return redo(this.view);
  }

  // Hides what lies between two places, but for the first line.
  fold(from, to) {
    if (to - from < 200) return;
    this.view.dispatch({ effects: foldEffect.of({ from, to }) });
  }

  showError(problem) {
    this.view.dispatch({ effects: setError.of(problem?.line ? problem : null) });
  }

  goTo(number) {
    const line = this.view.state.doc.line(Math.min(Math.max(1, number), this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    this.view.focus();
  }
}
