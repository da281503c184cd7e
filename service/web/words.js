// Texts as rows of words that can be pointed at.

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Calls `leave` when the pointer leaves, but for a finger that is lifted: what it marked can be read. */
export function onLeave(target, leave) {
  target.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") leave(); });
}

/** The words of one side of a segment, with what stands between them; `side` has UTF-16 offsets into `text`. */
export function words(text, side, point) {
  const parts = [];
  let at = side.start;
  side.tokens.forEach((token, index) => {
    if (token.start > at) parts.push(text.slice(at, token.start));
    if (token.end > token.start) {
      const word = element("span", { className: "word", textContent: text.slice(token.start, token.end), tabIndex: -1 });
      word.dataset.index = index;
      word.addEventListener("pointerenter", () => point(index));
      onLeave(word, () => point(null));
      parts.push(word);
    }
    at = Math.max(at, token.end);
  });
  if (side.end > at) parts.push(text.slice(at, side.end));
  return parts;
}

/** Shade the words below `root`: `weights[index]` is what the pointed word gives to or gets from each; null clears. */
export function shade(root, weights, here = null) {
  for (const word of root?.querySelectorAll(".word") ?? []) {
    const index = Number(word.dataset.index);
    word.style.setProperty("--weight", weights?.[index] ?? 0);
    word.classList.toggle("here", index === here);
  }
}
