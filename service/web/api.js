// The HTTP API as the page uses it. Every failure becomes an Error whose message is for people.

export class Refusal extends Error {
  constructor(status, detail, retryAfter) {
    super(detail);
    this.retryMs = status === 429 || status === 503 ? 1000 * (retryAfter ?? 1) : null; // null: not to be asked again
  }
}

async function answered(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "The server cannot be reached.", null);
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body;
  const sizes = ({ given, limit }) => (given == null || limit == null ? "" : ` (${given}, limit ${limit})`);
  const faults = (body?.errors ?? []).map((fault) => `${fault.field}: ${fault.message}${sizes(fault)}`);
  const detail = faults.join("; ") || body?.detail || `The server answered ${response.status}.`;
  const seconds = Number(response.headers.get("retry-after"));
  throw new Refusal(response.status, detail, seconds > 0 ? seconds : null);
}

export const languages = async () => (await answered("/v1/languages")).pairs;
export const models = async () => (await answered("/v1/models")).models;
const post = (path) => (fields, signal) =>
  answered(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
    signal,
  });
export const translate = post("/v1/translate");
export const score = post("/v1/score");
