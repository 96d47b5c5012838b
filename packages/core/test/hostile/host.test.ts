import { createAuth } from "@cardea/core";
import { describe, expect, it, vi } from "vitest";
import type { CaseOptions } from "../harness/fixture.ts";
import { BASE, type Case, ORIGIN, PASSWORD, setUp, takePrinted } from "../harness/harness.ts";

const EVIL = {
  host: "evil.example",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "http",
  "x-forwarded-port": "666",
  "x-forwarded-for": "6.6.6.6",
  forwarded: "host=evil.example;proto=http",
};
const ACTIONS = ["csrf", "providers", "session", "signin", "signout", "error", "callback/op?code=x&state=y"];

/** Production as it is without a word about the host. */
function inProduction(variables: Readonly<Record<string, string>> = {}): void {
  const unset = ["AUTH_URL", "NEXTAUTH_URL", "AUTH_TRUST_HOST", "VERCEL", "CF_PAGES"].map(
    (name) => [name, ""] as const,
  );
  for (const [name, value] of [...unset, ["NODE_ENV", "production"] as const, ...Object.entries(variables)]) {
    vi.stubEnv(name, value);
  }
}

function setUpWithoutTrust(options: CaseOptions = {}): Case {
  return setUp({ ...options, config: { ...options.config, trustHost: undefined } });
}

async function providerUrl(c: Case, headers: Record<string, string>, url = `${ORIGIN}${BASE}/providers`) {
  const answer = await c.send(url, { headers });
  if (answer.status !== 200) return answer.status;
  const [first]: { signinUrl: string }[] = await answer.json();
  return new URL(first?.signinUrl ?? "").origin;
}

describe("host header", () => {
  it("several hosts get 400 at every action and from the guard, also where AUTH_URL says the origin", async () => {
    vi.stubEnv("AUTH_URL", ORIGIN);
    const c = setUp();
    let asked = 0;
    const { handlers, auth } = createAuth(() => {
      asked += 1;
      return c.config;
    });
    const guard = auth(() => new Response("SECRET"));
    for (const host of [
      "app.example.com, evil.example",
      "evil.example,app.example.com",
      "app.example.com, app.example.com",
      ",",
    ]) {
      for (const action of ACTIONS) expect((await c.send(`${BASE}/${action}`, { headers: { host } })).status).toBe(400);
      for (const handler of [handlers.GET, guard]) {
        const answer = await handler(new Request(`${ORIGIN}${BASE}/session`, { headers: { host } }));
        expect([answer.status, await answer.text()]).toEqual([400, expect.not.stringContaining("SECRET")]);
      }
    }
    expect(asked).toBe(0);
    expect((await c.send(`${BASE}/session`, { headers: { "x-forwarded-host": "a.example, b.example" } })).status).toBe(
      200,
    );
  });

  it("H254 refuses every action in production while no one says that the host may be trusted", async () => {
    inProduction();
    const c = setUpWithoutTrust({ mayFail: true });
    const methods = ACTIONS.map((action) => [action, "GET"]).concat([
      ["signin/op", "POST"],
      ["signout", "POST"],
      ["session", "POST"],
      ["callback/credentials", "POST"],
    ]);
    for (const [action = "", method = ""] of methods) {
      const answer = await c.send(`${BASE}/${action}`, { method });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([500, []]);
    }
    const [atStart, ...errors] = c.logs;
    expect(atStart).toMatchObject({ level: "warn", text: expect.stringMatching(/AUTH_URL/) });
    expect(errors.map(({ level }) => level)).toEqual(methods.map(() => "error"));
    for (const { values } of errors) expect(values[0]).toMatchObject({ type: "UntrustedHost" });
    expect(errors[0]?.text).toMatch(/AUTH_URL.*AUTH_TRUST_HOST/);
  });

  it("H254 answers as for any configuration that cannot be used: a page to browsers, JSON to programs, and nothing of the host", async () => {
    inProduction();
    const c = setUpWithoutTrust({ mayFail: true });
    const headers = { host: "foreign.example", "x-forwarded-host": "foreign.example" };
    const told = await c.send(`${BASE}/session`, { headers });
    expect([told.status, await told.json()]).toEqual([500, { message: expect.any(String) }]);
    const shown = await c.send(`${BASE}/signin`, { headers: { ...headers, accept: "text/html" } });
    expect([shown.status, shown.headers.get("content-type")]).toEqual([500, expect.stringContaining("text/html")]);
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await shown.text()).not.toContain("foreign.example");
    const head = await c.send(`${BASE}/session`, { headers, method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([500, ""]);
  });

  it("H254 auth() finds no one on a host that is not trusted", async () => {
    const trusting = setUp();
    await trusting.signIn();
    const cookie = trusting.browser.cookies
      .list()
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const request = () => new Request(`${ORIGIN}/`, { headers: { cookie } });
    expect(await createAuth(trusting.config).auth(request())).toMatchObject({ user: { name: "ann" } });
    inProduction();
    const { config } = setUpWithoutTrust({ mayFail: true });
    expect(await createAuth(config).auth(request())).toBe(null);
  });

  const LOOPBACK = ["localhost", "localhost:3000", "app.localhost:80", "127.0.0.1:3000", "127.9.9.9", "[::1]:3000"];
  const OTHERS = ["app.example.com", "localhost.example", "127.0.0.1.example", "10.0.0.7:3000", "evil.example:3000"];
  const PROXY = { "x-forwarded-for": "6.6.6.6", "x-forwarded-proto": "https", forwarded: "for=6.6.6.6", via: "1.1 p" };

  it.each(["", "production", "staging", "Development"])(
    "H254 with NODE_ENV=%o only requests of this machine are answered, and none that a proxy sent",
    async (mode) => {
      inProduction({ NODE_ENV: mode });
      const ask = async (host: string, headers: Record<string, string>) => {
        const c = setUpWithoutTrust({ mayFail: true });
        return { c, answer: await providerUrl(c, { host, ...headers }, `http://127.0.0.1:3000${BASE}/providers`) };
      };
      for (const host of LOOPBACK) expect((await ask(host, {})).answer).toBe(new URL(`http://${host}`).origin);
      for (const host of OTHERS) expect((await ask(host, {})).answer).toBe(500);
      for (const [name, value] of Object.entries(PROXY)) {
        const { c, answer } = await ask("localhost:3000", { [name]: value });
        expect([name, answer]).toEqual([name, 500]);
        expect(c.logs.at(-1)?.text).toMatch(new RegExp(`${name}.*X-Forwarded-Host`, "s"));
      }
      expect((await ask("localhost:3000", { "x-forwarded-host": "evil.example" })).answer).toBe(500);
      expect((await ask("evil.example", { "x-forwarded-host": "localhost" })).answer).toBe(500);
    },
  );

  it("H254 the warning at start has the line to set", async () => {
    for (const [mode, line] of [
      ["", "NODE_ENV=development"],
      ["production", "AUTH_URL=https://"],
    ] as const) {
      inProduction({ NODE_ENV: mode });
      const c = setUpWithoutTrust();
      createAuth(c.config);
      expect(c.logs[0]?.text).toMatch(new RegExp(`untrusted-host.*${line}`, "s"));
    }
  });

  it.each([{ AUTH_TRUST_HOST: "true" }, { VERCEL: "1" }, { CF_PAGES: "1" }, { NODE_ENV: "development" }])(
    "H254 answers when the environment says so: %o",
    async (variables) => {
      inProduction(variables);
      expect(await providerUrl(setUpWithoutTrust(), {})).toBe(ORIGIN);
    },
  );

  it("H254 AUTH_TRUST_HOST=false means no, also on a platform that is trusted otherwise", async () => {
    inProduction({ VERCEL: "1", AUTH_TRUST_HOST: "false" });
    expect(await providerUrl(setUpWithoutTrust({ mayFail: true }), {})).toBe(500);
  });

  it("H255 AUTH_URL says where we are, whatever the headers say", async () => {
    vi.stubEnv("AUTH_URL", ORIGIN);
    const c = setUp();
    const elsewhere = `http://evil.example${BASE}`;
    const providers = await (await c.send(`${elsewhere}/providers`, { headers: EVIL })).text();
    expect(providers).not.toContain("evil");
    const page = await (await c.send(`${elsewhere}/signin`, { headers: EVIL })).text();
    expect(page).not.toContain("evil");
    const { token, cookie } = await csrf(c, elsewhere);
    const body = new URLSearchParams({ csrfToken: token, callbackUrl: "/dash", username: "ann", password: PASSWORD });
    const headers = { ...EVIL, cookie };
    const start = await c.send(`${elsewhere}/signin/op`, { method: "POST", headers, body });
    const authorization = new URL(start.headers.get("location") ?? "");
    expect(authorization.searchParams.get("redirect_uri")).toBe(`${ORIGIN}${BASE}/callback/op`);
    const signIn = await c.send(`${elsewhere}/callback/credentials`, { method: "POST", headers, body });
    expect(signIn.headers.get("location")).toBe(`${ORIGIN}/dash`);
  });

  it("H256 takes the first of several forwarded hosts, as contract 14 says", async () => {
    const c = setUp();
    expect(await providerUrl(c, { "x-forwarded-host": "a.example, b.example" })).toBe("https://a.example");
    expect(await providerUrl(c, { "x-forwarded-host": "a.example:8443,b.example" })).toBe("https://a.example:8443");
    expect(await providerUrl(c, { host: "c.example" })).toBe("https://c.example");
    expect(await providerUrl(c, { host: "[::1]:3000", "x-forwarded-proto": "http" })).toBe("http://[::1]:3000");
  });

  it.each([
    ...[
      "evil.example/path",
      "evil.example?x",
      "evil.example#x",
      "user@evil.example",
      "user:pw@evil.example",
      "a b",
      "",
    ],
    ...[
      "[::1",
      "evil.example:99999",
      "evil.example:",
      ":80",
      "-",
      "https://evil.example",
      "\\evil.example",
      "%65vil",
      "é",
    ],
    ..."' \" < > ; & | ^ ` { } ( ) * ! $ = + ~".split(" ").map((special) => `a${special}b.example`),
    ...["a,b", ",", ".", "..", "a..b", "1.2.3.4.5", `${"a".repeat(300)}.example`],
  ])("H256 refuses the host %j or takes it for exactly what it says", async (host) => {
    const c = setUp();
    const raw = Buffer.from(host).toString("latin1");
    for (const header of ["x-forwarded-host", "host"]) {
      const answer = await c.send(`${BASE}/providers`, { headers: { [header]: raw } });
      if (answer.status === 400) {
        expect(await answer.text()).not.toContain("evil");
        continue;
      }
      const [first]: { signinUrl: string }[] = await answer.json();
      const hostname = new URL(first?.signinUrl ?? "").host;
      expect([answer.status, hostname]).toEqual([200, host.split(",")[0]]);
    }
    expect(c.logs.every(({ level }) => level === "warn")).toBe(true);
  });

  it.each([
    ["https,http", "https://app.example.com"],
    ["HTTPS", "https://app.example.com"],
    ["http", "http://app.example.com"],
    [" https , http ", "https://app.example.com"],
    ["javascript", 400],
    ["javascript:", 400],
    ["ws", 400],
    ["wss", 400],
    ["https:", 400],
    ["", 400],
    [",https", 400],
    ["file", 400],
  ])("H257 the forwarded protocol %j leads to %j", async (protocol, expected) => {
    expect(await providerUrl(setUp(), { "x-forwarded-proto": protocol })).toBe(expected);
  });

  it("H260 a forwarded http takes no prefix from the cookies of an https application", async () => {
    vi.stubEnv("AUTH_URL", ORIGIN);
    const c = setUp();
    for (const headers of [EVIL, { "x-forwarded-proto": "http" }]) {
      const answer = await c.send(`http://app.example.com${BASE}/csrf`, { headers });
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-.*; Secure/)]);
    }
  });

  it("H260 AUTH_URL that is not valid is refused at the start", () => {
    for (const url of ["app.example.com", "ftp://app.example.com", "javascript:x", "https://"]) {
      vi.stubEnv("AUTH_URL", url);
      expect(() => createAuth(setUp().config)).toThrow("AUTH_URL");
    }
    expect(takePrinted()).toEqual([]);
  });

  it("H268 the host of one request means nothing to the next", async () => {
    const c = setUp();
    const hosts = ["a.example", "b.example", "a.example"];
    const answers = await Promise.all(hosts.map((host) => providerUrl(c, { host })));
    expect(answers).toEqual(hosts.map((host) => `https://${host}`));
    expect(await providerUrl(c, {})).toBe(ORIGIN);
  });
});

async function csrf(c: Case, base: string): Promise<{ token: string; cookie: string }> {
  const answer = await c.send(`${base}/csrf`, { headers: EVIL });
  const { csrfToken }: { csrfToken: string } = await answer.json();
  return { token: csrfToken, cookie: answer.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}
