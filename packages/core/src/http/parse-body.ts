import type { BodyFields, ParsedRequest } from "../model/context.ts";
import { InvalidRequest } from "../model/errors.ts";
import { BODY_LIMIT, FIELD_LIMIT, NAME_LIMIT, parseFormFields } from "../protocol/form-fields.ts";
import { parseMultipartFields } from "../protocol/multipart-fields.ts";
import { measureJson, parseJsonMembers, readBytes, withoutPrototypes } from "../protocol/received-json.ts";
import type { BodyReader, IncomingRequest } from "./incoming-request.ts";
import { takeTurn } from "./take-turn.ts";

/** Maximum nesting of a JSON body; the data of a session update has a few levels. */
const DEPTH_LIMIT = 64;

/** Maximum number of values in a JSON body. Each costs far more than its bytes. */
const VALUE_LIMIT = 5000;

/** Fields that must be unambiguous: if repeated or not a string, the request is rejected. */
const SECURITY_FIELDS = ["csrfToken"];

type Bytes = Uint8Array<ArrayBuffer>;
type Fields = [string, unknown][];

/**
 * Reads the body of a request, and parses it by its media type, within limits; bursts of bodies are queued.
 *
 * 1. Over 64 KiB: 413, without reading more.
 * 2. The media type, without its parameters, is one of three, or the body is empty; otherwise 415.
 * 3. At most 200 fields or, in JSON, 5,000 values; otherwise 413, before they are used.
 * 4. The text is well-formed UTF-8, as are the escapes of a form, and a JSON body is an object nested at most 64 levels deep;
 *    otherwise 400.
 * 5. Only own string keys of at most 256 characters are used. If a key is repeated, its first value is used. `__proto__` is dropped at any
 *    depth.
 *
 * @throws InvalidRequest with the status.
 */
export async function parseBody(request: IncomingRequest): Promise<Pick<ParsedRequest, "body" | "rawBody">> {
  await takeTurn(request);
  const rawBody = await readLimited(request);
  const fields = parseFields(rawBody, request.headers.get("content-type"));
  return { body: toBodyFields(fields), rawBody };
}

async function readLimited(request: IncomingRequest): Promise<Bytes> {
  const tooLarge = () => new InvalidRequest("The request body is larger than 64 KiB.", 413);
  if (Number(request.headers.get("content-length") ?? 0) > BODY_LIMIT) throw tooLarge();
  const reader = openBody(request);
  const body = await readBytes(() => readPart(reader), BODY_LIMIT);
  if (body !== null) return body;
  // The outcome of cancelling is irrelevant.
  reader?.cancel().catch(() => undefined);
  throw tooLarge();
}

/** A body that a framework or middleware has read is locked. */
function openBody(request: IncomingRequest): BodyReader | undefined {
  try {
    return request.body?.getReader();
  } catch (cause) {
    throw new InvalidRequest("The request body was already read.", 400, cause);
  }
}

/** A body that ends early or does not consist of bytes is the client's error. */
async function readPart(reader: BodyReader | undefined) {
  try {
    const part = await reader?.read();
    if (part === undefined || part.done || ArrayBuffer.isView(part.value)) return part;
  } catch (cause) {
    throw new InvalidRequest("The request body ended unexpectedly.", 400, cause);
  }
  throw new InvalidRequest("The request body does not consist of bytes.", 400);
}

function parseFields(bytes: Bytes, contentType: string | null): Fields {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  switch (mediaType) {
    case "application/x-www-form-urlencoded":
      return parseForm(parseText(bytes));
    case "application/json":
      return parseJson(parseText(bytes));
    case "multipart/form-data":
      return parseMultipart(parseText(bytes), contentType ?? "");
    default:
      if (bytes.byteLength === 0) return [];
      throw new InvalidRequest(
        "Unsupported content type. Use application/x-www-form-urlencoded, application/json or multipart/form-data.",
        415,
      );
  }
}

function parseText(bytes: Bytes): string {
  try {
    // Keeps a byte order mark, so that JSON with one is rejected (RFC 8259 §8.1).
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidRequest("The request body is not valid UTF-8.", 400, cause);
  }
}

function parseForm(text: string): Fields {
  // Counted no further than the limit.
  limitFields(text.split("&", FIELD_LIMIT + 1).length);
  const fields = parseFormFields(text);
  if (fields !== null) return fields;
  throw new InvalidRequest(
    "The form has a `%` that does not begin an encoded UTF-8 character. Encode a percent sign as %25.",
    400,
  );
}

/** Depth and size are measured before parsing: a small body of brackets alone is extremely expensive to parse. */
function parseJson(text: string): Fields {
  const { depth, members, values } = measureJson(text);
  if (depth > DEPTH_LIMIT) throw new InvalidRequest(`The JSON is nested deeper than ${DEPTH_LIMIT} levels.`, 400);
  if (values > VALUE_LIMIT) throw new InvalidRequest(`The JSON has more than ${VALUE_LIMIT} values.`, 413);
  limitFields(members);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InvalidRequest("The request body is not valid JSON.", 400, cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidRequest("The JSON body must be an object.", 400);
  }
  const fields = Object.entries(value);
  return fields.length === members ? fields : parseJsonMembers(text);
}

function limitFields(count: number): void {
  if (count > FIELD_LIMIT) throw new InvalidRequest(`The request body has more than ${FIELD_LIMIT} fields.`, 413);
}

function parseMultipart(text: string, contentType: string): Fields {
  const fields = parseMultipartFields(text, contentType);
  if (fields === null) throw new InvalidRequest("The multipart body could not be read.", 400);
  limitFields(fields.length);
  if (fields.every(([, value]) => value !== null)) return fields;
  throw new InvalidRequest("The request body must not contain files.", 415);
}

function toBodyFields(fields: Fields): BodyFields {
  const body = new Map<string, unknown>();
  for (const [name, value] of fields) {
    if (name === "__proto__" || name.length > NAME_LIMIT) continue;
    if (typeof value === "string" && !isWellFormed(value))
      throw new InvalidRequest("The request body is not well-formed Unicode.", 400);
    if (SECURITY_FIELDS.includes(name) && (body.has(name) || typeof value !== "string")) {
      throw new InvalidRequest(`\`${name}\` must be a single string.`, 400);
    }
    if (!body.has(name)) body.set(name, withoutPrototypes(value));
  }
  return body;
}

/** No lone surrogates: they cannot be encoded as UTF-8 and would change in transit (`String.prototype.isWellFormed`). */
function isWellFormed(text: string): boolean {
  const native: unknown = Reflect.get(String.prototype, "isWellFormed");
  return typeof native === "function" ? native.call(text) === true : !/\p{Surrogate}/u.test(text);
}
