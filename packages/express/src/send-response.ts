import { addNodeCookies } from "@cardea/core/operations";
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
