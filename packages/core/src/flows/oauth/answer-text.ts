/** Members of a token response that are not secret (RFC 6749 §5.1, §5.2). */
const PUBLIC = new Set(["token_type", "scope", "error", "error_description", "error_uri"]);

/** Texts of responses that have been read, so that the body stream is not cloned for each reader. */
const texts = new WeakMap<Response, string>();

/** Remembers the text from which a response was created. */
export function rememberText(answer: Response, text: string): Response {
  texts.set(answer, text);
  return answer;
}

/** The body of a response; the response stays readable. */
export async function textOf(answer: Response): Promise<string> {
  return texts.get(answer) ?? answer.clone().text();
}

/** The body of a response as JSON; null if it is not JSON. */
export async function jsonOf(answer: Response): Promise<unknown> {
  const text = await textOf(answer).catch(() => "");
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Registers every text in a token response for redaction, before the response is validated: error messages quote rejected
 * values. A response that is not JSON may be a form, as some providers send it; otherwise it is a secret as a whole. Never
 * throws.
 */
export async function redactAnswer(answer: Response, redact: (value: string | undefined) => void): Promise<void> {
  const text = await textOf(answer).catch(() => "");
  const open: [string, unknown][] = [["", parse(text)]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (PUBLIC.has(name)) continue;
    if (typeof value === "string") redact(value);
    else if (typeof value === "object" && value !== null) open.push(...Object.entries(value));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text, ...Object.fromEntries(new URLSearchParams(text)) };
  }
}
