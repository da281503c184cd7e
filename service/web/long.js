// Texts that are longer than the server takes at once: cut into parts, whose translations come one by one.

const ENDS = [/(?<=\n[ \t]*\n)/, /(?<=\n)/, /(?<=[.!?…]\s)/]; // of paragraphs, lines, sentences
const PART = 1000; // characters, so that the first part is soon there

/** The text in parts of whole paragraphs, or of lines and sentences where a paragraph is longer than `most` characters. */
export function parts(text, most) {
  const size = Math.min(most, Math.max(PART, Math.ceil(text.length / 50))); // a request takes 128 texts
  return packed(pieces(text, most, 0), size);
}

function pieces(text, most, level) {
  const found = text.split(ENDS[level]);
  return level + 1 === ENDS.length ? found : found.flatMap((piece) => (piece.length > most ? pieces(piece, most, level + 1) : piece));
}

function packed(found, size) {
  const packs = [];
  for (const piece of found) {
    if (packs.length && packs.at(-1).length + piece.length <= size) packs[packs.length - 1] += piece;
    else packs.push(piece);
  }
  return packs;
}

/** One translation of the parts of a text; those that are not there yet end it. */
export function joined(texts, translations) {
  const whole = { text: "", segments: [], alternatives: [], confidence: null, warnings: [] };
  let start = 0;
  const moved = (side, by) => ({ ...side, start: side.start + by, end: side.end + by,
    tokens: side.tokens.map((token) => ({ ...token, start: token.start + by, end: token.end + by })) });
  for (const [index, text] of texts.entries()) {
    const one = translations[index];
    if (!one) break;
    const written = whole.text.length;
    whole.segments.push(...one.segments.map((each) => ({ ...each, source: moved(each.source, start), target: moved(each.target, written) })));
    whole.text += one.text;
    whole.warnings.push(...(one.warnings ?? []).filter((slug) => !whole.warnings.includes(slug)));
    if (one.confidence != null) whole.confidence = Math.min(one.confidence, whole.confidence ?? 1);
    start += text.length;
  }
  return whole;
}
