import type { BodyFields, ParsedRequest } from "../model/context.ts";
import { InvalidRequest } from "../model/errors.ts";
import { parseJsonMembers } from "../protocol/json-members.ts";

/** The most bytes of a body that are read (contract 3). */
const BODY_LIMIT = 64 * 1024;

/** Fields that must not be ambiguous: repeated or not a string, the request is refused (safety H016, H271). */
const SECURITY_FIELDS = ["csrfToken"];

type Bytes = Uint8Array<ArrayBuffer>;
type Fields = [string, unknown][];

/**
 * Reads a request: a POST's body by its media type, within limits (contract 3).
 *
 * 1. Over 64 KiB: 413, without reading more.
 * 2. The media type, without its parameters, is one of three, or the body is empty: else 415.
 * 3. Well-formed UTF-8, and a JSON body is an object: else 400.
 * 4. Only own string keys count; of repeated keys the first.
 *
 * @throws InvalidRequest with the status.
 */
export async function parseRequest(request: Request, method: ParsedRequest["method"]): Promise<ParsedRequest> {
  const url = new URL(request.url);
  const { headers } = request;
  if (method !== "POST") return { method, url, headers, body: new Map(), rawBody: undefined };
  const rawBody = await readLimited(request);
  const fields = await parseFields(rawBody, headers.get("content-type"));
  return { method, url, headers, body: toBodyFields(fields), rawBody };
}

async function readLimited(request: Request): Promise<Bytes> {
  const tooLarge = () => new InvalidRequest("The body is larger than 64 KiB.", 413);
  if (Number(request.headers.get("content-length") ?? 0) > BODY_LIMIT) throw tooLarge();
  const parts: Bytes[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await readPart(reader); part?.done === false; part = await readPart(reader)) {
    size += part.value.byteLength;
    if (size > BODY_LIMIT) {
      await reader?.cancel();
      throw tooLarge();
    }
    parts.push(new Uint8Array(part.value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A client that goes in the middle of a body is nothing the operator could mend. */
async function readPart(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  try {
    return await reader?.read();
  } catch (cause) {
    throw new InvalidRequest("The body broke off.", 400, cause);
  }
}

async function parseFields(bytes: Bytes, contentType: string | null): Promise<Fields> {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  switch (mediaType) {
    case "application/x-www-form-urlencoded":
      return [...new URLSearchParams(parseText(bytes))];
    case "application/json":
      return parseJson(parseText(bytes));
    case "multipart/form-data":
      return parseMultipart(bytes, contentType ?? "");
    default:
      if (bytes.byteLength === 0) return [];
      throw new InvalidRequest("Send application/x-www-form-urlencoded, application/json or multipart/form-data.", 415);
  }
}

function parseText(bytes: Bytes): string {
  try {
    // A byte order mark is kept, so that JSON with one is refused (RFC 8259 §8.1).
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidRequest("The body is not UTF-8.", 400, cause);
  }
}

function parseJson(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InvalidRequest("The body is not JSON.", 400, cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidRequest("The JSON body must be an object.", 400);
  }
  return parseJsonMembers(text);
}

async function parseMultipart(bytes: Bytes, contentType: string): Promise<Fields> {
  try {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
    const fields: Fields = [];
    form.forEach((value, name) => {
      fields.push([name, value]);
    });
    if (fields.every(([, value]) => typeof value === "string")) return fields;
  } catch (cause) {
    throw new InvalidRequest("The multipart body could not be read.", 400, cause);
  }
  throw new InvalidRequest("The body must not contain files.", 415);
}

function toBodyFields(fields: Fields): BodyFields {
  const body = new Map<string, unknown>();
  for (const [name, value] of fields) {
    if (typeof value === "string" && !isWellFormed(value))
      throw new InvalidRequest("The body is not well-formed Unicode.", 400);
    if (SECURITY_FIELDS.includes(name) && (body.has(name) || typeof value !== "string")) {
      throw new InvalidRequest(`\`${name}\` must be one string.`, 400);
    }
    if (!body.has(name)) body.set(name, value);
  }
  return body;
}

/** No lone surrogates: they cannot be encoded as UTF-8 and would change on their way (`String.prototype.isWellFormed`). */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
