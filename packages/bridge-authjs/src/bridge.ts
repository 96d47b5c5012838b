import { checkOptions, defineExtension, type Extension, optionRules } from "@cardea/extend";
import { FORMATS, type FormerVersion, isFormerVersion } from "./formats.ts";
import { type Accepted, sessionFormat } from "./session-format.ts";

/** A format of accepted sessions, with a non-default cookie name or secret. */
export interface AcceptedFormat {
  /** The library and its major version that issued the sessions. */
  readonly format: FormerVersion;
  /**
   * The cookie name exactly as configured in the other application (`cookies.sessionToken.name`). Default: the name
   * used by that version, with `__Secure-` on https.
   */
  readonly cookie?: string | undefined;
  /**
   * The secret of the other application, or several, with the one used for encryption first. The secrets of this
   * configuration are also tried.
   */
  readonly secret?: string | readonly string[] | undefined;
}

/** Settings of {@link bridge}. */
export interface BridgeOptions {
  /** The accepted session formats; default: that of `emit`. */
  readonly accept?: readonly (FormerVersion | AcceptedFormat)[] | undefined;
  /**
   * Shares sessions with an application of this version that runs alongside Cardea: both use its session cookie. Set it
   * from the first deployment on. If omitted, accepted sessions are replaced by Cardea sessions at the next renewal.
   */
  readonly emit?: FormerVersion | undefined;
  /**
   * The date, such as `2027-06-30`, from which accepted cookies are ignored. A warning is logged at startup during the
   * thirty days before. With `emit`, Cardea writes its own cookie from that date, and accepts the shared cookie for one
   * more session lifetime. Default: no end date.
   */
  readonly until?: string | undefined;
}

/**
 * Keeps the users of an Auth.js v5 or NextAuth v4 application signed in while it moves to Cardea.
 *
 * @throws TypeError for invalid options, or for options that would revive ended sessions.
 */
export function bridge(options: BridgeOptions): Extension {
  const { any, line } = optionRules;
  checkOptions("bridge()", options, { accept: any, emit: any, until: line });
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
    throw new TypeError('bridge: `accept` is empty. Add a format, such as `accept: ["authjs-v5"]`.');
  }
  return given.map((one: FormerVersion | AcceptedFormat, n) => {
    const { format, cookie, secret = [] }: AcceptedFormat = typeof one === "string" ? { format: one } : Object(one);
    if (!isFormerVersion(format)) throw new TypeError(wrongVersion(`accept[${n}]`, format));
    // RFC 6265 §4.1.1: a cookie's name is a token.
    if (cookie !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(cookie)) {
      throw new TypeError(
        `bridge: \`accept[${n}].cookie\` is not a valid cookie name. Copy it from cookies.sessionToken.name.`,
      );
    }
    const secrets = [secret].flat();
    if (secrets.some((text) => typeof text !== "string" || text === "")) {
      throw new TypeError(`bridge: \`accept[${n}].secret\` must be a non-empty string or an array of them.`);
    }
    return { version: format, cookie, secrets, emit: emit === format, until };
  });
}

function wrongVersion(option: string, value: unknown): string {
  const known = Object.keys(FORMATS).join('" or "');
  return `bridge: \`${option}\` is ${JSON.stringify(value)}, which is not a known format. Use "${known}".`;
}

/** Merges several secrets of one cookie into one format. */
function mergeSecrets(accepted: readonly Accepted[]): readonly Accepted[] {
  const merged = new Map<string, Accepted>();
  for (const one of accepted) {
    const key = JSON.stringify([one.version, one.cookie]);
    merged.set(key, { ...one, secrets: [...(merged.get(key)?.secrets ?? []), ...one.secrets] });
  }
  return [...merged.values()];
}

/** With `emit`, an older cookie alongside the shared one would undo a sign-out in the other application. */
function requireOne(accepted: readonly Accepted[], emit: FormerVersion): void {
  const [first, ...more] = accepted;
  if (first?.emit === true && more.length === 0) return;
  throw new TypeError(`bridge: with \`emit: "${emit}"\`, \`accept\` must contain only that format, with one cookie.`);
}

/** Parses a date or a date-time; in seconds. Without a zone it is in UTC, whatever the server's zone is. */
function parseDay(text: string): number {
  const [day = "", clock, zone] = /^\d{4}-\d{2}-\d{2}(?:(T[\d:.]+)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text) ?? [];
  const time = Date.parse(clock !== undefined && zone === undefined ? `${day}Z` : day);
  if (!Number.isNaN(time)) return time / 1000;
  throw new TypeError(`bridge: \`until\` is ${JSON.stringify(text)}, which is not a date. Use the format 2027-06-30.`);
}

const WARN_BEFORE = 30 * 24 * 60 * 60;

function warningsOf({ emit, until }: BridgeOptions, ends: number | undefined): readonly string[] {
  const now = Date.now() / 1000;
  const left = ends === undefined ? Number.POSITIVE_INFINITY : ends - now;
  const ending =
    left <= 0
      ? [`bridge-ended: \`until\` of the bridge (${until}) has passed. Remove the bridge, or set a later date.`]
      : left <= WARN_BEFORE
        ? [`bridge-ends: Auth.js sessions will be ignored from ${until} on (\`until\` of the bridge).`]
        : [];
  const shared =
    emit === undefined || left <= 0
      ? []
      : [
          `bridge-emit: sessions use the cookie of ${emit}, so users with only a Cardea cookie are signed out. To avoid this, set \`emit\` in the first deployment.`,
        ];
  return [...ending, ...shared];
}
