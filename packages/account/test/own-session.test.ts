import type { AuthConfig } from "@cardea/core";
import type { Adapter } from "@cardea/core/adapters";
import { Passkey } from "@cardea/providers-webauthn";
import { sessions } from "@cardea/sessions";
import { type CreationOptions, createAuthenticator, type SoftwareAuthenticator } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { startApplication, type TestOptions } from "./open-application.ts";

type Application = ReturnType<typeof startApplication>;
type Visitor = ReturnType<Application["newBrowser"]>;

const withSessions = () => [sessions({ revocation: { every: 0.000_001 } })];

/** An application with links by e-mail and passkeys, and two browsers in which Ann has followed a link. */
async function open(options: TestOptions, extensions: AuthConfig["extensions"] = []) {
  const links: string[] = [];
  const app = startApplication({
    ...options,
    config: {
      extensions,
      experimental: { enableWebAuthn: true },
      providers: [
        {
          ...({ id: "email", name: "Email", type: "email", from: "app@example.com", maxAge: 86_400 } as const),
          sendVerificationRequest: ({ url }) => void links.push(url),
        },
        Passkey(),
      ],
    },
  });
  const [ann, other] = [app.newBrowser(), app.newBrowser()];
  for (const one of [ann, other]) await one.signInByMail(links);
  return { app, ann, other };
}

/** @param credentialId that of the new passkey. */
async function answer(
  { browser }: Visitor,
  device: SoftwareAuthenticator,
  action: "register" | "authenticate",
  credentialId?: string,
) {
  const asked = await browser.fetch(`/auth/webauthn-options/passkey?action=${action}`);
  const { options }: { options: CreationOptions } = await asked.json();
  const own = credentialId === undefined ? {} : { credentialId };
  const data = action === "register" ? await device.create(options, own) : await device.get(options);
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
  const body = JSON.stringify({ action, data, csrfToken, callbackUrl: "/" });
  const { url }: { url: string } = await (
    await browser.fetch("/auth/callback/passkey", { method: "POST", headers, body })
  ).json();
  expect(url).toBe("https://app.example.com/");
}

/** Removes Ann's passkey in a browser. */
const removePasskey = ({ memory }: Application, visitor: Visitor) =>
  visitor.post("unlink", { passkey: memory.snapshot().authenticators[0]?.credentialID ?? "" });

const areThere = (...visitors: readonly Visitor[]) =>
  Promise.all(visitors.map(async (one) => (await one.session()) !== null));

describe.each([
  ["jwt", "sessions()", withSessions],
  ["database", "sessions()", withSessions],
  ["database", "no extension that ends sessions", () => []],
] as const)("a passkey is removed (%s, %s)", (strategy, _name, extensions) => {
  it.each([
    ["whose id is short", 32],
    ["whose id is longer than that of an account", 528],
  ])("in the session in which it was added, which goes on; those that came from it end: one %s", async (_, bytes) => {
    const { app, ann, other } = await open({ strategy }, extensions());
    const device = createAuthenticator();
    await answer(ann, device, "register", Buffer.alloc(bytes, 7).toString("base64url"));
    await answer(other, device, "authenticate");
    expect(await removePasskey(app, ann)).toMatchObject({ status: 200, body: { done: "unlink" } });
    app.clock.advance({ seconds: 3 });
    expect(await areThere(ann, other)).toEqual([true, false]);
  });

  it("in a session that came from it, which ends", async () => {
    const { app, ann, other } = await open({ strategy }, extensions());
    const device = createAuthenticator();
    await answer(other, device, "register");
    await answer(ann, device, "authenticate");
    expect(await removePasskey(app, ann)).toMatchObject({ status: 401 });
    app.clock.advance({ seconds: 3 });
    expect(await areThere(ann)).toEqual([false]);
  });
});

describe("a session that goes on in the database, without an extension that ends sessions", () => {
  /** Ann removes the passkey with which she signed in elsewhere. Something happens whenever sessions are listed. */
  async function remove(meanwhile: (app: Application) => Promise<unknown>) {
    let app: Application | undefined;
    const adapt = (adapter: Adapter): Adapter => ({
      ...adapter,
      listSessionsByUserId: async (id) => {
        const rows = (await adapter.listSessionsByUserId?.(id)) ?? [];
        if (app !== undefined) await meanwhile(app);
        return rows;
      },
    });
    const opened = await open({ strategy: "database", adapt });
    const device = createAuthenticator();
    await answer(opened.other, device, "register");
    await answer(opened.other, device, "authenticate");
    app = opened.app;
    await removePasskey(app, opened.ann);
    return opened;
  }

  /** As a session is re-issued: a new record with the same name, then the former one is deleted. */
  async function renew({ memory }: Application, index: number) {
    const row = memory.snapshot().sessions[index];
    if (row === undefined) throw new Error("There is no such session.");
    await memory.adapter.createSession({ ...row, sessionToken: `renewed ${row.sessionToken}` });
    await memory.adapter.deleteSession(row.sessionToken);
  }

  it("gets a new record, so that a copy of its cookie ends", async () => {
    const before: string[] = [];
    const { app, ann, other } = await remove(async ({ memory }) =>
      before.push(...memory.snapshot().sessions.map(({ sessionToken }) => sessionToken)),
    );
    expect(await areThere(ann, other)).toEqual([true, false]);
    const { sessions: left } = app.memory.snapshot();
    expect(left).toHaveLength(1);
    expect(before).not.toContain(left[0]?.sessionToken);
  });

  it("is the only one, also if another is re-issued at the same moment", async () => {
    let isRenewed = false;
    const { app, ann } = await remove(async (application) => {
      if (!isRenewed) await renew(application, 1);
      isRenewed = true;
    });
    expect(await areThere(ann)).toEqual([true]);
    expect(app.memory.snapshot().sessions).toHaveLength(1);
  });

  it("ends with all others if they do not stop being re-issued", async () => {
    const { app } = await remove((application) => renew(application, 1));
    expect(app.memory.snapshot().sessions).toEqual([]);
  });

  it("ends if a copy of its cookie is re-issued at the same moment", async () => {
    let isRenewed = false;
    const { app } = await remove(async (application) => {
      if (!isRenewed) await renew(application, 0);
      isRenewed = true;
    });
    expect(app.memory.snapshot().sessions).toEqual([]);
  });

  it("ends with the others where the adapter cannot list them", async () => {
    const adapt = ({ listSessionsByUserId: _, ...adapter }: Adapter): Adapter => adapter;
    const { app, ann, other } = await open({ strategy: "database", adapt });
    const device = createAuthenticator();
    await answer(other, device, "register");
    await removePasskey(app, ann);
    expect(app.memory.snapshot().sessions).toEqual([]);
  });
});
