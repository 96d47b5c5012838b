/** Parameters that are not secret and useful for searching a log. */
const PUBLIC = new Set([
  "callbackUrl",
  "redirectTo",
  "email",
  "error",
  "error_description",
  "error_uri",
  "iss",
  "action",
]);

/** More values than any provider or authenticator response has. */
const MAX_VALUES = 200;

/**
 * The values of a query or a body that may be secrets: codes, states, tokens, passwords and authenticator responses,
 * well-formed or not. They are registered for redaction before they are validated.
 */
export function* secretsIn(fields: Iterable<readonly [string, unknown]>): Generator<string> {
  const open: unknown[] = [...fields].filter(([name]) => !PUBLIC.has(name)).map(([, value]) => value);
  for (let seen = 0; open.length > 0 && seen < MAX_VALUES; seen += 1) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value).slice(0, MAX_VALUES));
  }
}
