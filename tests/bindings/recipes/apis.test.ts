/** The recipes of docs/apis.md: tRPC, GraphQL and WebSocket, each with its own server. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestSession } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { dueSession, ENVIRONMENT, ORIGIN, sessionCookies } from "./recipe.ts";

for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
const { handleTrpc } = await import("./apis/trpc.ts");
const { handleGraphql } = await import("./apis/graphql.ts");
const { serveSockets } = await import("./apis/sockets.ts");

const config = { secret: ENVIRONMENT.AUTH_SECRET, providers: [] };
const signedIn = async () => (await createTestSession(config, { url: ORIGIN, user: { id: "7", name: "Ann" } })).header;

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] }));
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it.each(["auth.ts", "is-own-request.ts", "trpc.ts", "graphql.ts", "sockets.ts"])(
  "docs/apis.md shows %s",
  async (name) => {
    const page = await readFile(`${import.meta.dirname}/../../../docs/apis.md`, "utf8");
    expect(page).toContain(`// ${name}\n${await readFile(`${import.meta.dirname}/apis/${name}`, "utf8")}`);
  },
);

const JSON_TYPE = { "content-type": "application/json" };
const apis = [
  {
    name: "handleTrpc()",
    handle: handleTrpc,
    query: "/trpc/name",
    mutation: { path: "/trpc/save", body: "" },
  },
  {
    name: "handleGraphql()",
    handle: handleGraphql,
    query: `/graphql?query=${encodeURIComponent("{ name }")}`,
    mutation: { path: "/graphql", body: JSON.stringify({ query: "mutation { save }" }) },
  },
];

describe.each(apis)("$name", ({ handle, query, mutation }) => {
  const read = (cookie: string) => handle(new Request(`${ORIGIN}${query}`, { headers: { cookie } }));
  const change = (headers: Readonly<Record<string, string>>) =>
    handle(
      new Request(`${ORIGIN}${mutation.path}`, {
        ...{ method: "POST", body: mutation.body },
        headers: { ...JSON_TYPE, ...headers },
      }),
    );

  it("answers 401 to visitors, and shows nothing", async () => {
    const answer = await read("");
    expect([answer.status, (await answer.text()).includes("Ann")]).toEqual([401, false]);
  });

  it("knows the user, and renews the session in the response", async () => {
    const answer = await read(await dueSession((time) => vi.setSystemTime(time)));
    expect([answer.status, await answer.text(), sessionCookies(answer)]).toEqual([
      200,
      expect.stringContaining("Ann"),
      ["renewed"],
    ]);
  });

  it("changes something only for pages of its own origin", async () => {
    const cookie = await signedIn();
    const statuses = [];
    for (const site of ["same-origin", "same-site", "cross-site", "none"])
      statuses.push((await change({ cookie, "sec-fetch-site": site })).status);
    for (const origin of [ORIGIN, "https://evil.localhost", "null"])
      statuses.push((await change({ cookie, origin })).status);
    statuses.push((await change({ cookie })).status);
    expect(statuses).toEqual([200, 403, 403, 403, 200, 403, 403, 403]);
  });
});

describe("serveSockets()", () => {
  const server = createServer();
  beforeAll(async () => {
    serveSockets(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void server.close());

  function connect(headers: Readonly<Record<string, string>>) {
    const { port } = server.address() as AddressInfo;
    const client = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: "localhost:3000", ...headers } });
    const outcome = new Promise((resolve) => {
      client.once("open", () => resolve("open"));
      client.once("unexpected-response", (_request, { statusCode }) => resolve(statusCode));
      client.once("error", () => undefined);
    });
    return { client, outcome };
  }

  it("opens connections of signed-in users from its own pages only", async () => {
    const cookie = await signedIn();
    const all = [
      { cookie, origin: ORIGIN },
      { cookie, origin: "https://evil.localhost" },
      { cookie },
      { origin: ORIGIN },
    ];
    const outcomes = [];
    for (const headers of all) {
      const { client, outcome } = connect(headers);
      outcomes.push(await outcome);
      client.terminate();
    }
    expect(outcomes).toEqual(["open", 401, 401, 401]);
  });

  it("closes a connection when its session has ended", async () => {
    const { client, outcome } = connect({ cookie: await signedIn(), origin: ORIGIN });
    await outcome;
    const closed = new Promise((resolve) => client.once("close", resolve));
    const answered = new Promise((resolve) => client.once("message", (text) => resolve(String(text))));
    vi.advanceTimersByTime(30_000);
    client.send("hello");
    expect(await answered).toBe("Ann: hello");
    vi.setSystemTime(Date.now() + 40 * 24 * 60 * 60 * 1000);
    vi.advanceTimersByTime(30_000);
    expect(await closed).toBe(4401);
  });
});
