// The page: what is chosen, what is asked of the API, and what is shown.

import { named as namedBy } from "./address.js";
import * as api from "./api.js";
import { joined, parts } from "./long.js";
import { layersOf, mapOf, mark, numbered, reading, table, weightsOf } from "./map.js";
import * as others from "./others.js";
import { told, warned } from "./quality.js";
import { element, shade, words } from "./words.js";

const PAUSE_MS = 350; // after the last key, before a text is translated
const EXAMPLES = { en: "The black cat ate the mouse.", fr: "Le chat noir a mangé la souris.",
  de: "Die schwarze Katze hat die Maus gefressen." };
const $ = (id) => document.getElementById(id);
const name = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });

const served = { pairs: [], models: [] };
const shown = { answer: null, text: "", hypothesis: 0, segment: 0, map: null };
let waiting = null; // the timer of the next request
let asking = null; // the AbortController of the request under way

function fill(select, options, wanted = select.value) {
  select.replaceChildren(...options.map(([value, label]) => element("option", { value, textContent: label })));
  if (options.some(([value]) => String(value) === wanted)) select.value = wanted;
}

const pair = () => served.pairs[Number($("pair").value)];
const reference = (model) => `${model.name}@${model.version}`;
const named = (wanted) => served.models.find((each) => reference(each) === wanted);
const model = () => named($("model").value || pair().default_model);
const reverse = () => served.pairs.findIndex((each) => each.source === pair().target && each.target === pair().source);

function choosePair() {
  const { default_model: first, models, source, target } = pair();
  $("text").lang = $("source").lang = source; // for whoever has the page read aloud
  $("translation").lang = $("alternatives").querySelector("ol").lang = target;
  fill($("model"), [["", `default (${first})`], ...models.filter((each) => each !== first).map((each) => [each, each])], "");
  $("swap").hidden = reverse() < 0;
  $("beside").hidden = models.length < 2;
  fill($("other"), [["", "a model…"], ...models.map((each) => [each, each])], "");
  others.keep(models);
  chooseModel();
}

function chooseModel() {
  const { attention, formality } = model();
  const kinds = { cross: "translation over source", encoder: "source over itself", decoder: "translation over itself" };
  fill($("kind"), attention.kinds.map((kind) => [kind, kinds[kind]]));
  $("formality-label").hidden = !formality;
  chooseKind();
}

const layers = () => layersOf(model().attention, $("kind").value);

function chooseKind() {
  fill($("layer"), [["default", "default"], ...layers().map(({ layer }) => [layer, layer])]);
  chooseLayer();
}

function chooseLayer() {
  const layer = layers().find((each) => String(each.layer) === $("layer").value);
  const heads = layer && layer.heads.length > 1 ? [["mean", "mean"], ...layer.heads.map((head) => [head, head])] : [];
  fill($("head"), [["default", "default"], ...heads]);
}

function fields() {
  const { attention, formality } = model();
  const beam = Number($("beam").value);
  const asked = { text: $("text").value, source: pair().source, target: pair().target, beam_size: beam,
    num_alternatives: Math.min(3, beam - 1), signals: true, utf16: true };
  if ($("model").value) asked.model = $("model").value;
  if (formality && $("formality").value) asked.formality = $("formality").value;
  if (attention.kinds.length)
    asked.attention = { kind: $("kind").value, level: $("level").value, layer: numbered($("layer").value),
      head: numbered($("head").value) };
  return asked;
}

function later(pause = 0) {
  clearTimeout(waiting);
  waiting = setTimeout(ask, pause);
}

async function ask() {
  asking?.abort();
  const mine = (asking = new AbortController());
  const asked = fields();
  if (!asked.text.trim()) return show(null, asked.text);
  $("translation").classList.add("waiting");
  try {
    const answer = await api.translate(asked, mine.signal).catch((error) => {
      if (!error.tooLong || mine !== asking) throw error;
      return answerParts(asked, parts(asked.text, error.tooLong), mine);
    });
    if (mine === asking) show(answer, asked.text);
  } catch (error) {
    if (error.name === "AbortError" || mine !== asking) return;
    fail(error);
    if (error.retryMs) later(error.retryMs);
  }
}

/** A long text part by part: each translation is shown when it is there, maps when all are. */
async function answerParts(asked, texts, mine) {
  const translations = [];
  show(null, "");
  $("translation").classList.add("waiting");
  try {
    const rest = await api.streamed({ ...asked, text: texts, num_alternatives: 0 }, mine.signal, (index, translation) => {
      if (mine !== asking) return;
      translations[index] = translation;
      $("translation").textContent = joined(texts, translations).text;
    });
    return { ...rest, translations: [joined(texts, translations)] };
  } catch (error) {
    throw Object.assign(error, { translated: joined(texts, translations).text });
  }
}

function fail(error) {
  show(null, "");
  $("translation").textContent = error.translated ?? ""; // of a long text, as far as it came
  const again = error.retryMs ? `; asked again in ${Math.ceil(error.retryMs / 1000)} s` : "";
  $("error").textContent = again ? error.message.replace(/\.$/, "") + again : error.message;
  $("error").hidden = false;
}

function show(answer, text) {
  Object.assign(shown, { answer, text, hypothesis: 0, segment: 0 });
  $("error").hidden = true;
  $("translation").classList.remove("waiting");
  $("usage").textContent = answer ? `${answer.usage.source_characters} characters, ${answer.usage.source_tokens} subwords` : "";
  showAlternatives();
  showHypothesis();
  askOthers();
}

function askOthers() {
  if (!served.pairs.length) return; // the server has not told yet what it has
  others.askAll({ ...fields(), text: shown.text }, $("same").checked ? (hypotheses()[shown.hypothesis]?.text ?? "") : "");
}

/** The translation, and its alternatives with segments. */
const hypotheses = () => {
  const [first] = shown.answer?.translations ?? [];
  return first ? [first, ...first.alternatives] : [];
};

function showAlternatives() {
  const all = hypotheses();
  $("alternatives").hidden = all.length < 2;
  $("alternatives").querySelector("ol").replaceChildren(...all.map(({ text }, index) => {
    const button = element("button", { type: "button", textContent: text, ariaPressed: String(index === 0) });
    button.addEventListener("click", () => {
      shown.hypothesis = index;
      shown.segment = 0;
      button.closest("ol").querySelectorAll("button").forEach((each) => (each.ariaPressed = String(each === button)));
      showHypothesis();
      if ($("same").checked) askOthers();
    });
    return element("li", {}, button);
  }));
}

function showHypothesis() {
  const hypothesis = hypotheses()[shown.hypothesis];
  const segments = hypothesis?.segments ?? [];
  const parts = [];
  let at = 0;
  segments.forEach((segment, index) => {
    parts.push(hypothesis.text.slice(at, segment.target.start));
    const said = words(hypothesis.text, segment.target, (word) => pointAt("target", word, index));
    const sentence = element("span", { className: "sentence" }, ...said);
    sentence.addEventListener("click", () => showSegment(index));
    parts.push(sentence);
    at = segment.target.end;
  });
  $("translation").replaceChildren(...parts, hypothesis?.text.slice(at) ?? "");
  $("copy").hidden = !hypothesis?.text;
  $("quality").textContent = told(shown.answer, hypothesis);
  $("warnings").replaceChildren(...warned(hypothesis, $("level").value).map((line) => element("li", {}, line)));
  showSegment(0);
}

const sentence = () => $("translation").querySelectorAll(".sentence")[shown.segment];

function showSegment(index) {
  const segments = hypotheses()[shown.hypothesis]?.segments ?? [];
  const segment = segments[index];
  shown.segment = index;
  shown.map = segment ? mapOf(segment) : null;
  $("attention").hidden = !segment?.attention;
  const copied = !segment && hypotheses().length; // nothing of the text is for a model
  $("no-attention").hidden = !copied && (!segment || Boolean(segment.attention));
  $("no-attention").textContent = copied ? "Nothing here is to be translated: the text was copied."
    : `${shown.answer?.model.name} has no attention: one vector carries the sentence.`;
  others.showSegment(index);
  document.querySelectorAll(".sentence").forEach((each, i) => each.classList.toggle("shown", segments.length > 1 && i === index));
  if (!shown.map) return;
  $("segments").hidden = segments.length < 2;
  $("which").textContent = ` part ${index + 1} of ${segments.length} `;
  $("source").replaceChildren(...words(shown.text, segment.source, (word) => pointAt("source", word)));
  $("map").replaceChildren(table(shown.map, pointAtCell));
  $("reading").textContent = reading(shown.map);
}

function pointAt(side, word, segment = shown.segment) {
  if (segment !== shown.segment && word !== null) showSegment(segment);
  const { map } = shown;
  if (!map) return;
  const isRow = side === map.rowSide;
  const other = isRow ? map.columnSide : map.rowSide;
  const roots = { source: $("source"), target: sentence() };
  Object.values(roots).forEach((root) => shade(root, null));
  if (side !== map.rowSide && side !== map.columnSide) return; // a map of the other side alone
  shade(roots[other], word === null ? null : weightsOf(map, side, word), other === side ? word : null);
  if (other !== side) shade(roots[side], null, word);
  mark($("map"), isRow ? word : null, isRow ? null : word);
}

function pointAtCell(row, column) {
  if (!shown.map) return; // the table was hidden below the pointer
  pointAt(shown.map.rowSide, row);
  mark($("map"), row, column);
}

function step(by) {
  const count = hypotheses()[shown.hypothesis]?.segments.length ?? 0;
  if (count) showSegment((shown.segment + by + count) % count);
}

function swap() {
  const back = reverse();
  const translation = hypotheses()[shown.hypothesis]?.text;
  $("pair").value = String(back);
  $("notice").textContent = "";
  choosePair();
  if (translation) $("text").value = translation;
  later();
}

/** Copies the translation, or marks it where a browser lets no page copy: over plain HTTP from another machine. */
async function copy() {
  const button = $("copy");
  try {
    await navigator.clipboard.writeText(hypotheses()[shown.hypothesis].text);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren($("translation"));
    button.textContent = "Marked: copy it by key";
  }
  setTimeout(() => (button.textContent = "Copy"), 3000);
}

/** Show what the address names, and say what it names in vain. */
function readAddress() {
  const { index, text, unknown } = namedBy(location.hash, served.pairs);
  if (index >= 0) $("pair").value = String(index);
  choosePair();
  $("notice").textContent = unknown ? `The address names “${unknown}”, which is no pair of languages of this server. Choose one above.` : "";
  $("text").value = text || $("text").value || EXAMPLES[pair().source] || "";
  if (!unknown || !text) return later();
  clearTimeout(waiting); // the text is in another language than the one that is chosen now
  asking?.abort();
  show(null, "");
}

function listen() {
  const on = (id, event, handler) => $(id).addEventListener(event, handler);
  const changes = { pair: choosePair, model: chooseModel, kind: chooseKind, layer: chooseLayer, head() {}, level() {}, beam() {}, formality() {} };
  for (const [id, choose] of Object.entries(changes)) on(id, "change", () => { $("notice").textContent = ""; choose(); later(); });
  on("form", "submit", (event) => event.preventDefault());
  on("text", "input", () => later(PAUSE_MS));
  on("text", "keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) later(); });
  on("other", "change", () => { others.add($("others"), $("other").value, named($("other").value)); $("other").value = ""; });
  on("same", "change", askOthers);
  on("swap", "click", swap);
  on("copy", "click", copy);
  on("previous", "click", () => step(-1));
  on("next", "click", () => step(1));
  addEventListener("hashchange", readAddress);
}

async function begin() {
  try {
    [served.pairs, served.models] = await Promise.all([api.languages(), api.models()]);
  } catch (error) {
    fail(error);
    if (error.retryMs) setTimeout(begin, error.retryMs);
    return;
  }
  $("error").hidden = true;
  fill($("pair"), served.pairs.map(({ source, target }, i) => [i, `${name.of(source)} to ${name.of(target)}`]));
  const own = served.pairs.findIndex(({ source }) => source === navigator.language.split("-")[0]);
  $("pair").value = String(Math.max(0, own));
  listen();
  readAddress();
}

begin();
