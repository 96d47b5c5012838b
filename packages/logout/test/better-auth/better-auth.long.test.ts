// better-auth's provider as a sender of logout tokens that others wrote. It is installed from the registry, so that this is of the long form.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logout } from "../../src/index.ts";

/** As the newest release of the plugin asks for. */
const PACKAGES = [
  ...["better-auth@1.7.5", "@better-auth/oauth-provider@1.7.5", "@better-auth/core@1.7.5", "@better-auth/utils@0.4.2"],
  ...["@better-fetch/fetch@1.3.2", "better-call@1.4.0"],
];
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** A server of the application that only receives logout tokens; the application behind it is set later. */
async function startReceiver() {
  let handle = async (_: Request) => new Response(null, { status: 503 });
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = { "content-type": String(request.headers["content-type"]) };
    const answer = await handle(
      new Request(`${url}${request.url}`, { method: "POST", headers, body: Buffer.concat(parts) }),
    );
    statuses.push(answer.status);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A server on a port has an address with that port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closing.push(() => server.close());
  return {
    url,
    statuses,
    receive: (next: typeof handle) => {
      handle = next;
    },
  };
}

interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Installs better-auth in a folder of its own. */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), "cardea-better-auth-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const npm = ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--loglevel=error", ...PACKAGES];
  const { status, stderr } = spawnSync("npm", npm, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`better-auth could not be installed: ${stderr}`);
  return folder;
}

/** Starts the provider in that folder. */
async function startProvider(origin: string, folder: string): Promise<Provider> {
  const uris = { redirectUri: `${origin}/auth/callback/op`, logoutUri: `${origin}/auth/backchannel/op` };
  const program = fileURLToPath(new URL("provider.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(uris)], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  closing.push(() => child.kill("SIGKILL"));
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error("The provider ended."))),
  ]);
  return JSON.parse(String(line));
}

/** A browser of a user who signed in at the provider, and with it here. What the provider sets as cookies is kept beside it. */
async function openDevice(
  { issuer }: Provider,
  { origin, handler }: { readonly origin: string; readonly handler: (request: Request) => Promise<Response> },
  way: string,
  person: object,
) {
  const browser = createBrowser(handler, { origin });
  let cookie = "";
  const atProvider = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", origin: issuer, cookie };
    const answer = await fetch(`${issuer}/api/auth/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    return answer;
  };
  expect((await atProvider(way, person)).status).toBe(200);
  const begun = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op" });
  // To a script, the provider says in JSON where a browser would go.
  const { url } = await (await fetch(begun.redirectsTo ?? "", { headers: { cookie } })).json();
  await browser.navigate(url, { initiator: issuer });
  return { browser, atProvider };
}

describe("logout() with better-auth's provider", () => {
  let folder = "";
  beforeAll(() => {
    folder = install();
  });

  it.each(["jwt", "database"] as const)(
    "ends the session of one device on both servers, and no other (%s)",
    async (strategy) => {
      const receiver = await startReceiver();
      const provider = await startProvider(receiver.url, folder);
      const { store: own, ...adapter } = createMemoryAdapter().adapter;
      const store = memoryStore();
      const createServerOf = () =>
        createAuth({
          ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, store, adapter },
          session: { strategy },
          logger: { error: () => {}, warn: (message) => void warnings.push(message) },
          providers: [
            {
              ...{ id: "op", name: "Provider", type: "oidc", ...provider },
              client: { id_token_signed_response_alg: "ES256" },
              authorization: { params: { scope: "openid profile email offline_access" } },
            },
          ],
          extensions: [sessions({ revocation: { check: "each" } }), logout({ backchannel: true })],
        });
      const warnings: string[] = [];
      const [one, two] = [createServerOf(), createServerOf()];
      receiver.receive(one.handlers.POST);
      const person = { name: "Ann", email: "ann@example.com", password: "a password of Ann" };
      const [laptop, phone] = [
        await openDevice(provider, { origin: receiver.url, handler: one.handlers.GET }, "sign-up/email", person),
        await openDevice(provider, { origin: receiver.url, handler: one.handlers.GET }, "sign-in/email", person),
      ];
      const isSignedIn = (device: typeof laptop) => {
        const cookie = device.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
        const request = new Request(`${receiver.url}/auth/session`, { headers: { cookie: cookie.join("; ") } });
        return Promise.all([one, two].map(async (server) => (await server.auth(request)) !== null));
      };
      expect([await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([
        [true, true],
        [true, true],
      ]);
      expect((await laptop.atProvider("sign-out", {})).status).toBe(200);
      await expect.poll(() => receiver.statuses).toEqual([200]);
      expect([await isSignedIn(laptop), await isSignedIn(phone), warnings]).toEqual([[false, false], [true, true], []]);
    },
  );
});
