import { defineExtension, type Extension } from "@cardea/core/extend";
import { FORMATS, type FormerVersion, isFormerVersion } from "./formats.ts";
import { type Accepted, sessionFormat } from "./session-format.ts";

/** Sessions that are accepted, if their cookie or secret is not the default. */
export interface AcceptedFormat {
  readonly format: FormerVersion;
  /** The cookie's name exactly as configured there (`cookies.sessionToken.name`). Default: that of the version, with `__Secure-` on https. */
  readonly cookie?: string | undefined;
  /** The secret there, or several, the one that it seals with first. Those of the configuration are tried as well. */
  readonly secret?: string | readonly string[] | undefined;
}

/** Settings of {@link bridge}. */
export interface BridgeOptions {
  /** The sessions that are accepted; default: those of `emit`. */
  readonly accept?: readonly (FormerVersion | AcceptedFormat)[] | undefined;
  /**
   * Shares the session with this version, which runs beside Cardea: its cookie is the session, on both sides. Use it from the first
   * deployment on. Without it, accepted sessions are read, and replaced by ours at the next renewal.
   */
  readonly emit?: FormerVersion | undefined;
  /**
   * A day, such as `2027-06-30`, from which accepted cookies are ignored; a warning at startup begins thirty days before. With `emit`, from
   * that day on we write our own cookie, and accept the other for one more lifetime of a session. Default: no end.
   */
  readonly until?: string | undefined;
}

/**
 * Keeps the users of an Auth.js v5 or NextAuth v4 application signed in while it moves to Cardea.
 *
 * @throws TypeError for options that are wrong, or that would let an ended session come back.
 */
export function bridge(options: BridgeOptions): Extension {
  const { emit, until } = options;
  if (emit !== undefined && !isFormerVersion(emit)) throw new TypeError(wrongVersion("emit", emit));
  const ends = until === undefined ? undefined : parseDay(until);
  const accepted = mergeSecrets(parseAccepted(options, ends));
  if (emit !== undefined) requireOne(accepted, emit);
  return defineExtension({
    id: "bridge-authjs",
    sessionFormats: accepted.map(sessionFormat),
    warnings: warningsOf(options, ends),
  });
}

function parseAccepted({ accept, emit }: BridgeOptions, until: number | undefined): readonly Accepted[] {
  const given = accept ?? (emit === undefined ? [] : [emit]);
  if (!Array.isArray(given) || given.length === 0) {
    throw new TypeError('bridge: `accept` names no format. Name one, such as `accept: ["authjs-v5"]`.');
  }
  return given.map((one: FormerVersion | AcceptedFormat, n) => {
    const { format, cookie, secret = [] }: AcceptedFormat = typeof one === "string" ? { format: one } : Object(one);
    if (!isFormerVersion(format)) throw new TypeError(wrongVersion(`accept[${n}]`, format));
    // RFC 6265 §4.1.1: a cookie's name is a token.
    if (cookie !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(cookie)) {
      throw new TypeError(
        `bridge: \`accept[${n}].cookie\` is not a cookie name. Copy it from cookies.sessionToken.name.`,
      );
    }
    const secrets = [secret].flat();
    if (secrets.some((text) => typeof text !== "string" || text === "")) {
      throw new TypeError(`bridge: \`accept[${n}].secret\` must be a non-empty text, or several.`);
    }
    return { version: format, cookie, secrets, emit: emit === format, until };
  });
}

function wrongVersion(option: string, value: unknown): string {
  const known = Object.keys(FORMATS).join('" or "');
  return `bridge: \`${option}\` is ${JSON.stringify(value)}, which is not a known format. Use "${known}".`;
}

/** Several secrets of one cookie are one format. */
function mergeSecrets(accepted: readonly Accepted[]): readonly Accepted[] {
  const merged = new Map<string, Accepted>();
  for (const one of accepted) {
    const key = JSON.stringify([one.version, one.cookie]);
    merged.set(key, { ...one, secrets: [...(merged.get(key)?.secrets ?? []), ...one.secrets] });
  }
  return [...merged.values()];
}

/** Under `emit`, an older cookie beside the shared one would undo a sign-out on the other side. */
function requireOne(accepted: readonly Accepted[], emit: FormerVersion): void {
  const [first, ...more] = accepted;
  if (first?.emit === true && more.length === 0) return;
  throw new TypeError(`bridge: with \`emit: "${emit}"\`, \`accept\` must name that format alone, with one cookie.`);
}

/** A day, or a point in time, in seconds. */
function parseDay(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(?:$|T)/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time / 1000;
  throw new TypeError(`bridge: \`until\` is ${JSON.stringify(text)}, which is not a day. Write it as 2027-06-30.`);
}

const WARN_BEFORE = 30 * 24 * 60 * 60;

function warningsOf({ emit, until }: BridgeOptions, ends: number | undefined): readonly string[] {
  const now = Date.now() / 1000;
  const left = ends === undefined ? Number.POSITIVE_INFINITY : ends - now;
  const ending =
    left <= 0
      ? [`bridge-ended: \`until\` of the bridge (${until}) is past; remove the bridge, or set a later day.`]
      : left <= WARN_BEFORE
        ? [`bridge-ends: sessions of Auth.js are ignored from ${until} on (\`until\` of the bridge).`]
        : [];
  const shared =
    emit === undefined || left <= 0
      ? []
      : [
          `bridge-emit: the session is the cookie of ${emit}. Users who have only Cardea's own cookie are signed out: use \`emit\` from the first deployment on.`,
        ];
  return [...ending, ...shared];
}
