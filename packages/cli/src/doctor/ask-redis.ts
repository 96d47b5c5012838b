import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { RedisFacts } from "./facts.ts";

/** Response timeout. */
const TIMEOUT_MS = 20_000;

const MAX_ANSWER = 1024 * 1024;

/**
 * Reads the configuration of a Redis or Valkey server with `INFO`, which hosted servers also allow. Read-only.
 *
 * @param url Such as `redis://user:password@localhost:6379`; `rediss:` for TLS.
 */
export async function askRedis(url: URL): Promise<RedisFacts> {
  const where = `${url.protocol}//${url.host}`;
  const answer = await talk(url, [...credentialsOf(url), ["INFO", "everything"]]);
  const [refusal] = /^-.*$/m.exec(answer ?? "") ?? [];
  const lines = (answer ?? "").split("\r\n").flatMap((line): [string, string][] => {
    const [, name, value] = /^([a-z_\d]+):(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  const isAnswer = answer !== undefined && refusal === undefined && lines.length > 0;
  return { where, info: isAnswer ? new Map(lines) : undefined, refusal: refusal?.slice(1) };
}

function credentialsOf({ username, password }: URL): readonly (readonly string[])[] {
  if (password === "") return [];
  const name = decodeURIComponent(username);
  return [["AUTH", ...(name === "" ? [] : [name]), decodeURIComponent(password)]];
}

/** Sends commands, and resolves to the server's responses; undefined without a response. */
function talk(url: URL, commands: readonly (readonly string[])[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const to = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 6379) };
    const socket: Socket = url.protocol === "rediss:" ? connectTls({ ...to, servername: to.host }) : connect(to);
    let text = "";
    const finish = (answer: string | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(TIMEOUT_MS, () => finish(undefined));
    socket.once("error", () => finish(undefined));
    socket.once("close", () => finish(undefined));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (isWhole(text) || text.length > MAX_ANSWER) finish(text);
    });
    socket.write(commands.map(written).join(""));
  });
}

/** Encodes a command in RESP, so that arguments cannot inject commands. */
function written(command: readonly string[]): string {
  return `*${command.length}\r\n${command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join("")}`;
}

/** Whether a response is complete: an error, or a bulk string of the announced length. */
function isWhole(text: string): boolean {
  if (/^-.*\r\n/m.test(text)) return true;
  const [head, length] = /^\$(\d+)\r\n/m.exec(text) ?? [];
  if (head === undefined) return false;
  const body = text.slice(text.indexOf(head) + head.length);
  return Buffer.byteLength(body) >= Number(length) + 2;
}
