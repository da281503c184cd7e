// One attention map as a table: a row for each token that looks, a column for each that is looked at.

import { element, onLeave } from "./words.js";

/** A map of the answer with the names of its rows and columns; null where the segment has none. */
export function mapOf(segment) {
  const attention = segment.attention;
  if (!attention?.maps?.length) return null;
  const map = attention.maps[0];
  const names = (side) => segment[side].tokens.map((token) => token.text);
  const others = map.end_token ?? map.begin_token ?? null;
  return {
    ...map,
    kind: attention.kind,
    unit: attention.level === "token" ? "subword" : "word",
    rowSide: attention.rows,
    columnSide: attention.columns,
    rows: names(attention.rows),
    columns: names(attention.columns),
    others,
    othersName: map.end_token ? "end of source" : "begin",
    links: new Set(attention.kind === "cross" ? (segment.alignment ?? "").split(" ").filter(Boolean) : []),
  };
}

/** The layers and heads that a model shows of a kind of map; `attention` is that of GET /v1/models. */
export const layersOf = (attention, kind) =>
  ({ encoder: attention.encoder_layers, decoder: attention.decoder_layers })[kind] ?? attention.layers;

/** A layer or head as the API takes it. */
export const numbered = (value) => (/^\d+$/.test(value) ? Number(value) : value);

/** The weights that a word gives (`map.rowSide`) or gets (`map.columnSide`). */
export function weightsOf(map, side, index) {
  return side === map.rowSide ? (map.weights[index] ?? []) : map.weights.map((row) => row[index] ?? 0);
}

const percent = (weight) => `${(100 * weight).toFixed(weight < 0.1 ? 1 : 0)}%`;

/** The table; `point(row, column)` is told where the pointer is, or the cell that arrow keys go to, null where neither is. */
export function table(map, point) {
  const head = element("tr", {}, element("th"));
  map.columns.forEach((name) => head.append(element("th", { scope: "col", title: name }, element("span", {}, name))));
  if (map.others) head.append(element("th", { scope: "col", className: "end" }, element("span", {}, map.othersName)));
  const body = map.rows.map((name, row) => {
    const line = element("tr", {}, element("th", { scope: "row", title: name }, name));
    const shares = map.others ? [...map.weights[row], map.others[row]] : map.weights[row];
    shares.forEach((weight, column) => {
      const said = `${name} → ${map.columns[column] ?? map.othersName}: ${percent(weight)}`;
      const cell = element("td", { title: said, ariaLabel: said, tabIndex: -1 });
      cell.style.setProperty("--weight", weight);
      cell.classList.toggle("linked", map.links.has(`${column}-${row}`));
      cell.addEventListener("pointerenter", () => point(row, column));
      line.append(cell);
    });
    return line;
  });
  const made = element("table", { role: "grid", ariaLabel: `Attention map, ${reading(map, true)}` },
    element("thead", {}, head), element("tbody", {}, ...body));
  onLeave(made, () => point(null, null));
  walkable(made, point);
  return made;
}

/** One cell of the table is reached by the tab key, and the others from it by arrow keys, Home and End. */
function walkable(made, point) {
  const lines = made.tBodies[0].rows;
  const cellAt = (row, column) => lines[row]?.querySelectorAll("td")[column];
  const placeOf = (cell) => [cell.parentNode.sectionRowIndex, cell.cellIndex - 1];
  let entry = cellAt(0, 0);
  if (entry) entry.tabIndex = 0;
  made.addEventListener("focusin", ({ target }) => {
    entry.tabIndex = -1;
    entry = target;
    entry.tabIndex = 0;
    point(...placeOf(entry));
  });
  made.addEventListener("focusout", ({ relatedTarget }) => { if (!made.contains(relatedTarget)) point(null, null); });
  made.addEventListener("keydown", (event) => {
    const [row, column] = placeOf(event.target);
    const next = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [row, 0], End: [row, event.target.parentNode.cells.length - 2] }[event.key];
    if (!next || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    cellAt(...next)?.focus();
  });
}

/** Mark the heads of a row and a column. */
export function mark(root, row, column) {
  root.querySelectorAll(".here").forEach((each) => each.classList.remove("here"));
  if (row !== null) root.querySelectorAll("tbody tr")[row]?.firstChild.classList.add("here");
  if (column !== null) root.querySelector("thead tr")?.children[column + 1]?.classList.add("here");
}

/** How to read the map, in a sentence or two; `short` says what the map is, no more. */
export function reading(map, short = false) {
  if (short) return `layer ${map.layer}, head ${map.head}`;
  const { unit } = map;
  const looks = { cross: `How much each ${unit} of the translation looked at each ${unit} of the source`,
    encoder: `How much each ${unit} of the source looked at the others`,
    decoder: `How much each ${unit} of the translation looked at the ${unit}s before it` }[map.kind];
  const step = map.row_of === "next_step" ? ` A row is of the step after its ${unit} was written.` : "";
  const links = map.links.size ? ` Framed: the ${unit}s that the alignment links.` : "";
  const totals = map.weights.map((row, index) => row.reduce((sum, weight) => sum + weight, map.others?.[index] ?? 0));
  const sums = totals.every((sum) => sum > 0.98) ? "rows sum to 100%" : "what a row lacks of 100% went to none of them";
  return `${looks}; ${sums}. Layer ${map.layer}, head ${map.head}.${step}${links}`;
}
