// One request as bytes on a socket of its own, and what came back.

import { connect } from "node:net";

/** Milliseconds for the answer to a correct request; more counts as none. */
const PATIENCE = 15_000;
/** Milliseconds for the answer to a request whose end the server cannot know. */
const SHORT = 60;

/**
 * Sends bytes and resolves to `{ text, status, headers, ms, timedOut }`; the texts are latin1.
 *
 * @param isExact whether the request is complete, so that it must be answered.
 */
export function exchange(port, bytes, isExact) {
  const began = performance.now();
  return new Promise((resolve) => {
    const parts = [];
    let timedOut = false;
    const socket = connect(port, "127.0.0.1");
    const timer = setTimeout(
      () => {
        timedOut = true;
        socket.destroy();
      },
      isExact ? PATIENCE : SHORT,
    );
    socket.on("data", (part) => parts.push(part));
    // A server that refuses the head closes while the body is still being written.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ ...parse(Buffer.concat(parts).toString("latin1")), ms: performance.now() - began, timedOut });
    });
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

function parse(answer) {
  const text = answer.replace(/^(?:HTTP\/1\.1 1\d\d .*?\r\n\r\n)+/s, "");
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...lines] = text.slice(0, end === -1 ? 0 : end).split("\r\n");
  const headers = lines.map((one) => {
    const at = one.indexOf(":");
    return [one.slice(0, at).toLowerCase(), one.slice(at + 1).trim()];
  });
  const all = (name) => headers.filter(([key]) => key === name).map(([, value]) => value);
  const raw = text.slice(end + 4);
  const isChunked = all("transfer-encoding").includes("chunked");
  const body = () => Buffer.from(isChunked ? unchunk(raw) : raw, "latin1").toString("utf8");
  return { text, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1] ?? 0), all, body };
}

function unchunk(raw) {
  let text = "";
  for (let at = 0; ; ) {
    const line = raw.indexOf("\r\n", at);
    const size = Number.parseInt(raw.slice(at, line), 16);
    if (line === -1 || !(size > 0)) return text;
    text += raw.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
