import { type FlowContext, prefixedNames, trimBlanks } from "@cardea/core/extension-host";
import { withoutPrefix } from "@cardea/core/extension-kit";

/**
 * Requests as extensions see them: without cookies that may contain a session. These are our own and those of all
 * session formats, with and without prefixes, whole or chunked, whether or not they are currently accepted.
 */

type CookieContext = Pick<FlowContext, "config" | "cookies" | "headers">;

/** The headers without session cookies. */
export function headersWithoutSession(context: CookieContext): Pick<Headers, "get"> {
  return {
    get: (name) => {
      const value = context.headers.get(name);
      if (value === null || name.toLowerCase() !== "cookie") return value;
      return withoutSession(value, context) || null;
    },
  };
}

/** A request without session cookies. Its body can be read independently of the original. */
export function requestWithoutSession(request: Request, context: CookieContext): Request {
  const headers = new Headers(request.headers);
  const cookies = withoutSession(headers.get("cookie") ?? "", context);
  if (cookies === "") headers.delete("cookie");
  else headers.set("cookie", cookies);
  const { url, method, bodyUsed } = request;
  return bodyUsed ? new Request(url, { method, headers }) : new Request(request.clone(), { headers });
}

const CHUNK = /\.\d+$/;

function withoutSession(header: string, context: CookieContext): string {
  const names = sessionNames(context);
  return header
    .split(";")
    .map(trimBlanks)
    .filter((pair) => {
      const name = trimBlanks(pair.split("=", 1)[0] ?? "");
      return pair !== "" && !names.has(name) && !names.has(name.replace(CHUNK, ""));
    })
    .join("; ");
}

function sessionNames({ config, cookies }: CookieContext): ReadonlySet<string> {
  const formats = config.extensions?.list.flatMap(({ sessionFormats = [] }) => sessionFormats) ?? [];
  const named = formats.flatMap(({ nameOf }) => (nameOf === undefined ? [] : [nameOf(true), nameOf(false)]));
  const bases = [withoutPrefix(cookies.sessionToken.name), ...formats.map(({ cookie }) => cookie)];
  return new Set([...named, ...bases.flatMap(prefixedNames)]);
}
