import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createAuth } from "@cardea/core";
import { SessionUnavailable } from "@cardea/core/errors";
import { describe, expect, it, vi } from "vitest";
import { bindingConfig } from "./binding-application.ts";
import { type BindingUnderTest, bindingContract, bindingJourneys, type RunningBinding } from "./binding-contract.ts";

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** What an adapter can get wrong. */
type Fault = "joins cookies" | "no guard" | "guards a prefix" | "buffers" | "outage is a visitor" | "renews nothing";

/** An application on the Fetch API alone, that has these faults. */
function createApplication(env: Readonly<Record<string, string>>, faults: ReadonlySet<Fault>) {
  const { handlers, auth, signIn, signOut } = createAuth({ ...bindingConfig(env), logger });
  let runs = 0;
  const members = async (request: Request) => {
    runs += 1;
    return new Response(`SECRET of ${(await auth(request))?.user?.name}`);
  };
  const session = async (request: Request) => {
    const read = faults.has("outage is a visitor") ? auth(request).catch(() => null) : auth(request);
    return Response.json(await read);
  };
  const enter = async (request: Request) =>
    signIn(request, "credentials", await request.formData()).catch(() => new Response(null, { status: 401 }));
  const guarded = faults.has("renews nothing") ? members : auth(members);
  return async (request: Request): Promise<Response> => {
    const path = decodeURI(new URL(request.url).pathname.replaceAll("%25", "%2525"));
    if (path.startsWith("/auth/")) return handlers.GET(request);
    if (/^\/members(?:\/|$)/.test(path)) {
      if (faults.has("no guard")) return members(request);
      if (!faults.has("guards a prefix")) return guarded(request);
      return request.url.includes("/members") ? guarded(request) : members(request);
    }
    if (path === "/session") return session(request);
    if (path === "/ran") return Response.json(runs);
    if (path === "/open") return new Response("open");
    if (path === "/stream") return auth(stream)(request);
    if (path === "/enter" && request.method === "POST") return enter(request);
    if (path === "/leave" && request.method === "POST") return signOut(request, { redirectTo: "/session" });
    return new Response(null, { status: 404 });
  };
}

function stream(): Response {
  const parts = ["first\n", "last\n"].map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve));
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
  const response = new Response(body);
  for (const line of ["theirs=1", "other=2"]) response.headers.append("set-cookie", line);
  return response;
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  faults: ReadonlySet<Fault>,
): Promise<void> {
  const { method = "GET", url = "/" } = incoming;
  // As fetch-style servers do: an absolute form is a URL by itself.
  const target = url.startsWith("/") ? `http://${incoming.headers.host}${url}` : url;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {};
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const response = await handle(new Request(target, { method, headers, ...body }));
  for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
  const lines = response.headers.getSetCookie();
  if (lines.length > 0) outgoing.setHeader("set-cookie", faults.has("joins cookies") ? lines.join(", ") : lines);
  outgoing.writeHead(response.status);
  if (faults.has("buffers")) outgoing.write(await response.text());
  else for await (const part of readParts(response)) outgoing.write(part);
  outgoing.end();
}

async function* readParts({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) yield part.value;
}

const start =
  (faults: ReadonlySet<Fault>): BindingUnderTest["start"] =>
  async (env): Promise<RunningBinding> => {
    // The application is in this process, and reads AUTH_URL from its environment when it is configured.
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const handle = createApplication(env, faults);
    vi.unstubAllEnvs();
    const server = createServer((incoming, outgoing) => {
      answer(handle, incoming, outgoing, faults).catch((error) => {
        outgoing.writeHead(error instanceof SessionUnavailable ? 503 : 400).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      origin: `http://localhost:${(server.address() as AddressInfo).port}`,
      output: () => "",
      stop: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  };

const lacks = { loader: "the Fetch API has no loaders" };

/** Runs the contract in a test framework of a few lines; resolves to the names of the journeys that failed. */
async function failures(
  faults: readonly Fault[],
  isMeant: (name: string) => boolean = () => true,
): Promise<{ failed: string[]; count: number }> {
  const bodies: [string, (...context: unknown[]) => Promise<void>][] = [];
  const endings: (() => unknown)[] = [];
  bindingContract(
    {
      expect,
      describe: (_name, body) => body(),
      it: (name, body) => bodies.push([name, body]),
      afterAll: (body) => endings.push(body),
    },
    { start: start(new Set(faults)), lacks },
  );
  const failed: string[] = [];
  for (const [name, body] of bodies.filter(([journey]) => isMeant(journey)))
    await body().catch(() => failed.push(name));
  for (const end of endings) await end();
  return { failed, count: bodies.length };
}

describe("bindingContract()", () => {
  it("holds for an application on the Fetch API, and leaves out what it lacks", async () => {
    const { failed, count } = await failures([]);
    expect(failed).toEqual([]);
    expect(count).toBe(Object.values(bindingJourneys).flat().length - 1);
  });

  it.each([
    ["joins cookies", ["sets several cookies as several headers", "the application's own cookies are kept"]],
    [
      "no guard",
      ["scripts of visitors get 401", "visitors are redirected", "agree on the path: dot segments", "no method gets"],
    ],
    ["guards a prefix", ["the guard and the router agree on the path: encoded letters and case"]],
    ["buffers", ["a streamed response is sent in parts"]],
    ["outage is a visitor", ["outage: a handler that reads the session"]],
    ["renews nothing", ["a read renews the session once", "visitors are redirected"]],
  ] satisfies [Fault, string[]][])("fails for one that %s", async (fault, expected) => {
    const isMeant = (name: string) => expected.some((part) => name.includes(part));
    const { failed } = await failures([fault], (name) => isMeant(name) || name.startsWith("shows the sign-in page"));
    expect(failed.filter(isMeant)).toHaveLength(expected.length);
    expect(failed).toHaveLength(expected.length);
  });
});
