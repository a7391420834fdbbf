// site.js -- what the pages of the manual do in the browser: a button in each block of code copies it, and each cell of a table knows the
// heading of its column.

function addButton(parent, className, text, label, act) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className, textContent: text, title: label, onclick: () => act(button) });
  button.setAttribute("aria-label", label);
  parent.append(button);
}

// A page that was opened from a folder may not use the clipboard, but it may copy a selection.
function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  return Promise.resolve();
}

function addCopyButtons() {
  for (const block of document.querySelectorAll("div.highlight")) {
    addButton(block, "copy", "Copy", "Copy this code", (button) =>
      copyText(block.querySelector("pre").textContent).then(() => {
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      }));
  }
}

// On a phone the cells of a row stand below each other: site.css writes this heading before each of them.
function nameCells() {
  for (const table of document.querySelectorAll("table.docutils")) {
    const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
    for (const row of table.querySelectorAll("tbody tr")) {
      [...row.cells].forEach((cell, i) => {
        if (i === 0 || !names[i]) return;
        cell.classList.add("of");
        cell.dataset.of = names[i];
      });
    }
  }
}

document.addEventListener("DOMContentLoaded", () => {
  addCopyButtons();
  nameCells();
});
