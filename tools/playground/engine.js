// engine.js -- the page's side of the worker: calls in order, a script that does not come back ended.

// Where the bytes that the state refers to are.
export function view(answer, [offset, length]) {
  return new DataView(answer.bytes.buffer, answer.bytes.byteOffset + offset, length);
}

export class Engine {
  constructor() {
    this.packed = null; // the worker's script and Lua in wasm, which arrive after the page is shown
    this.parts = null; // both unpacked: { url, wasm }
    this.worker = null;
    this.calls = new Map();
    this.waiting = [];
    this.count = 0;
    this.mostMs = 10000; // scripts are stopped by their steps long before; this is for what goes on all the same
  }

  // Sources of workers must come from a server or, as here, from the page itself.
  async start(packed) {
    this.packed = packed;
    const [script, wasm] = await Promise.all(packed.map(astarUnpack));
    this.parts = { url: URL.createObjectURL(new Blob([script], { type: "text/javascript" })), wasm };
    this.spawn();
  }

  spawn() {
    this.worker = new Worker(this.parts.url);
    this.worker.postMessage(this.parts.wasm);
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.fail(event.message || "the worker failed");
  }

  receive(answer) {
    if (answer.id === "ready") {
      this.isReady = true;
      for (const message of this.waiting.splice(0)) this.post(message);
      return;
    }
    const call = this.calls.get(answer.id);
    if (!call) return;
    clearTimeout(call.timer);
    this.calls.delete(answer.id);
    call.resolve(answer);
  }

  post(message) {
    const call = this.calls.get(message.id);
    call.timer = setTimeout(() => this.fail("stopped: it did not come to an end"), this.mostMs);
    this.worker.postMessage(message);
  }

  // Ends the worker, tells all who wait why, and begins another, in which no script has run.
  fail(message) {
    this.worker?.terminate();
    this.isReady = false;
    const problem = { message };
    for (const call of this.calls.values()) {
      clearTimeout(call.timer);
      call.resolve({ state: { output: "", problem }, bytes: new Uint8Array(0), isLost: true });
    }
    this.calls.clear();
    this.waiting.length = 0;
    if (this.parts) this.spawn();
  }

  call(name, argument = "") {
    const message = { id: ++this.count, name, argument };
    return new Promise((resolve) => {
      this.calls.set(message.id, { resolve });
      if (this.isReady) this.post(message);
      else this.waiting.push(message);
    });
  }
}
