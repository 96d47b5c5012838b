import { connect } from "node:net";

/** A request as bytes, with a target that no HTTP client would send. */
export interface RawRequest {
  /** Sent unchanged, one byte per character. */
  readonly target: string;
  /** Default GET. */
  readonly method?: string;
  /** Additional headers; may include `Host`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with a `Content-Length`, unless the headers declare the length. */
  readonly body?: string;
  /** Closes the connection after sending, without waiting for the response. */
  readonly leave?: boolean;
}

/** The response, as received. */
export interface RawAnswer {
  /** 0 if the connection was closed without a response. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Time limit in milliseconds, for applications that keep the connection open. */
const LIMIT_MS = 20_000;

/** Sends one request to a port of this machine, and resolves to the response. */
export async function sendRaw(origin: string, request: RawRequest): Promise<RawAnswer> {
  const { port, host } = new URL(origin);
  const { target, method = "GET", headers = {}, body = "", leave = false } = request;
  const known = Object.keys(headers).map((name) => name.toLowerCase());
  const length = body !== "" && !known.some((name) => /^(?:content-length|transfer-encoding)$/.test(name));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(known.includes("host") ? [] : [`Host: ${host}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(length ? [`Content-Length: ${Buffer.byteLength(body, "latin1")}`] : []),
    "Connection: close",
  ];
  const socket = connect(Number(port), "127.0.0.1");
  socket.setTimeout(LIMIT_MS, () => socket.destroy());
  const parts: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on("data", (part) => parts.push(part));
    socket.once("close", () => resolve());
    // A server that rejects a body may reset the connection after its response.
    socket.once("error", () => resolve());
  });
  await new Promise<void>((resolve) => {
    socket.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1"), () => resolve());
  });
  if (leave) socket.destroy();
  await ended;
  return parseAnswer(Buffer.concat(parts));
}

/** The lines of the head have one byte per character (RFC 9112 §2.2). */
function parseAnswer(received: Buffer): RawAnswer {
  const end = received.indexOf("\r\n\r\n");
  const head = received.subarray(0, end < 0 ? undefined : end).toString("latin1");
  const [status = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1));
  }
  const body = end < 0 ? "" : received.subarray(end + 4).toString("utf8");
  return { status: Number(status.split(" ")[1] ?? 0), headers, body };
}
