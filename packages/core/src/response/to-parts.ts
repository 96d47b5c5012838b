import { parseSetCookie } from "cookie";
import type { Cookie, ResponseInternal } from "../model/result.ts";

/** The parts of a response: cookies as data, and the redirect target. */
export async function toParts(response: Response): Promise<ResponseInternal> {
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

/** The value stays percent-encoded, as in the header. */
function toCookie(header: string): Cookie {
  const { name, value = "", ...options } = parseSetCookie(header, { decode: (text) => text });
  return { name, value, options };
}
