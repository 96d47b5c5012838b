import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { IncomingBody } from "@cardea/core/operations";
import type { Express, Request as ExpressRequest } from "express";
import { describe, expect, it, vi } from "vitest";
import { createAuth } from "./create-auth.ts";
import { frameworks, type RunningApp, runApp } from "./run-app.ts";
import { toWebRequest, toWebRequestHead } from "./to-web-request.ts";

/** Sends bytes as they are and resolves to all that comes back. */
function sendRaw({ port }: RunningApp, ...lines: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  return readAll(socket);
}

/** Reads a body as core does. */
async function textOf(body: IncomingBody | null): Promise<string> {
  const [reader, decoder] = [body?.getReader(), new TextDecoder()];
  let text = "";
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    text += decoder.decode(part.value, { stream: true });
  return text;
}

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

describe("toWebRequestHead()", () => {
  it("answers for any bytes in the header Host, in a process that has run for a while", () => {
    const hosts = ["\u00f0\u009f\u00a6\u0089", "\u00ff\u00fe", "m\u00fcller.example", "a b", "app.example.com"];
    const originFor = (host: string) => {
      const request = { headers: { host }, protocol: "http", baseUrl: "", originalUrl: "/x", url: "/x", path: "/x" };
      // All that is read of a request of Express.
      return toWebRequestHead(request as unknown as ExpressRequest).url;
    };
    for (const host of hosts) {
      const found = new Set(Array.from({ length: 5_000 }, () => originFor(host)));
      expect([host, found.size]).toEqual([host, 1]);
    }
    expect(originFor("\u00f0\u009f\u00a6\u0089")).toBe("http://localhost/x");
    expect(originFor("m\u00fcller.example")).toBe("http://xn--mller-kva.example/x");
  });
});

describe.each(frameworks)("toWebRequest() on Express $version", ({ express }) => {
  /** An application that answers with what became of the request. */
  async function echo(prepare: (app: Express) => void = () => undefined): Promise<RunningApp> {
    const app = express();
    prepare(app);
    app.use("/mount", async (req, res, next) => {
      try {
        const { url, method, headers, body } = toWebRequest(req);
        res.json({ url, method, headers: [...headers], body: await textOf(body) });
      } catch (error) {
        next(error);
      }
    });
    return runApp(app);
  }

  const post = async (
    app: RunningApp,
    type: string,
    body: string | Uint8Array<ArrayBuffer>,
    extra: HeadersInit = {},
  ) => {
    const headers = { "content-type": type, ...extra };
    const answer = await app.send(new Request(`${app.origin}/mount/x`, { method: "POST", body, headers }));
    return parseEcho(await answer.json());
  };

  it("keeps method, URL and headers", async () => {
    await using app = await echo();
    const text = await sendRaw(
      app,
      "PATCH /mount/a%2Fb//c?x=1&x=%20 HTTP/1.1",
      "Host: app.example.com:8080",
      "X-Many: 1",
      "X-Many: 2",
      "Cookie: a=1",
      "Cookie: b=2",
      "X-Latin: caf\u00e9",
    );
    const { url, method, headers } = parseEcho(JSON.parse(text.split("\r\n\r\n")[1] ?? ""));
    expect([method, url]).toEqual(["PATCH", "http://app.example.com:8080/mount/a%2Fb//c?x=1&x=%20"]);
    expect(headers["x-many"]).toBe("1, 2");
    expect(headers.cookie).toBe("a=1; b=2");
    expect(headers.host).toBe("app.example.com:8080");
  });

  it.each([
    ["GET http://evil.example/mount/x?y HTTP/1.1", "Host: app.example.com", "http://app.example.com/mount/x?y"],
    ["GET //evil.example/mount/x HTTP/1.1", "Host: app.example.com", "http://app.example.com//evil.example/mount/x"],
    ["GET /../mount/x HTTP/1.1", "Host: app.example.com", "http://app.example.com/"],
    ["GET /mount/x HTTP/1.1", "Host: a b", "http://localhost/mount/x"],
    ["GET /mount/x HTTP/1.1", "Host: user@evil.example", "http://evil.example/mount/x"],
    ["GET /mount/x HTTP/1.1", "Host: app.example.com/evil?", "http://app.example.com/mount/x"],
    ["GET /mount/x HTTP/1.1", "Host:", "http://localhost/mount/x"],
    ["GET /mount/x HTTP/1.0", "X-No-Host: 1", "http://localhost/mount/x"],
  ])("makes a URL of %s with %s", async (line, host, expected) => {
    await using app = await echo((router) => {
      // The path is odd on purpose: Express is not to lose it before it gets here.
      router.use((req, _res, next) => {
        if (!req.url.startsWith("/mount")) req.url = "/mount/x";
        next();
      });
    });
    const text = await sendRaw(app, line, host);
    expect(parseEcho(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).url).toBe(expected);
  });

  it("takes the protocol from a proxy only where Express trusts it", async () => {
    const headers = { "x-forwarded-proto": "https" };
    await using careless = await echo();
    expect((await post(careless, "text/plain", "", headers)).url).toMatch(/^http:/);
    await using trusting = await echo((app) => app.set("trust proxy", true));
    expect((await post(trusting, "text/plain", "", headers)).url).toMatch(/^https:/);
    expect((await post(trusting, "text/plain", "", { "x-forwarded-proto": "javascript" })).url).toMatch(/^http:/);
  });

  it("streams a body that no one has read", async () => {
    await using app = await echo();
    const { body, headers } = await post(app, "text/odd", "caf\u00e9 \u{1F511}");
    expect([body, headers["content-type"]]).toEqual(["caf\u00e9 \u{1F511}", "text/odd"]);
    expect((await post(app, "text/plain", "")).body).toBe("");
  });

  it("writes a body again that a parser has read", async () => {
    await using app = await echo((router) => {
      router.use(express.json(), express.urlencoded({ extended: true }));
      router.use(express.text(), express.raw({ type: "application/octet-stream" }));
    });
    expect((await post(app, "application/json", '{"a": [1, {"b": null}]}')).body).toBe('{"a":[1,{"b":null}]}');
    expect((await post(app, "application/json; charset=utf-8", '{"a":"\u00e9"}')).body).toBe('{"a":"\u00e9"}');
    const form = await post(app, "application/x-www-form-urlencoded", "a=1&b=x+%26y&a=2&c[d]=3&e=");
    expect(form.body).toBe("a=1&a=2&b=x+%26y&c%5Bd%5D=3&e=");
    expect(form.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect((await post(app, "text/plain", "hello")).body).toBe("hello");
    expect((await post(app, "application/octet-stream", new Uint8Array([104, 105]))).body).toBe("hi");
  });

  it("says what the body is after a parser has changed it", async () => {
    await using app = await echo((router) => router.use(express.json()));
    const packed = new Uint8Array(gzipSync('{"a": 1}'));
    const { body, headers } = await post(app, "application/json", packed, { "content-encoding": "gzip" });
    expect(body).toBe('{"a":1}');
    expect(Object.keys(headers)).not.toContain("content-encoding");
    expect(Object.keys(headers)).not.toContain("content-length");
  });

  it("sends what a parser of multipart forms has read as a form", async () => {
    await using app = await echo((router) => {
      router.use((req, _res, next) => {
        req.resume().once("end", () => {
          req.body = Object.assign(Object.create(null), { csrfToken: "t" });
          next();
        });
      });
    });
    const { body, headers } = await post(app, "multipart/form-data; boundary=x", "--x--");
    expect([body, headers["content-type"]]).toEqual(["csrfToken=t", "application/x-www-form-urlencoded"]);
  });

  it("leaves out a body that a user has read and not kept", async () => {
    await using app = await echo((router) => {
      router.use((req, _res, next) => void req.resume().once("end", next));
    });
    expect((await post(app, "text/plain", "gone")).body).toBe("");
  });

  it("stands for a TRACE by a method that a Request can have", async () => {
    await using app = await echo();
    const text = await sendRaw(app, "TRACE /mount/x HTTP/1.1", "Host: app.example.com");
    expect(parseEcho(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).method).toBe("OPTIONS");
  });

  it("is no error of the operator's when the client goes in the middle of a form", async () => {
    const log = { error: vi.fn(), warn: vi.fn(), debug: vi.fn() };
    const app = express();
    const secret = "a secret of more than thirty-two bytes for tests";
    app.use("/auth", createAuth({ providers: [], secret, logger: log }).router);
    await using running = await runApp(app);
    const socket = connect(running.port, "127.0.0.1");
    const head = "POST /auth/signout HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    socket.write(`${head}Content-Length: 100\r\n\r\nhalf`, () => setImmediate(() => socket.destroy()));
    await vi.waitFor(
      () =>
        expect(log.debug.mock.calls.flat().join()).toContain("InvalidRequest: The request body ended unexpectedly."),
      { timeout: 20_000 },
    );
    expect(log.error).not.toHaveBeenCalled();
  });

  it("lets the engine refuse a body over the limit without reading all of it", async () => {
    const app = express();
    const secret = "a secret of more than thirty-two bytes for tests";
    app.use("/auth", createAuth({ providers: [], secret, logger: { debug: () => undefined } }).router);
    await using running = await runApp(app);
    const head = "POST /auth/signout HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";
    const announced = connect(running.port, "127.0.0.1");
    announced.write(`${head}Content-Length: 9999999\r\n\r\n`);
    expect(await firstLine(announced)).toBe("HTTP/1.1 413 Payload Too Large");
    const endless = connect(running.port, "127.0.0.1");
    endless.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const fill = () => {
      while (endless.writable && endless.write(chunk));
    };
    endless.on("drain", fill);
    fill();
    expect(await firstLine(endless)).toBe("HTTP/1.1 413 Payload Too Large");
  });
});

async function firstLine(socket: Socket): Promise<string> {
  for await (const part of socket) return String(part).split("\r\n")[0] ?? "";
  return "";
}

interface Echo {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function parseEcho(value: unknown): Echo {
  const { headers, ...rest } = value as Omit<Echo, "headers"> & { headers: [string, string][] };
  return { ...rest, headers: Object.fromEntries(headers) };
}
