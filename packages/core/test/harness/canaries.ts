/** Values that must not turn up where they do not belong (safety U4). Test-only. */
import type { VisitRecord } from "./records.ts";
import { stringsIn } from "./records.ts";

/**
 * Where a value may be. `nowhere`: secrets, codes, verifiers, tokens, passwords. `own-cookie`: a sealed value, in the
 * `Set-Cookie` that sets it. `authorization-url`: state and nonce. `form`: the CSRF token, in a page or JSON.
 */
export type Place = "nowhere" | "own-cookie" | "authorization-url" | "form";

/** Shorter values would be found by chance. */
const MIN_LENGTH = 8;

/** A leak, for the message of a failing test; the value is cut short. */
export interface Leak {
  readonly where: string;
  readonly value: string;
}

/** Collects canaries while a case runs and looks for them at its end. */
export class Canaries {
  readonly #values = new Map<string, Place>();

  /** Makes a value a canary. */
  plant(value: string | null | undefined, place: Place = "nowhere"): void {
    if (value && value.length >= MIN_LENGTH && !this.#values.has(value)) this.#values.set(value, place);
  }

  /** Learns sealed cookies, CSRF tokens, state and nonce from what a visit showed. */
  learn(visit: VisitRecord): void {
    const set = visit.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    const sent = (visit.requestHeaders.get("cookie") ?? "").split(/; */);
    // What a case makes up need not be sealed, nor secret.
    for (const pair of [...set, ...sent.filter((one) => splitPair(one)[1].startsWith("eyJ"))]) {
      const [name, value] = splitPair(pair);
      if (isOurs(name) && value.length >= 32) this.plant(value, "own-cookie");
    }
    for (const [, token] of visit.body.matchAll(/csrfToken"(?: value=|:)"([0-9a-f]{64})"/g)) this.plant(token, "form");
    const target = targetOf(visit);
    if (target === undefined || !target.searchParams.has("client_id")) return;
    for (const name of ["state", "nonce"]) this.plant(target.searchParams.get(name), "authorization-url");
  }

  /** Where canaries are in a visit's answer though they should not. */
  leaksInAnswer(visit: VisitRecord): Leak[] {
    const { headers, body } = visit;
    const isAuthorization = targetOf(visit)?.searchParams.has("client_id") === true;
    const leaks: Leak[] = [];
    for (const [value, place] of this.#values) {
      const found = (where: string, text: string) => {
        if (text.includes(value)) leaks.push({ where, value: `${place}: ${value.slice(0, 12)}…` });
      };
      if (place !== "form" && !(place === "authorization-url" && isAuthorization)) found("body", body);
      for (const [name, text] of headers) {
        if (name === "set-cookie") continue;
        if (name === "location" && place === "authorization-url" && isAuthorization) continue;
        found(name, text);
      }
      for (const line of headers.getSetCookie()) {
        const [cookie, sealed] = splitPair(line.split(";")[0] ?? "");
        if (place !== "own-cookie" || !sealed.includes(value) || !isOurs(cookie)) found("set-cookie", line);
      }
    }
    return leaks;
  }

  /** Which canaries are in a value that was logged. */
  leaksIn(where: string, logged: unknown): Leak[] {
    const texts = stringsIn(logged);
    const found = [...this.#values].filter(([value]) => texts.some((text) => text.includes(value)));
    return found.map(([value, place]) => ({ where, value: `${place}: ${value.slice(0, 12)}…` }));
  }
}

/** Where an answer sends the browser, by redirect or as `{ url }`. */
export function targetOf(visit: Pick<VisitRecord, "url" | "headers" | "body">): URL | undefined {
  const location = visit.headers.get("location") ?? urlInJson(visit);
  return location !== undefined && URL.canParse(location, visit.url) ? new URL(location, visit.url) : undefined;
}

function urlInJson({ headers, body }: Pick<VisitRecord, "headers" | "body">): string | undefined {
  if (body === "" || headers.get("content-type") !== "application/json") return undefined;
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== "object" || parsed === null || !("url" in parsed)) return undefined;
  return typeof parsed.url === "string" ? parsed.url : undefined;
}

/** The name of a cookie that holds a sealed value; the callback URL is no secret. */
function isOurs(name: string): boolean {
  return /^(?:__Host-|__Secure-)?cardea\./.test(name) && !name.endsWith("callback-url");
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}
