import type { AuthConfig } from "@cardea/core";
import { type Cookies, isHttpError, type RequestEvent } from "@sveltejs/kit";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createAuth } from "./create-auth.ts";

// SvelteKit's bundler makes these two; everything else is tested with a built application, in tests/bindings/.
vi.mock("$app/environment", () => ({ building: false }));
vi.mock("$app/paths", () => ({ resolve: (path: string) => path }));

const POLICY = { scope: "openid", prompt: "login", max_age: "300", acr_values: "mfa", hd: "corp.example" };
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const config: AuthConfig = {
  ...{ secret: "a secret of more than thirty-two bytes for tests", logger, trustHost: true },
  providers: [
    {
      ...{ id: "op", name: "OP", type: "oauth", clientId: "app", clientSecret: "s" },
      authorization: { url: "https://op.example.com/authorize", params: POLICY },
      token: "https://op.example.com/token",
      userinfo: "https://op.example.com/me",
    },
  ],
};

/** The parameters of the authorization request to which the form action redirects. */
async function signInBy(fields: readonly (readonly [string, string])[]): Promise<URLSearchParams> {
  const { signIn } = createAuth(config);
  const body = new URLSearchParams([["providerId", "op"], ...fields.map(([name, value]) => [name, value])]);
  const request = new Request("http://localhost/enter", { method: "POST", body });
  const set: Cookies["set"] = () => undefined;
  const thrown: unknown = await Promise.resolve(signIn(assumeEvent({ request, cookies: { set } }))).catch((it) => it);
  return new URL(String(Object(thrown).location)).searchParams;
}

/** A cast: of an event, the action reads these members. */
function assumeEvent(event: { request: Request; cookies: Pick<Cookies, "set"> }): RequestEvent {
  return event as RequestEvent;
}

describe("the form action signIn", () => {
  it("adds what a visitor may add to the authorization request", async () => {
    const sent = await signInBy([
      ["authorizationParams-prompt", "consent"],
      ["authorizationParams-max_age", "60"],
      ["authorizationParams-login_hint", "ann@example.com"],
    ]);
    expect(Object.fromEntries(sent)).toMatchObject({
      ...{ ...POLICY, prompt: "login consent", max_age: "60" },
      login_hint: "ann@example.com",
    });
  });

  it.each([
    [[], "http://localhost/cart", "http://localhost/cart"],
    [[], "http://localhost/auth/signin", "http://localhost"],
    [
      [
        ["redirectTo", "/one"],
        ["redirectTo", "/two"],
      ],
      "http://localhost/cart",
      "http://localhost/one",
    ],
  ] as const)("with the fields %j, sent by %s, leads to %s", async (fields, referer, expected) => {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    const request = new Request("http://localhost/enter", { method: "POST", body, headers: { referer } });
    const event = assumeEvent({ request, cookies: { set: () => undefined } });
    const thrown: unknown = await Promise.resolve(createAuth(config).signIn(event)).catch((it) => it);
    const page = new URL(String(Object(thrown).location));
    expect(page.searchParams.get("callbackUrl")).toBe(expected);
  });

  it("keeps what the configuration sets, whatever a form contains", async () => {
    const names = [
      ...Object.keys(POLICY),
      "claims",
      "ACR_VALUES",
      "acr_values[]",
      "client_id",
      "redirect_uri",
      "state",
    ];
    const field = fc.tuple(
      fc.constantFrom(...names).map((name) => `authorizationParams-${name}`),
      fc.oneof(fc.constantFrom("none", "999999999", "pwd", "evil.example", ""), fc.string()),
    );
    const plain = await signInBy([]);
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 5 }), async (fields) => {
        const sent = await signInBy(fields);
        for (const name of ["acr_values", "hd", "client_id", "redirect_uri", "response_type"])
          expect(sent.getAll(name)).toEqual(plain.getAll(name));
        expect(sent.get("prompt")?.split(" ")).toContain("login");
        expect(sent.get("prompt")).not.toContain("none");
        expect(Number(sent.get("max_age"))).toBeLessThanOrEqual(300);
        expect(sent.get("scope")?.split(" ")).toContain("openid");
        expect(sent.has("claims")).toBe(false);
      }),
    );
  });
});

describe("a form that cannot be read", () => {
  const bodies: readonly (readonly [string, string])[] = [
    ["multipart/form-data", "x"],
    ["multipart/form-data; boundary=b", "junk"],
    ["multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--"],
    ["multipart/form-data; boundary=", "--\r\n"],
    ["text/plain", "x"],
    ["application/x-sveltekit-formdata", "\0\0"],
    ["", "x"],
  ];

  it.each(bodies)("is answered with 400, not as an internal error: %s, %j", async (type, body) => {
    const { signIn, signOut } = createAuth(config);
    for (const action of [signIn, signOut]) {
      const headers = { "content-type": type };
      const request = new Request("http://localhost/enter", { method: "POST", headers, body });
      const thrown: unknown = await Promise.resolve(action(assumeEvent({ request, cookies: { set: vi.fn() } }))).catch(
        (it) => it,
      );
      expect(isHttpError(thrown, 400)).toBe(true);
    }
  });

  it.each([
    ["a body over 64 KiB", 413, `a=${"x".repeat(65_536)}`],
    ["more than 200 fields", 413, "authorizationParams-a=&".repeat(201)],
    ["an escape that is not UTF-8", 400, "a=%FF"],
  ])("has the limits of the endpoints: %s gets %i", async (_name, status, body) => {
    const { signIn, signOut } = createAuth(config);
    for (const action of [signIn, signOut]) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const request = new Request("http://localhost/enter", { method: "POST", headers, body });
      const event = assumeEvent({ request, cookies: { set: vi.fn() } });
      const thrown: unknown = await Promise.resolve(action(event)).catch((it) => it);
      expect(isHttpError(thrown, status)).toBe(true);
    }
  });

  it("is answered with 400 if the client disconnects in the middle of it, not as an internal error", async () => {
    const { signIn, signOut } = createAuth(config);
    for (const action of [signIn, signOut]) {
      const body = new ReadableStream({ start: (controller) => controller.error(new Error("aborted")) });
      const init = { method: "POST", body, duplex: "half", headers: { "content-type": "multipart/form-data" } };
      const event = assumeEvent({ request: new Request("http://localhost/enter", init), cookies: { set: vi.fn() } });
      const thrown: unknown = await Promise.resolve(action(event)).catch((it) => it);
      expect(isHttpError(thrown, 400)).toBe(true);
    }
  });

  it("keeps the error of a body that the server stopped reading", async () => {
    const { signIn } = createAuth(config);
    const tooLarge = Object.assign(new Error("too large"), { status: 413 });
    const request = new Request("http://localhost/enter", { method: "POST" });
    Object.defineProperty(request, "arrayBuffer", { value: () => Promise.reject(tooLarge) });
    await expect(signIn(assumeEvent({ request, cookies: { set: vi.fn() } }))).rejects.toBe(tooLarge);
  });
});
