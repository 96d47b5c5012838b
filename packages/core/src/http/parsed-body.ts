import type { BodyPart, BodyReader, IncomingBody } from "./incoming-request.ts";

/** Nesting that core accepts in a body. */
const MAX_DEPTH = 64;

/**
 * A body that the application has read, from what its parser made of it: bytes, text and streams as they are; anything else serialised
 * again as the client may have sent it.
 *
 * @param parsed null or undefined for an empty body; may be a promise, whose failure is that of reading the body.
 * @param headers are changed to those of the new body; with a promise when it is read.
 */
export function parsedBody(parsed: unknown, headers: Headers): IncomingBody | null {
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  if (parsed === undefined || parsed === null) return null;
  if (parsed instanceof Promise) return promisedBody(parsed, headers);
  if (parsed instanceof ReadableStream) return { getReader: () => openUnread(parsed) };
  if (isRaw(parsed)) return new Response(parsed).body;
  const { body, type } = serialise(parsed, headers.get("content-type") ?? "");
  const made = new Response(body);
  headers.set("content-type", type ?? made.headers.get("content-type") ?? "");
  return made.body;
}

function promisedBody(parsed: Promise<unknown>, headers: Headers): IncomingBody {
  // Some requests are answered without their body.
  parsed.catch(() => undefined);
  let opened: Promise<BodyReader | undefined> | undefined;
  const reader = () => {
    opened ??= parsed.then((body) => parsedBody(body, headers)?.getReader());
    return opened;
  };
  const read = async (): Promise<BodyPart> => (await reader())?.read() ?? { done: true };
  return { getReader: () => ({ read, cancel: async () => (await reader())?.cancel() }) };
}

/** @throws TypeError for a stream that was read before, at least in part. */
function openUnread(stream: ReadableStream): BodyReader {
  new Response(stream);
  return stream.getReader();
}

/** Whether a body was not parsed. */
function isRaw(parsed: unknown): parsed is string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> {
  if (typeof parsed === "string" || parsed instanceof ArrayBuffer || ArrayBuffer.isView(parsed)) return true;
  return parsed instanceof Blob;
}

/** @returns the new body, and its type if that is not implied. */
function serialise(parsed: unknown, type: string): { readonly body: BodyInit; readonly type?: string } {
  if (parsed instanceof FormData) return { body: parsed };
  // Parsers accept what is nested too deeply to be serialised again; core rejects this text for the same reason.
  if (!isWithin(MAX_DEPTH, parsed)) return { body: "[".repeat(MAX_DEPTH + 1), type: "application/json" };
  if (/^application\/(?:[^;\s]+\+)?json\b/i.test(type)) return { body: JSON.stringify(parsed), type };
  const isForm = parsed instanceof URLSearchParams;
  const fields = isForm ? parsed : Object.entries(Object(parsed)).flatMap(([name, value]) => formFields(name, value));
  return { body: new URLSearchParams(fields), type: "application/x-www-form-urlencoded" };
}

/** Whether a value is nested at most this deeply. */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isWithin(depth - 1, member));
}

/** `a=1&a=2` and `a[b]=1`, as form parsers read them. */
function formFields(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => formFields(name, item));
  if (typeof value !== "object" || value === null) return [[name, String(value ?? "")]];
  return Object.entries(value).flatMap(([key, item]) => formFields(`${name}[${key}]`, item));
}
