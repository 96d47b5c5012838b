import { connect } from "node:net";

/** A request as bytes, with a target that no HTTP client would send. */
export interface RawRequest {
  /** Written as it is, one byte for each character. */
  readonly target: string;
  /** Default GET. */
  readonly method?: string;
  /** Further header lines; `Host` may be among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** With its `Content-Length`, unless the headers say how long it is. */
  readonly body?: string;
  /** Ends the connection after sending, without waiting for the answer. */
  readonly leave?: boolean;
}

/** An answer as it came. */
export interface RawAnswer {
  /** 0 if the connection ended without one. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** An application that keeps a connection open must not keep the test waiting. */
const LIMIT_MS = 20_000;

/** Sends one request to a port of this machine, and resolves to its answer. */
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
    // A server that refuses a body may reset the connection after its answer.
    socket.once("error", () => resolve());
  });
  await new Promise<void>((resolve) => {
    socket.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1"), () => resolve());
  });
  if (leave) socket.destroy();
  await ended;
  return parseAnswer(Buffer.concat(parts).toString("utf8"));
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [status = "", ...lines] = text.slice(0, end < 0 ? undefined : end).split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(status.split(" ")[1] ?? 0), headers, body: end < 0 ? "" : text.slice(end + 4) };
}
