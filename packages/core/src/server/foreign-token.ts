import { createSessionFormats } from "../config/session-formats.ts";
import type { JWT } from "../model/records.ts";
import type { SessionFormat } from "../model/session-format.ts";
import type { Seconds } from "../model/units.ts";
import { joinChunks } from "../protocol/cookie-values.ts";
import type { ReceivedCookies } from "../protocol/received-cookies.ts";

/** An extension that may accept session cookies of other libraries. */
export interface FormatSource {
  /** The formats; absent for most extensions. */
  readonly sessionFormats?: readonly SessionFormat[] | undefined;
}

/** The parts of a request that `getToken()` reads. */
export interface TokenSource {
  readonly cookies: ReceivedCookies;
  /** Whether the cookie names of https apply; both values if the scheme is unknown. */
  readonly secure: readonly boolean[];
  readonly maxAge: Seconds;
}

/** A session token of another library, and the function that decrypts it. */
export interface ForeignToken {
  readonly token: string;
  claims(secrets: readonly string[]): Promise<JWT | null>;
}

/** The session tokens of other libraries that the extensions accept. With `alone`, only these hold sessions, not our own cookie. */
export function findForeignTokens(
  extensions: readonly (FormatSource | false | null | undefined)[],
  { cookies, secure, maxAge }: TokenSource,
): { readonly alone: boolean; readonly tokens: readonly ForeignToken[] } {
  const given = extensions.flatMap((extension) => (extension ? (extension.sessionFormats ?? []) : []));
  const formats = createSessionFormats(given);
  const now = Math.floor(Date.now() / 1000);
  const emitted = formats.emitted(now);
  const read = emitted === undefined ? formats.accepted(maxAge, now) : [emitted];
  const tokens = read.flatMap(({ format, nameOf }) =>
    secure.flatMap((one) => {
      const name = nameOf(one);
      return joinChunks(name, cookies).map(({ value: token }) => ({
        token,
        claims: (secrets: readonly string[]) => formats.open(format, token, name, { secrets, maxAge }, now),
      }));
    }),
  );
  return { alone: emitted !== undefined, tokens };
}
