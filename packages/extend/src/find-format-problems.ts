import type { AuthConfig, Problem } from "@cardea/core/extension-host";
import {
  type Extension,
  resolveCookies,
  resolveStrategy,
  type SessionFormat,
  withoutPrefix,
} from "@cardea/core/extension-kit";

/**
 * Finds problems with the session cookies of other libraries that extensions accept.
 *
 * 1. A cookie name belongs to one format, because the name determines how the token is decrypted (RFC 8725 §3.1). This
 *    includes the names of the parts of a large session.
 * 2. It is not one of our own cookie names, so that a value for another purpose is never accepted as a session (CVE-2023-48309).
 * 3. If our sessions use such a cookie, no other one is accepted.
 * 4. If our sessions use such a cookie, its tokens can be created, and the other library can read them.
 */
export function findFormatProblems(given: AuthConfig, list: readonly Extension[]): readonly Problem[] {
  const formats = list.flatMap(({ sessionFormats = [] }) => sessionFormats);
  const emitted = formats.find(({ emit }) => emit);
  const own = Object.values(resolveCookies(given.cookies ?? {}, true)).map(({ name }) => withoutPrefix(name));
  const messages = [
    ...formats.flatMap((format, n) => findShared(format, formats.slice(n + 1))),
    ...formats
      .filter(({ cookie }) => own.some((name) => overlap(name, cookie)))
      .map(({ cookie }) => `accept "${cookie}", which is one of this configuration's own cookies; rename that cookie`),
    ...(emitted === undefined ? [] : findEmitProblems(given, list, formats, emitted)),
  ];
  return messages.map((message) => ({ option: "extensions", message }));
}

function findShared({ cookie }: SessionFormat, others: readonly SessionFormat[]): readonly string[] {
  return others.some((other) => overlap(other.cookie, cookie))
    ? ["accept two session formats in one cookie; a token is opened by the name of its cookie"]
    : [];
}

/** Whether two cookies have the same name, or one has the name of a part of the other. */
function overlap(one: string, other: string): boolean {
  const isPart = (part: string, whole: string) =>
    part.startsWith(`${whole}.`) && /^\d+$/.test(part.slice(whole.length + 1));
  return one === other || isPart(one, other) || isPart(other, one);
}

function findEmitProblems(
  given: AuthConfig,
  list: readonly Extension[],
  formats: readonly SessionFormat[],
  { cookie, seal }: SessionFormat,
): readonly string[] {
  const isJwt = resolveStrategy(given) === "jwt";
  return [
    ...(formats.length > 1
      ? [`accept another session cookie in addition to "${cookie}", which could undo a sign-out`]
      : []),
    ...(list.some(({ hashesTokens }) => hashesTokens === true)
      ? ["store hashed session tokens, but share sessions with another library that looks up plain tokens"]
      : []),
    ...(list.some(({ keepsTokens }) => keepsTokens === true)
      ? ["store the tokens of accounts, but share sessions with another library that reads them from the accounts"]
      : []),
    ...(isJwt && seal === undefined
      ? [`use "${cookie}" for sessions, but have no function that creates its tokens`]
      : []),
    ...(isJwt && (given.jwt?.encode !== undefined || given.jwt?.decode !== undefined)
      ? [`use "${cookie}" for sessions, so \`jwt.encode\` and \`jwt.decode\` are not called; remove them`]
      : []),
  ];
}
