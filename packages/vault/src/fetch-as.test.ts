// Calls over real connections: one API that the tokens are for, and one that they are not for.
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuth } from "@cardea/core";
import { customFetch } from "@cardea/core/providers";
import { createMemoryAdapter } from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";
import { fetchAs, vault } from "./index.ts";

const HOUR = 3600;
const running: Server[] = [];

interface Call {
  readonly path: string;
  readonly method: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A server of this machine, and what it was asked. */
async function listen(answer: RequestListener): Promise<{ readonly origin: string; readonly calls: Call[] }> {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = "", method = "", headers } = request;
    calls.push({ path, method, authorization: headers.authorization, body: await textOf(request) });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(server);
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, calls };
}

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A user with one account, whose provider answers refreshes with `next`. */
async function setUp(apis: readonly string[], { first = "first", next = "second", refresh = "r1" } = {}) {
  const { adapter } = createMemoryAdapter();
  const refreshed: string[] = [];
  const auth = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, adapter },
    logger: { error: () => {}, warn: () => {} },
    providers: [
      {
        ...{ id: "op", name: "Provider", type: "oauth", clientId: "cid", clientSecret: "csecret" },
        ...{ authorization: "https://op.example.com/authorize", token: "https://op.example.com/token" },
        ...{ userinfo: "https://op.example.com/me", profile: () => ({ id: "1" }) },
        async [customFetch](_url, init) {
          refreshed.push(new URLSearchParams(String(init?.body)).get("refresh_token") ?? "");
          return Response.json({ access_token: next, token_type: "bearer", expires_in: HOUR });
        },
      },
    ],
    extensions: [vault({ providers: { op: { apis } } })],
  });
  const { id: userId } = await adapter.createUser({ id: "", email: "ann@example.com", emailVerified: null });
  const account = { userId, type: "oauth", provider: "op", providerAccountId: "1" } as const;
  const tokens = { access_token: first, expires_at: Math.floor(Date.now() / 1000) + HOUR };
  await adapter.linkAccount({ ...account, ...tokens, ...(refresh === "" ? {} : { refresh_token: refresh }) });
  return { call: fetchAs(auth, "op", { userId }), refreshed };
}

const sent = ({ calls }: { readonly calls: readonly Call[] }) => calls.map(({ authorization }) => authorization);

describe("fetchAs() to an allowed origin", () => {
  it("sends the token, over one that the caller names, and what the caller sends", async () => {
    const api = await listen((_request, response) => response.end("hello"));
    const { call, refreshed } = await setUp([api.origin]);
    const headers = { authorization: "Bearer other", "x-own": "1" };
    const answer = await call(`${api.origin}/a?b=c`, { method: "POST", body: "text", headers });
    expect(await answer.text()).toBe("hello");
    expect(api.calls).toEqual([{ path: "/a?b=c", method: "POST", authorization: "Bearer first", body: "text" }]);
    expect(refreshed).toEqual([]);
  });

  it("follows redirects of a GET within the allowed origins, up to five", async () => {
    const other = await listen((_request, response) => response.end("there"));
    const api = await listen(({ url = "" }, response) => {
      const n = Number(url.slice(1));
      response.writeHead(302, { location: n < 4 ? `/${n + 1}` : `${other.origin}/end` }).end();
    });
    const { call } = await setUp([api.origin, other.origin]);
    expect(await (await call(`${api.origin}/0`)).text()).toBe("there");
    expect(sent(other)).toEqual(["Bearer first"]);
    const endless = await listen((_request, response) => response.writeHead(307, { location: "/" }).end());
    const second = await setUp([endless.origin]);
    await expect(second.call(endless.origin)).rejects.toThrow("redirects");
    expect(endless.calls).toHaveLength(6);
  });

  it("takes a backslash as the beginning of the path", async () => {
    const api = await listen((_request, response) => response.end());
    const { call } = await setUp([api.origin]);
    await call(`${api.origin}\\@evil.example.com`);
    expect(api.calls.map(({ path }) => path)).toEqual(["/@evil.example.com"]);
  });

  it("hands a redirect of a POST to the caller", async () => {
    const api = await listen((_request, response) => response.writeHead(307, { location: "/elsewhere" }).end());
    const { call } = await setUp([api.origin]);
    expect((await call(api.origin, { method: "post", body: "a" })).status).toBe(307);
    expect(api.calls).toHaveLength(1);
  });
});

describe("fetchAs() and redirects off the allowed origins", () => {
  const places: readonly (readonly [string, (origin: string, evil: string) => string])[] = [
    ["another origin", (_origin, evil) => `${evil}/`],
    ["another origin without a scheme", (_origin, evil) => evil.replace("http:", "")],
    ["another origin behind backslashes", (_origin, evil) => evil.replace("http://", "\\\\")],
    ["the origin as user name of another", (origin, evil) => `${origin}@${evil.slice("http://".length)}/`],
    ["the origin with a user name", (origin) => origin.replace("//", "//user@")],
    ["the same port of another name", (origin) => origin.replace("127.0.0.1", "localhost")],
    ["a file", () => "file:///etc/passwd"],
    ["a text", () => "data:text/plain,hello"],
    ["a blob of the origin", (origin) => `blob:${origin}/1`],
    ["what is not a URL", () => "http://["],
  ];

  it.each(places)("sends no token to %s", async (_name, placeOf) => {
    const evil = await listen((_request, response) => response.end());
    const api = await listen((_request, response) => {
      response.writeHead(302, { location: placeOf(api.origin, evil.origin) }).end();
    });
    const { call } = await setUp([api.origin]);
    await expect(call(api.origin)).rejects.toThrow(TypeError);
    expect([evil.calls.length, api.calls.length]).toEqual([0, 1]);
  });
});

describe("fetchAs() to other places", () => {
  it.each([
    "https://api.example.com./",
    "https://api.example.com:8443/",
    "https://evil.example.com\\@api.example.com/",
    "https://:secret@api.example.com/",
    "http://api.example.com:443/",
    "ftp://api.example.com/",
    "blob:https://api.example.com/1",
    "//api.example.com/",
    "/path",
    "",
  ])("reads and sends no token for %j", async (url) => {
    const { call, refreshed } = await setUp(["https://api.example.com"]);
    const error: unknown = await call(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/not sent to|Invalid URL/);
    expect(refreshed).toEqual([]);
  });

  it("sends none where the provider names no origins", async () => {
    const api = await listen((_request, response) => response.end());
    const { call } = await setUp([]);
    await expect(call(api.origin)).rejects.toThrow("apis");
    expect(api.calls).toEqual([]);
  });
});

describe("fetchAs() after a 401", () => {
  const refusing = (token: string) =>
    listen(({ headers }, response) => {
      response.writeHead(headers.authorization === `Bearer ${token}` ? 401 : 200).end();
    });

  it("refreshes the token and asks once more, with the same body", async () => {
    const api = await refusing("first");
    const { call, refreshed } = await setUp([api.origin]);
    expect((await call(`${api.origin}/x`, { method: "PUT", body: new URLSearchParams({ a: "1" }) })).status).toBe(200);
    expect(api.calls.map(({ authorization, body }) => [authorization, body])).toEqual([
      ["Bearer first", "a=1"],
      ["Bearer second", "a=1"],
    ]);
    expect(refreshed).toEqual(["r1"]);
  });

  it("gives a second 401 to the caller", async () => {
    const api = await listen((_request, response) => response.writeHead(401).end());
    const { call, refreshed } = await setUp([api.origin]);
    expect((await call(api.origin)).status).toBe(401);
    expect([sent(api), refreshed]).toEqual([["Bearer first", "Bearer second"], ["r1"]]);
  });

  it("refreshes once for many calls", async () => {
    const api = await refusing("first");
    const { call, refreshed } = await setUp([api.origin]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(api.origin)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(refreshed).toEqual(["r1"]);
  });

  it("asks for consent again where there is nothing to refresh with", async () => {
    const api = await refusing("first");
    const { call } = await setUp([api.origin], { refresh: "" });
    await expect(call(api.origin)).rejects.toMatchObject({ name: "ReauthRequired", cause: "missing" });
    expect(api.calls).toHaveLength(1);
  });

  it.each([
    ["a stream", () => new Blob(["once"]).stream()],
    [
      "a generator",
      async function* () {
        yield Buffer.from("once");
      },
    ],
  ])("does not send %s again, which is over", async (_name, bodyOf) => {
    const api = await refusing("first");
    const { call, refreshed } = await setUp([api.origin]);
    const body = bodyOf();
    // Node.js takes generators as well, which the type does not say.
    const init: RequestInit = { method: "POST" };
    Reflect.set(init, "body", body);
    Reflect.set(init, "duplex", "half");
    expect((await call(api.origin, init)).status).toBe(401);
    expect(api.calls.map((one) => one.body)).toEqual(["once"]);
    expect(refreshed).toEqual([]);
  });
});

it("names no token in the error for one that no header can carry", async () => {
  const api = await listen((_request, response) => response.end());
  const { call } = await setUp([api.origin], { first: "secret-of-ann\nx: y" });
  const error: unknown = await call(api.origin).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).not.toContain("secret-of-ann");
  expect(api.calls).toEqual([]);
});
