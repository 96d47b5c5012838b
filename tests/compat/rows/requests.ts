import { expect, vi } from "vitest";
import { type Observations, ORIGIN, oauth, password, SECRET, site } from "./library.ts";

const html = { headers: { accept: "text/html" } };

export const REQUESTS: Observations = {
  paths: async (library) => {
    const { provider } = oauth(library, {});
    const { ask } = site(library, { providers: [provider] });
    for (const [path, status] of [
      ["signin/", 200],
      ["signin//", 404],
      ["signin/op/op", 404],
      ["x/%252e%252e/session", 400],
      ["signin%5cop", 400],
    ] as const) {
      expect([path, (await ask(path)).status]).toEqual([path, status]);
    }
  },
  bodies: async (library) => {
    const { ask } = site(library);
    const send = async (body: string, type: string) =>
      (await ask("callback/credentials", { method: "POST", body, headers: { "content-type": type } })).status;
    expect(await send("text", "text/plain")).toBe(415);
    expect(await send("{", "application/json")).toBe(400);
    expect(await send(`a=${"x".repeat(65_537)}`, "application/x-www-form-urlencoded")).toBe(413);
  },
  "unknown-actions": async (library) => {
    const { ask } = site(library);
    const answer = await ask("callback/credentials");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await ask("signinn")).status).toBe(404);
  },
  head: async (library) => {
    const { ask } = site(library);
    for (const action of ["session", "providers", "signin"]) {
      const answer = await ask(action, { method: "HEAD" });
      expect([action, answer.status, await answer.text(), answer.headers.getSetCookie()]).toEqual([
        action,
        200,
        "",
        [],
      ]);
    }
  },
  "visitor-cookies": async (library) => {
    const { ask } = site(library);
    for (const action of ["session", "providers"]) expect((await ask(action)).headers.getSetCookie()).toEqual([]);
    expect((await ask("signin")).headers.getSetCookie()).not.toEqual([]);
  },
  "configuration-page": async (library) => {
    for (const given of [{ providers: [{ ...password, authorize: undefined }] }, { trustHost: false }]) {
      const { ask, logged } = site(library, { pages: { error: "/oops" }, ...given });
      const told = await ask("session");
      expect([told.status, await told.json()]).toEqual([500, { message: expect.any(String) }]);
      const shown = await ask("signin", html);
      expect([shown.status, shown.headers.get("content-type")]).toEqual([500, expect.stringContaining("text/html")]);
      expect(logged.at(-1)?.level).toBe("error");
    }
  },
  "missing-secret": async (library) => {
    const { ask } = site(library, { secret: undefined });
    expect((await ask("session")).status).toBe(200);
    // Each start warns; `Auth()` warns once for all configurations without a secret.
    const warn = vi.fn();
    library.start({ secret: undefined, providers: [], logger: { warn } });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("missing-secret"));
    vi.stubEnv("NODE_ENV", "production");
    expect(() => library.start({ secret: undefined, providers: [] })).toThrow("AUTH_SECRET");
  },
  "auth-url-invalid": (library) => {
    vi.stubEnv("AUTH_URL", "secret");
    expect(() => library.start({ providers: [] })).toThrow("AUTH_URL");
  },
  "log-lines": async (library) => {
    const { signIn, logged } = site(library);
    await signIn("wrong");
    const told = logged.filter(({ level }) => level !== "debug");
    expect(told).toEqual([{ level: "warn", text: expect.stringMatching(/^CredentialsSignin: \S.* \S/) }]);
  },
  "message-texts": async (library) => {
    const texts = { signIn: { title: "Come in" } };
    const page = await (await site(library, { texts }).ask("signin", html)).text();
    expect(page).toContain("Come in");
    expect(Reflect.get(Object(library.errors.MissingCSRF), "type") ?? "MissingCSRF").toBe("MissingCSRF");
  },
  "node-env-unset": (library) => {
    const config: { providers: []; trustHost?: boolean } = { providers: [] };
    library.setEnvDefaults({ AUTH_SECRET: "x" }, config);
    expect(config.trustHost).not.toBe(true);
  },
  "trust-host-false": (library) => {
    const config: { providers: []; trustHost?: boolean } = { providers: [] };
    library.setEnvDefaults({ AUTH_TRUST_HOST: "false", AUTH_SECRET: "x" }, config);
    expect(config.trustHost).toBe(false);
  },
  "get-providers": async (library) => {
    const list = await (await site(library).ask("providers")).json();
    expect(list).toEqual([
      expect.objectContaining({ id: "credentials", signinUrl: `${ORIGIN}/auth/signin/credentials` }),
    ]);
  },
  logos: async (library) => {
    const { provider } = oauth(library, {}, { style: { logo: "https://images.example.org/op.svg" } });
    const { ask, logged } = site(library, { providers: [provider] });
    expect(await (await ask("signin", html)).text()).not.toContain("images.example.org");
    expect(logged.map(({ text }) => text)).toContainEqual(expect.stringContaining("logo"));
  },
  "redirect-proxy": async (library) => {
    const { provider } = oauth(library, {}, { checks: ["state"] });
    const redirectProxyUrl = "https://stable.example.com/auth";
    const preview = site(library, { providers: [provider], redirectProxyUrl });
    const state = (await preview.post("signin/op")).searchParams.get("state") ?? "";
    const proxy = (given: object) =>
      library.Auth(new Request(`https://stable.example.com/auth/callback/op?code=c&state=${state}`), {
        ...{ secret: SECRET, trustHost: true, basePath: "/auth" },
        ...{ providers: [provider], redirectProxyUrl, logger: { error: () => {}, warn: () => {} }, ...given },
      });
    expect((await proxy({})).headers.get("location") ?? "").not.toContain(ORIGIN);
    const named = await proxy({ redirectProxyOrigins: [ORIGIN] });
    expect(named.headers.get("location")).toContain(`${ORIGIN}/auth/callback/op?`);
  },
};
