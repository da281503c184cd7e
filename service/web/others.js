// Other models beside the one above: for each a card with its translation and its map of the same text.

import * as api from "./api.js";
import { layersOf, mapOf, mark, numbered, reading, table } from "./map.js";
import { element, words } from "./words.js";

const cards = new Map(); // by the model's reference
const asked = { fields: null, translation: "", segment: 0 }; // of the request above

/** A card for `model`, one of GET /v1/models; asks for its map at once. */
export function add(root, reference, model) {
  if (cards.has(reference)) return;
  const slice = element("select", { title: "Layer and head" }, ...slices(model, asked.fields));
  const close = element("button", { type: "button", textContent: "×", title: `Remove ${reference}` });
  const [said, told, map] = [element("p", { className: "said", dir: "auto" }), element("span"), element("div", { className: "map" })];
  const card = { model, reference, slice, said, told, map, answer: null, asking: null,
    root: element("section", { className: "card" }, element("h3", {}, element("span", {}, reference), close), said, map, element("div", { className: "bar small" }, slice, told)) };
  card.root.dataset.model = reference;
  slice.addEventListener("change", () => ask(card));
  close.addEventListener("click", () => remove(reference));
  cards.set(reference, card);
  root.append(card.root);
  ask(card);
}

function remove(reference) {
  const card = cards.get(reference);
  card.asking?.abort();
  card.root.remove();
  cards.delete(reference);
}

/** Keep the cards of these models alone. */
export function keep(references) {
  [...cards.keys()].filter((each) => !references.includes(each)).forEach(remove);
}

/** Ask every model for what was asked above; `translation` is read by them instead of their own where it is not empty. */
export function askAll(fields, translation) {
  const before = asked.fields?.attention?.kind;
  Object.assign(asked, { fields, translation, segment: 0 });
  cards.forEach((card) => {
    if (fields.attention?.kind !== before) card.slice.replaceChildren(...slices(card.model, fields));
    ask(card);
  });
}

/** Show the maps of the sentence of this index. */
export function showSegment(index) {
  asked.segment = index;
  cards.forEach(draw);
}

const kindOf = (fields) => fields?.attention?.kind ?? "cross";

function slices({ attention }, fields) {
  const layers = layersOf(attention, kindOf(fields));
  const choices = (attention.kinds.includes(kindOf(fields)) ? layers : []).flatMap(({ layer, heads }) =>
    [...(heads.length > 1 ? ["mean"] : []), ...heads].map((head) => [`${layer} ${head}`, `layer ${layer}, ${head === "mean" ? head : `head ${head}`}`]));
  return [["default default", "default"], ...choices].map(([value, textContent]) => element("option", { value, textContent }));
}

async function ask(card) {
  card.asking?.abort();
  const mine = (card.asking = new AbortController());
  const { fields, translation } = asked;
  card.answer = null;
  if (!fields?.text.trim()) return draw(card);
  const [layer, head] = card.slice.value.split(" ").map(numbered);
  const has = card.model.attention.kinds.includes(kindOf(fields));
  const attention = has && { kind: kindOf(fields), level: fields.attention?.level ?? "word", layer, head };
  const { text, source, target, beam_size } = fields;
  const common = { model: card.reference, source, target, attention, utf16: true };
  card.root.classList.add("waiting");
  try {
    const answer = translation ? await api.score({ pairs: [{ text, translation }], ...common }, mine.signal)
      : await api.translate({ text, beam_size, signals: true, ...common }, mine.signal);
    card.answer = { text: translation, ...(answer.translations ?? answer.scores)[0] };
  } catch (error) {
    if (error.name === "AbortError" || mine !== card.asking) return;
    card.answer = { error: error.message };
    if (error.retryMs) setTimeout(() => mine === card.asking && ask(card), error.retryMs);
  }
  if (mine === card.asking) draw(card);
}

function draw(card) {
  const { answer, said, told, map } = card;
  card.root.classList.remove("waiting");
  const segment = answer?.segments?.[Math.min(asked.segment, answer.segments.length - 1)];
  const drawn = segment ? mapOf(segment) : null;
  const point = (side) => (word) => drawn && mark(map, side === drawn.rowSide ? word : null, side === drawn.columnSide ? word : null);
  said.replaceChildren(...(segment ? words(answer.text, segment.target, point("target")) : []));
  map.replaceChildren(...(drawn ? [table(drawn, (row, column) => mark(map, row, column))] : []));
  card.slice.hidden = card.slice.length < 2;
  told.textContent = answer?.error ?? (segment ? toldOf(card, segment, drawn) : "");
}

function toldOf({ answer, model }, segment, drawn) {
  const parts = [];
  if (answer.score != null) parts.push(`log-probability ${answer.score.toFixed(2)} a subword`);
  if (answer.confidence != null) parts.push(`confidence ${Math.round(100 * answer.confidence)}%`);
  const none = { encoder: "no attention of the source over itself", decoder: "no attention of the translation over itself" };
  parts.push(drawn ? reading(drawn, true) : `${model.name} has ${none[kindOf(asked.fields)] ?? "no attention"}`);
  return parts.join(" · ");
}
