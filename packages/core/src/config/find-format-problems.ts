import type { AuthConfig } from "../model/config.ts";
import type { Extension } from "../model/extension.ts";
import type { SessionFormat } from "../model/session-format.ts";
import { withoutPrefix } from "../protocol/cookie-prefix.ts";
import { resolveStrategy } from "./check-adapter.ts";
import { resolveCookies } from "./cookie-defaults.ts";
import type { Problem } from "./resolution.ts";

/**
 * What is wrong with the session cookies of other libraries that extensions accept.
 *
 * 1. A cookie belongs to one format, because its name determines how it is opened (RFC 8725 §3.1). A part of a large session counts.
 * 2. It has none of our own names, so that no value of another purpose is a session (CVE-2023-48309).
 * 3. One that is the session stands alone.
 * 4. One that is the session can be made, and is found as it is by the other library.
 */
export function findFormatProblems(given: AuthConfig, list: readonly Extension[]): readonly Problem[] {
  const formats = list.flatMap(({ sessionFormats = [] }) => sessionFormats);
  const emitted = formats.find(({ emit }) => emit);
  const own = Object.values(resolveCookies(given.cookies ?? {}, true)).map(({ name }) => withoutPrefix(name));
  const messages = [
    ...formats.flatMap((format, n) => findShared(format, formats.slice(n + 1))),
    ...formats
      .filter(({ cookie }) => own.some((name) => overlap(name, cookie)))
      .map(
        ({ cookie }) => `accept "${cookie}", which is one of this configuration's own cookies; give that another name`,
      ),
    ...(emitted === undefined ? [] : findEmitProblems(given, list, formats, emitted)),
  ];
  return messages.map((message) => ({ option: "extensions", message }));
}

function findShared({ cookie }: SessionFormat, others: readonly SessionFormat[]): readonly string[] {
  return others.some((other) => overlap(other.cookie, cookie))
    ? ["accept two session formats in one cookie; a token is opened by the name of its cookie"]
    : [];
}

/** Whether two cookies have one name, or one has that of a part of the other. */
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
      ? [`accept another session cookie beside "${cookie}", which is the session: it would undo a sign-out`]
      : []),
    ...(list.some(({ hashesTokens }) => hashesTokens === true)
      ? ["store hashed session tokens, and share sessions with another library that looks them up as they are"]
      : []),
    ...(list.some(({ keepsTokens }) => keepsTokens === true)
      ? ["keep the tokens of accounts, and share sessions with another library that looks them up in the accounts"]
      : []),
    ...(isJwt && seal === undefined
      ? [`make "${cookie}" the session, and have no function that makes its tokens`]
      : []),
    ...(isJwt && (given.jwt?.encode !== undefined || given.jwt?.decode !== undefined)
      ? [`make "${cookie}" the session, so that \`jwt.encode\` and \`jwt.decode\` would not be called; remove them`]
      : []),
  ];
}
