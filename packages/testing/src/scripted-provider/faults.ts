/** Turns an honest answer into what the script wants, and the network's failures into what `fetch` makes of them. */
import type { ProviderCall } from "./calls.ts";
import { isJsonObject, type Json, patchJson } from "./json.ts";
import type { EndpointScript, NetworkFault } from "./script.ts";

/** An endpoint's answer before the script has its way. */
export interface Answer {
  readonly status: number;
  readonly content: { readonly kind: "json"; readonly value: Json } | { readonly kind: "jwt"; readonly token: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** An endless body breaks off here, so that a client without a limit fails instead of filling the memory: 64 MiB. */
const ENDLESS_LIMIT_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 16 * 1024;
/** Statuses whose responses have no body (Fetch §2.2.3). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

const TYPES = { json: "application/json", jwt: "application/jwt" } as const;
const CODES: Readonly<Record<Exclude<NetworkFault, "never" | "stall" | "reset-midway">, string>> = {
  reset: "ECONNRESET",
  refused: "ECONNREFUSED",
  dns: "ENOTFOUND",
  tls: "ERR_TLS_CERT_ALTNAME_INVALID",
};

/** What Node's `fetch` rejects with when the network fails. */
export function networkError(code: string, url: string): TypeError {
  const cause = Object.assign(new Error(`${code} ${new URL(url).host}`), { code });
  return new TypeError("fetch failed", { cause });
}

/** Rejects when the signal fires, and not before. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Waits real milliseconds; rejects at once when the signal fires. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/**
 * What the network does before an answer is made: waits, fails, or nothing.
 * Rejects as `fetch` does: with the signal's reason, or a `TypeError` with `cause.code`.
 */
export async function sufferNetwork(script: EndpointScript, call: ProviderCall, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (script.delayMs !== undefined) await wait(script.delayMs, signal);
  const { network } = script;
  if (network === undefined || network === "stall" || network === "reset-midway") return;
  if (network === "never") await untilAborted(signal);
  else throw networkError(CODES[network], call.url);
}

function renderText({ status, content }: Answer, script: EndpointScript): string {
  if (script.raw !== undefined) return script.raw;
  if (script.body !== undefined) return JSON.stringify(script.body);
  if (content.kind === "jwt") return content.token;
  const isPatched = status === 200 && isJsonObject(content.value);
  return JSON.stringify(isPatched ? patchJson(content.value, script.patch) : content.value);
}

function renderBody(answer: Answer, script: EndpointScript): Uint8Array {
  const bytes = Buffer.from(renderText(answer, script));
  const padding = Buffer.alloc(Math.max((script.padTo ?? 0) - bytes.length, 0), " ");
  return Buffer.concat([bytes, padding]).subarray(0, script.truncate);
}

type Source = (sent: number) => Uint8Array | "end" | "wait" | Error;

function chooseSource(bytes: Uint8Array, script: EndpointScript, url: string): Source {
  if (script.network === "stall") return () => "wait";
  if (script.endless === true) {
    const chunk = Buffer.alloc(CHUNK_BYTES, " ");
    return (sent) => (sent < ENDLESS_LIMIT_BYTES ? chunk : new Error("The client read 64 MiB of an endless body."));
  }
  if (script.network === "reset-midway") {
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    return (sent) => (sent === 0 ? half : networkError("ECONNRESET", url));
  }
  return (sent) => (sent === 0 && bytes.length > 0 ? bytes : "end");
}

/** A body that is made as it is read, and that breaks when the request is aborted. */
function streamBody(source: Source, call: ProviderCall, signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener("abort", () => controller.error(signal.reason), { once: true });
      },
      async pull(controller) {
        const next = source(call.bytesSent);
        if (next === "wait") await untilAborted(signal);
        else if (next === "end") controller.close();
        else if (next instanceof Error) controller.error(next);
        else {
          call.bytesSent += next.length;
          controller.enqueue(next);
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** The response a client gets: the honest answer as the script changes it. */
export function toResponse(answer: Answer, script: EndpointScript, call: ProviderCall, signal: AbortSignal): Response {
  const status = script.status ?? (script.redirect === undefined ? answer.status : 302);
  const headers = new Headers({
    "content-type": TYPES[answer.content.kind],
    "cache-control": "no-store",
    ...answer.headers,
  });
  if (script.redirect !== undefined) headers.set("location", script.redirect);
  for (const [name, value] of Object.entries(script.headers ?? {})) headers.set(name, value);
  const source = chooseSource(renderBody(answer, script), script, call.url);
  const response = new Response(BODILESS.has(status) ? null : streamBody(source, call, signal), { status, headers });
  return Object.defineProperty(response, "url", { value: call.url, configurable: true });
}
