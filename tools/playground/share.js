// share.js -- a script as part of an address, packed, and what is kept in the browser from one visit to the next.

const KEY = "astar-playground";
// A map within another page, index.html?map, is that page's: nothing of it is kept.
export const isEmbedded = new URLSearchParams(location.search).has("map");
export const MOST_LINK = 60000; // characters; longer ones get lost on their way

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

// The address of this page with the script in it.
export async function link(script) {
  const packed = await through(new TextEncoder().encode(script), new CompressionStream("deflate-raw"));
  return `${location.href.replace(/#.*/s, "")}#s=${toBase64(packed)}`;
}

// The script in an address, packed as above or, as links made elsewhere have it, plain: #lua=print%281%29.
export async function scriptOf(hash) {
  try {
    if (hash.startsWith("#lua=")) return decodeURIComponent(hash.slice(5));
    if (!hash.startsWith("#s=")) return null;
    return new TextDecoder().decode(await through(fromBase64(hash.slice(3)), new DecompressionStream("deflate-raw")));
  } catch {
    return null; // cut off on its way
  }
}

export const isLink = (hash) => /^#(lua|s)=/.test(hash);

// Keeps { text, own, mine } as page.js has them. Browsers may forbid pages to keep anything, or have no room for it.
export function keep(all) {
  if (isEmbedded) return true;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

export function kept() {
  if (isEmbedded) return null;
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}
