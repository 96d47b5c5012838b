import type { RequestedParams } from "../model/sign-in-method.ts";
import type { Seconds } from "../model/units.ts";
import { foldName } from "./fold-name.ts";

/**
 * Additional parameters of an authorization request (RFC 6749 §4.1.1, OIDC Core §3.1.2.1), which a sign-in may add to those of
 * the provider's configuration.
 */

/** Parameters that the flow sets itself and that cannot be replaced. Names as returned by {@link foldName}. */
const RESERVED: ReadonlySet<string> = new Set([
  "clientid",
  "redirecturi",
  "responsetype",
  "responsemode",
  "state",
  "nonce",
  "codechallenge",
  "codechallengemethod",
  "request",
  "requesturi",
  "dpopjkt",
]);

/** Parameters with special rules. Other spellings are dropped, because a server might read `MAX_AGE` as `max_age`. */
const RULED: ReadonlyMap<string, string> = new Map([
  ["scope", "scope"],
  ["prompt", "prompt"],
  ["maxage", "max_age"],
]);

/**
 * Names, as returned by {@link foldName}, that request the same thing: an essential `acr` in `claims` overrides `acr_values`
 * (OIDC Core §5.5.1.1). If the configuration uses one of them, a visitor cannot set the other.
 */
const SAME_DEMAND: readonly (readonly string[])[] = [["acrvalues", "claims"]];

/** Values of `prompt` that require more of the user than the configuration does (OIDC Core §3.1.2.1). */
const PROMPTS: ReadonlySet<string> = new Set(["login", "consent", "select_account"]);

/** RFC 6749 §3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** More than thirty years; a larger `max_age` has no effect. */
const LONGEST_MAX_AGE: Seconds = 999_999_999;

/**
 * Decides which requested parameters are sent. Never throws.
 *
 * 1. Parameters that the flow sets are never replaced. Names are compared without case, brackets and punctuation, because
 *    some servers read `redirect_uri[]` or `Redirect_URI` as `redirect_uri`.
 * 2. `max_age`: the smallest of all.
 * 3. From a visitor, `scope` adds values, and `prompt` adds `login`, `consent` or `select_account`. No other configured
 *    parameter changes, not even under another name. Of a repeated parameter the first value is used.
 * 4. From the server, any other parameter replaces the configured one.
 *
 * @param configured the provider's parameters and the query of its endpoint.
 * @returns the parameters to set, by name.
 */
export function decideParams(
  configured: URLSearchParams,
  { by, params }: RequestedParams,
): ReadonlyMap<string, string> {
  const requested = [...params].filter(([name]) => isAllowedName(name));
  if (requested.length === 0) return new Map();
  const valuesOf = (name: string) => requested.filter(([other]) => other === name).map(([, value]) => value);
  const decided = new Map<string, string>();
  const set = (name: string, value: string | null) => value !== null && decided.set(name, value);
  set("max_age", smallestMaxAge(configured.get("max_age"), valuesOf("max_age")));
  if (by === "server") {
    for (const [name, value] of requested) if (name !== "max_age") decided.set(name, value);
    return decided;
  }
  set("scope", widerScope(configured.get("scope") ?? "", valuesOf("scope")));
  set("prompt", strictPrompt(configured.get("prompt") ?? "", valuesOf("prompt")));
  const names = [...configured.keys(), ...RULED.values()].map(foldName);
  const taken = new Set([...names, ...SAME_DEMAND.filter((ways) => ways.some((way) => names.includes(way))).flat()]);
  for (const [name, value] of requested) {
    if (!readingsOf(name).some((reading) => taken.has(reading)) && !decided.has(name)) decided.set(name, value);
  }
  return decided;
}

/** The seconds in a `max_age` parameter; undefined if it is not a whole number. */
export function parseMaxAge(value: string | null): Seconds | undefined {
  return value !== null && /^\d+$/.test(value) ? Math.min(Number(value), LONGEST_MAX_AGE) : undefined;
}

function isAllowedName(name: string): boolean {
  const readings = readingsOf(name);
  if (readings[0] === "" || readings.some((reading) => RESERVED.has(reading))) return false;
  const ruled = readings.map((reading) => RULED.get(reading)).find((rule) => rule !== undefined);
  return ruled === undefined || ruled === name;
}

/**
 * The names that a lenient server may read in a parameter name: the whole name, and its parts between characters that may end a
 * name (`state\0x`) or separate parameters (`x;state`), each with or without list brackets (`scope[]`, `scope[0]`).
 */
function readingsOf(name: string): string[] {
  return [name, ...name.split(SEPARATORS)].flatMap((part) => [part, part.replace(/\[.*$/s, "")]).map(foldName);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what separates names
const SEPARATORS = /[\x00-\x20\x7f;&=?#]+/;

function smallestMaxAge(configured: string | null, requested: readonly string[]): string | null {
  const ages = [configured, ...requested].map(parseMaxAge).filter((age) => age !== undefined);
  return ages.length === 0 ? null : String(Math.min(...ages));
}

/** Configured values stay unchanged, in the provider's own spelling; some separate them with commas. */
function widerScope(configured: string, requested: readonly string[]): string | null {
  const separator = configured.includes(",") && !configured.includes(" ") ? "," : " ";
  const known = new Set(configured.split(separator));
  const added = requested
    .flatMap((value) => value.split(separator === "," ? /[\s,]+/ : /\s+/))
    .filter((value) => SCOPE_TOKEN.test(value) && !known.has(value));
  if (added.length === 0) return null;
  return [...(configured === "" ? [] : [configured]), ...new Set(added)].join(separator);
}

/** `none` cannot be combined with another value (OIDC Core §3.1.2.1), so a stricter value replaces it. */
function strictPrompt(configured: string, requested: readonly string[]): string | null {
  const added = requested.flatMap((value) => value.split(/\s+/)).filter((value) => PROMPTS.has(value));
  if (added.length === 0) return null;
  const kept = configured.split(/\s+/).filter((value) => value !== "" && value !== "none");
  return [...new Set([...kept, ...added])].join(" ");
}
