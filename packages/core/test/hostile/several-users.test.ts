/** A request with sessions of two users changes neither (docs/behaviour.md#cookies, rule 6), with and without extensions. */

import { createAuth } from "@cardea/core";
import { customFetch } from "@cardea/core/providers";
import { defineExtension } from "@cardea/extend";
import { Passkey } from "@cardea/providers-webauthn";
import { createAuthenticator, createBrowser, createMemoryAdapter, createScriptedProvider } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { ORIGIN, SECRET } from "../harness/harness.ts";

const userOf = (id: string) => ({ id, name: id, email: `${id}@example.com`, emailVerified: new Date(0), image: null });

/** An application, and a browser in which `eve` is signed in, and into which someone planted the session of `vic`. */
async function setUp(strategy: "jwt" | "database", hasExtensions: boolean) {
  const op = createScriptedProvider();
  const { adapter, snapshot } = createMemoryAdapter({ keepIds: true, seed: { users: [userOf("eve"), userOf("vic")] } });
  const warnings: string[] = [];
  const { handlers } = createAuth({
    ...{ secret: SECRET, trustHost: true, adapter, session: { strategy, updateAge: 0 } },
    experimental: { enableWebAuthn: true },
    logger: { error: () => undefined, warn: (line) => void warnings.push(String(line)), debug: () => undefined },
    extensions: hasExtensions ? [defineExtension({ id: "watch", mayChange: () => true })] : [],
    providers: [
      Passkey(),
      {
        ...{ id: "name", name: "Name", type: "credentials", credentials: { name: {} } },
        authorize: ({ name }) => userOf(String(name)),
      },
      { id: "op", name: "OP", type: "oidc", ...op, [customFetch]: op.fetch },
    ],
  });
  let planted = "";
  const handle = (request: Request) => {
    const headers = new Headers(request.headers);
    if (planted !== "") headers.set("cookie", [headers.get("cookie"), planted].filter(Boolean).join("; "));
    const { method } = request;
    const sent = new Request(request, { headers });
    return method === "POST" ? handlers.POST(sent) : handlers.GET(sent);
  };
  const open = async (name: string) => {
    const browser = createBrowser(handle, { origin: ORIGIN, routes: { [op.issuer]: op.handler } });
    const get = async (path: string) => (await browser.fetch(`/auth/${path}`)).json();
    const post = async (path: string, form: object) =>
      browser.navigate(`/auth/${path}`, { follow: "all", form: { csrfToken: (await get("csrf")).csrfToken, ...form } });
    await post("callback/name", { name });
    return { browser, get, post };
  };
  const vic = await open("vic");
  const eve = await open("eve");
  const plant = () => {
    const session = vic.browser.cookies.list().find(({ name }) => name.endsWith("session-token"));
    planted = `${session?.name}=${session?.value}`;
  };
  return { eve, plant, op, snapshot, warnings };
}

describe.each([
  ["jwt", false],
  ["jwt", true],
  ["database", false],
  ["database", true],
] as const)("sessions of two users, strategy %s, with extensions: %s", (strategy, hasExtensions) => {
  const cases = [false, true].map((isPlanted) => ({ isPlanted }));

  it.each(cases)("an account is added to the only user: $isPlanted", async ({ isPlanted }) => {
    const { eve, plant, op, snapshot, warnings } = await setUp(strategy, hasExtensions);
    op.user = { ...op.user, sub: "other", email: "other@example.com" };
    if (isPlanted) plant();
    await eve.post("signin/op", { callbackUrl: "/" });
    const [account] = snapshot().accounts;
    expect(account?.userId === "eve").toBe(!isPlanted);
    expect(account?.userId).not.toBe("vic");
    expect(warnings.some((line) => line.startsWith("several-sessions"))).toBe(isPlanted);
  });

  it.each(cases)("a passkey is added to the only user: $isPlanted", async ({ isPlanted }) => {
    const { eve, plant, snapshot } = await setUp(strategy, hasExtensions);
    const { options } = await eve.get("webauthn-options/passkey?action=register");
    const data = JSON.stringify(await createAuthenticator().create(options));
    if (isPlanted) plant();
    await eve.post("callback/passkey", { action: "register", data });
    expect(snapshot().authenticators.map(({ userId }) => userId)).toEqual(isPlanted ? [] : ["eve"]);
    if (isPlanted) expect((await eve.get("webauthn-options/passkey?action=register")).options).toBeUndefined();
  });

  it.each(cases)("the session of the only user is updated: $isPlanted", async ({ isPlanted }) => {
    const { eve, plant } = await setUp(strategy, hasExtensions);
    if (isPlanted) plant();
    const updated = await eve.post("session", { data: "{}" });
    const eves = { user: { name: "eve" } };
    if (isPlanted) expect(await updated.json()).toBeNull();
    else expect(await updated.json()).toMatchObject(eves);
    expect(await eve.get("session")).toMatchObject(eves);
  });
});
