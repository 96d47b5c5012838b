import { handleRequest } from "../http/handle-request.ts";
import type { AuthError } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Cookie, ResponseInternal } from "../model/result.ts";

/**
 * Handles one request and returns the parts of the response, for a framework adapter that sets cookies and redirects
 * itself.
 *
 * @throws AuthError if the action failed, unless the request has `X-Auth-Return-Redirect`.
 */
export async function respondRaw(request: Request, config: ResolvedConfig): Promise<ResponseInternal> {
  const failures: AuthError[] = [];
  const response = await handleRequest(request, config, "", (error) => failures.push(error));
  const [failure] = failures;
  if (failure !== undefined && !request.headers.has("x-auth-return-redirect")) throw failure;
  return toParts(response);
}

/** Converts a response to its parts: cookies as data, and the redirect target. */
async function toParts(response: Response): Promise<ResponseInternal> {
  const headers = new Headers(response.headers);
  const cookies = headers.getSetCookie().map(toCookie);
  const redirect = headers.get("location");
  headers.delete("set-cookie");
  headers.delete("location");
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const body = text === "" ? {} : { body: isJson ? JSON.parse(text) : text };
  return { status: response.status, headers, cookies, ...body, ...(redirect === null ? {} : { redirect }) };
}

/** Inverse of `serializeCookie`, which wrote the line. The value stays percent-encoded. */
export function toCookie(line: string): Cookie {
  const [pair = "", ...attributes] = line.split("; ");
  const { 0: name, 1: value = "" } = divide(pair);
  return { name, value, options: Object.fromEntries(attributes.map(toOption)) };
}

/** `Max-Age=60` becomes the option `maxAge`; `Secure` becomes `secure: true`. */
function toOption(attribute: string): [string, unknown] {
  const { 0: name, 1: value } = divide(attribute);
  const option = name.replace("-", "").replace(/^./, (first) => first.toLowerCase());
  if (value === undefined || option === "domain" || option === "path") return [option, value ?? true];
  if (option === "expires") return [option, new Date(value)];
  return [option, option === "maxAge" ? Number(value) : value.toLowerCase()];
}

/** Divides at the first `=`, if there is one; any further ones belong to the value. */
function divide(text: string): [string, string?] {
  const at = text.indexOf("=");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
