// buttons.js -- what the buttons around the map and the script do.

import { find, page } from "./page.js";
import { clear } from "./painting.js";
import { parseMap, preset, PRESETS } from "./presets.js";
import { chooseMap, comeBack, run } from "./scripting.js";
import * as share from "./share.js";
import { note, showStop } from "./showing.js";

export function listenToButtons() {
  for (const [name, { title }] of Object.entries(PRESETS)) find("preset").append(new Option(title, name));
  find("preset").value = "country";
  find("preset").addEventListener("change", () => chooseMap(preset(find("preset").value, page.seed)));
  find("again").addEventListener("click", () => chooseMap(preset(find("preset").value || "country", ++page.seed)));
  find("clear").addEventListener("click", clear);
  find("run").addEventListener("click", run);
  find("stop").addEventListener("click", () => {
    page.runner.stop();
    showStop();
  });
  find("more").addEventListener("click", () => {
    const isShown = find("more").getAttribute("aria-expanded") !== "true";
    find("more").setAttribute("aria-expanded", String(isShown));
    find("rest").classList.toggle("shown", isShown);
  });
  find("slider").addEventListener("input", () => {
    page.runner.playing = 0;
    page.runner.askNewest("go", find("slider").value);
  });
  find("back").addEventListener("click", comeBack);
  find("undo").addEventListener("click", () => page.editor.undo() || note("There is nothing to undo"));
  addEventListener("keydown", (event) => { // in the editor that is its own
    if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) page.editor.redo();
    else page.editor.undo();
  });
  find("restart").addEventListener("click", () => page.runner.ask("begin"));
  find("step").addEventListener("click", () => page.runner.ask("step", 1));
  find("step10").addEventListener("click", () => page.runner.ask("step", 10));
  find("finish").addEventListener("click", () => page.runner.ask("step", 100000000));
  find("play").addEventListener("click", async () => {
    if (page.runner.playing === 0 && page.scene.searches.every(({ status }) => status !== "running")) await page.runner.ask("begin");
    if (page.runner.playing > 0) page.runner.playing = 0;
    else { // to its end within some seconds
      const most = Math.max(page.scene.grid.cells.length / 8, ...(page.totals ?? []).map(({ expanded }) => expanded));
      page.runner.play(Math.max(1, Math.round(most / 240)));
    }
    find("play").textContent = page.runner.playing > 0 ? "Pause" : "Play";
  });
  find("share").addEventListener("click", async () => {
    const link = await share.link(page.editor.text);
    const length = link.length.toLocaleString("en");
    if (link.length > share.MOST_LINK) return note(`The link would have ${length} characters, more than addresses bear`);
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      note("The link is copied; the address bar has it, too");
    } catch {
      note("The address bar has the link");
    }
  });
  find("open").addEventListener("click", () => find("file").click());
  find("file").addEventListener("change", async () => {
    const [file] = find("file").files;
    find("file").value = "";
    if (!file) return;
    try {
      if (file.size > 4e6) throw new Error(`${file.name} is larger than any map that this page takes`);
      const opened = chooseMap(parseMap(await file.text()));
      find("preset").value = "";
      await opened;
    } catch (problem) {
      note(problem.message);
    }
  });
}
