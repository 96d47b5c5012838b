/** For tests: requests as bytes, with targets that no HTTP client would send. */
import { connect } from "node:net";

/**
 * Sends one request and resolves to the complete response.
 *
 * @param target sent unchanged, one byte per character.
 * @param headers additional header lines.
 */
export async function sendTarget(
  port: number,
  target: string,
  method = "GET",
  headers: readonly string[] = [],
): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const head = [`${method} ${target} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers];
  socket.write(Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"));
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
