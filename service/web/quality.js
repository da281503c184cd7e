// What is told of a translation: how likely it is usable, and what may be wrong with it.

const WARNINGS = {
  loop: "The translation repeats itself or is empty.", too_long: "The translation was cut: it grew too long.",
  copy_moved: "An address, code or number was put back where attention says; look at its place.",
  number_changed: "Numbers of text and translation differ.",
  negation_lost: "The text says no, not or never, and the translation does not.",
  low_confidence: "This translation is probably not usable.", uniform_attention: "The attention map explains little.",
  unknown_words: "The model guessed words that it never learnt", unseen_words: "Words got next to no attention",
};

/** One line: confidence, time and model. */
export function told(answer, hypothesis) {
  const parts = [];
  if (hypothesis?.confidence != null) parts.push(`confidence ${Math.round(100 * hypothesis.confidence)}%`);
  if (hypothesis) parts.push(`${answer.timings_ms.total.toFixed(0)} ms`, `${answer.model.name}@${answer.model.version}`);
  return parts.join(" · ");
}

/** A line for each warning, with the words that it is about where their `level` has them. */
export function warned(hypothesis, level) {
  const list = (slug) => {
    const said = (hypothesis.segments ?? []).flatMap(({ signals, source }) => slug === "unknown_words" ? (signals?.unknown_words ?? [])
      : slug === "unseen_words" && level === "word" ? (signals?.unseen_words ?? []).map((i) => source.tokens[i]?.text) : []);
    return said.length ? `: ${said.join(", ")}` : "";
  };
  return (hypothesis?.warnings ?? []).map((slug) => `${WARNINGS[slug] ?? slug}${list(slug)}`);
}
