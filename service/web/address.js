// What the page's address names behind #, which no server sees: #en-fr, #en-fr/text.

/** The index of the pair of languages, -1 for none, the text, and what is there in place of a pair that is served. */
export function named(hash, pairs) {
  const [, languages, text] = hash.match(/^#([^/]*)\/?(.*)$/s) ?? ["", "", ""];
  const wanted = decoded(languages);
  const index = pairs.findIndex(({ source, target }) => `${source}-${target}` === wanted.toLowerCase());
  return { index, text: decoded(text), unknown: index < 0 ? wanted : "" };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign
  }
}
