import { BODY_LIMIT, FIELD_LIMIT } from "../protocol/form-fields.ts";

/**
 * The fields of a form that a framework's own action receives, within the limits of the endpoints. One that cannot be read is answered with 400, a larger
 * one with 413; otherwise it would be an internal error, written to the log, and its fields would cost far more than their bytes.
 *
 * @param refuse throws the framework's error with a status.
 */
export async function readForm(request: Request, refuse: (status: number) => never): Promise<FormData> {
  // An error with a status is that of the framework, which has stopped reading; any other, such as that of a client that disconnected, is
  // the client's.
  const refuseUnreadable = (thrown: unknown): never => {
    if (typeof Object(thrown).status === "number") throw thrown;
    refuse(400);
  };
  const { headers } = request;
  if (Number(headers.get("content-length") ?? 0) > BODY_LIMIT) refuse(413);
  const body = await request.arrayBuffer().catch(refuseUnreadable);
  if (body.byteLength > BODY_LIMIT) refuse(413);
  const type = headers.get("content-type") ?? "";
  // Node.js takes several microseconds for each escape that is not UTF-8.
  if (/^application\/x-www-form-urlencoded/i.test(type) && !isDecodable(body)) refuse(400);
  const form = await new Response(body, { headers: { "content-type": type } }).formData().catch(refuseUnreadable);
  if ([...form.keys()].length > FIELD_LIMIT) refuse(413);
  return form;
}

function isDecodable(body: ArrayBuffer): boolean {
  try {
    decodeURIComponent(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return true;
  } catch {
    return false;
  }
}
