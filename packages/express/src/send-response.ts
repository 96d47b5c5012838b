import { addNodeCookies, refusal } from "@cardea/core/operations";
import type { Response as ExpressResponse } from "express";

/** Writes a response of the Fetch API as the answer. */
export async function sendResponse(response: Response, res: ExpressResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  res.status(response.status);
  response.headers.forEach((value, name) => {
    if (name !== "set-cookie") res.setHeader(name, value);
  });
  addNodeCookies(res, response.headers.getSetCookie());
  if (body.byteLength > 0) res.end(body);
  else res.end();
}

/** Answers a request whose method is not one that a guard can be asked about (RFC 9110 §9.3.8, §15.5.6). */
export function refuseMethod(res: ExpressResponse): Promise<void> {
  const headers = { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS", "cache-control": "no-store" };
  return sendResponse(new Response(null, { status: 405, headers }), res);
}

/** Answers a request whose path could mean one thing to a guard and another to a router. */
export function refuse(res: ExpressResponse): Promise<void> {
  return sendResponse(refusal(), res);
}
