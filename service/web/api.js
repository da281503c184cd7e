// The HTTP API as the page uses it. Every failure becomes an Error whose message is for people.

const UNREACHED = "The server cannot be reached.";
const BROKEN = "The server's answer broke off.";
const GONE_MS = 5000; // after which a server that is gone may be back

export class Refusal extends Error {
  constructor(status, detail, retryAfter, problem = null) {
    super(detail);
    this.tooLong = problem?.code === "text_too_long" ? problem.errors?.[0]?.limit : null; // characters that a text may have
    this.retryMs = { 429: 1000 * (retryAfter ?? 1), 503: 1000 * (retryAfter ?? 1), 0: GONE_MS, 502: GONE_MS, 504: GONE_MS }[status]
      ?? null; // null: not to be asked again
  }
}

async function responded(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, UNREACHED, null);
  }
  if (response.ok) return response;
  const seconds = Number(response.headers.get("retry-after"));
  throw refused(response.status, await response.json().catch(() => null), seconds > 0 ? seconds : null);
}

function refused(status, problem, retryAfter = null) {
  const sizes = ({ given, limit }) => (given == null || limit == null ? "" : ` (${given}, limit ${limit})`);
  const faults = (problem?.errors ?? []).map((fault) => `${fault.field}: ${fault.message}${sizes(fault)}`);
  return new Refusal(status, faults.join("; ") || problem?.detail || `The server answered ${status}.`, retryAfter, problem);
}

async function answered(path, options) {
  const response = await responded(path, options);
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(response.status, BROKEN, null);
  }
}

const posted = (fields, signal) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields), signal });

/** The texts of `fields` as they are translated: `told` gets each with its index; gives what all have used. */
export async function streamed(fields, signal, told) {
  const response = await responded("/v1/translate", posted({ ...fields, stream: true }, signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = "";
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const events = (left + chunk.value).split("\n\n");
      left = events.pop();
      for (const event of events) {
        const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/) ?? [];
        const said = JSON.parse(data);
        if (kind === "done") return said;
        if (kind === "error") throw refused(said.status, said);
        told(said.index, said.translation);
      }
    }
  } catch (error) {
    if (error.name === "AbortError" || error instanceof Refusal) throw error;
  }
  throw new Refusal(response.status, BROKEN, null);
}

export const languages = async () => (await answered("/v1/languages")).pairs;
export const models = async () => (await answered("/v1/models")).models;
const post = (path) => (fields, signal) => answered(path, posted(fields, signal));
export const translate = post("/v1/translate");
export const score = post("/v1/score");
