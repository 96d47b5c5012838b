import { addNodeCookies, methodRejection, rejection } from "@cardea/core/operations";
import type { Response as ExpressResponse } from "express";

/** Sends a Fetch API response through Express. */
export async function sendResponse(response: Response, res: ExpressResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  res.status(response.status);
  response.headers.forEach((value, name) => {
    if (name !== "set-cookie") res.setHeader(name, value);
  });
  addNodeCookies(res, { cookies: response.headers.getSetCookie() });
  if (body.byteLength > 0) res.end(body);
  else res.end();
}

/** Responds to a request whose method a guard cannot decide about. */
export function refuseMethod(res: ExpressResponse): Promise<void> {
  return sendResponse(methodRejection(), res);
}

/** Responds to a request whose path a guard and a router could interpret differently. */
export function refuse(res: ExpressResponse): Promise<void> {
  return sendResponse(rejection(), res);
}
