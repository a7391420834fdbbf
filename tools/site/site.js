// site.js -- what the manual's pages do by themselves: a button that copies a block of code, one that changes day and night.

const read = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a page from a folder may keep nothing */ } };

const isDark = () => (read("astar-theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function showTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}

function addButton(parent, className, text, label, act) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className, textContent: text, title: label, onclick: () => act(button) });
  button.setAttribute("aria-label", label);
  parent.append(button);
}

// From a folder there is no clipboard to write to but by a selection.
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

// A cell that stands below the others of its row, as on a phone, shows what its column is called.
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

showTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
document.addEventListener("DOMContentLoaded", () => {
  addCopyButtons();
  nameCells();
  const place = document.querySelector(".wy-side-nav-search");
  if (place) addButton(place, "theme", "Dark or light", "Dark or light", () => {
    keep("astar-theme", isDark() ? "light" : "dark");
    showTheme();
  });
});
