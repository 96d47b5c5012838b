/** Options write nothing, and a challenge is single use all the same: in one process, in several, and in stores that overwrite. */

import type { Adapter } from "@cardea/core/adapters";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, cookieHeader, installClock, ORIGIN, recordOf } from "../../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../../../core/test/harness/passkey-app.ts";

const rows = (app: PasskeyCase) => app.memory.snapshot().verificationTokens;

/** A store of keys and values: a second row with the same key takes the place of the first. */
function overwriting(memory: MemoryAdapter): Adapter {
  const createVerificationToken: Adapter["createVerificationToken"] = async (token) => {
    await memory.adapter.useVerificationToken?.(token);
    return memory.adapter.createVerificationToken?.(token);
  };
  return { ...memory.adapter, createVerificationToken };
}

/** One answer with the cookies of its ceremony, to be sent to any process. */
async function prepare(app: PasskeyCase) {
  await app.register();
  await app.signOut();
  const data = await app.authenticator.get(await app.options("action=authenticate"));
  const csrfToken = await app.csrfToken();
  const headers = { cookie: cookieHeader(app.browser), "content-type": "application/json" };
  const body = JSON.stringify({ action: "authenticate", data, csrfToken });
  return (process: PasskeyCase) => process.send(`${BASE}/callback/passkey`, { method: "POST", headers, body });
}

describe.each([
  ["a database", (memory: MemoryAdapter) => memory.adapter],
  ["a store that overwrites", overwriting],
])("the challenge of a passkey, with %s", (_, adapterOf) => {
  const start = (memory: MemoryAdapter) =>
    setUpPasskeys({
      memory,
      mayFail: true,
      config: { adapter: adapterOf(memory), experimental: { enableWebAuthn: true } },
    });

  it("leaves no row behind when options are asked for and not answered", async () => {
    const app = start(createMemoryAdapter());
    for (let n = 0; n < 20; n++) await app.ask("action=authenticate");
    for (let n = 0; n < 10; n++) await app.ask(`action=register&email=a${n}@example.com`);
    for (let n = 0; n < 10; n++) await app.ask(`action=authenticate&email=a${n}@example.com`, "webauthn");
    expect(rows(app)).toEqual([]);
  });

  it("works once across processes", async () => {
    const memory = createMemoryAdapter();
    const [first, second] = [start(memory), start(memory)];
    const send = await prepare(first);
    expect((await send(first)).headers.get("location")).toBe(ORIGIN);
    const sessions = memory.snapshot().sessions.length;
    for (const process of [second, first, second]) {
      const answer = await send(process);
      expect(answer.headers.get("location")).toContain("error=");
      expect(
        recordOf(answer)
          .logs.map(({ text }) => text)
          .join(),
      ).toContain(`"check":"replay"`);
    }
    expect(memory.snapshot().sessions).toHaveLength(sessions);
  });

  it("leaves its row until it could no longer be answered, and deletes it then", async () => {
    const clock = installClock();
    const app = start(createMemoryAdapter());
    await app.register();
    await app.signOut();
    expect(rows(app)).toHaveLength(1);
    clock.advance({ minutes: 16 });
    await app.authenticate();
    await app.signOut();
    expect(rows(app)).toHaveLength(2);
    clock.advance({ minutes: 30 });
    await app.authenticate();
    expect(rows(app)).toHaveLength(1);
  });

  it("says that the database fails, and not that the challenge was used, when it fails", async () => {
    const memory = createMemoryAdapter();
    const send = await prepare(start(memory));
    const createVerificationToken = () => Promise.reject(new Error("the database is away"));
    const adapter = { ...adapterOf(memory), createVerificationToken };
    const away = setUpPasskeys({
      memory,
      mayFail: true,
      config: { adapter, experimental: { enableWebAuthn: true } },
    });
    const logged = recordOf(await send(away))
      .logs.map(({ text }) => text)
      .join();
    expect(logged).toContain("The adapter method `createVerificationToken` failed");
    expect(logged).not.toContain("replay");
    expect(memory.snapshot().sessions).toEqual([]);
  });
});

describe("what is typed", () => {
  it.each([
    ["a NUL in a name", "email=ann@example.com&name=A%00nn"],
    ["a line break in a name", "email=ann@example.com&name=A%0d%0ann"],
    ["a change of direction", "email=ann@example.com&name=%E2%80%AEnna"],
    ["a control character in a field's name", "email=ann@example.com&na%07me=Ann"],
    ["a NUL in the address", "email=ann%00@example.com"],
    ["an invisible character in the address", "email=an%E2%80%8Bn@example.com"],
    ["a domain without a dot", "email=ann@localhost"],
  ])("is refused with %s", async (_, query) => {
    const app = setUpPasskeys();
    for (const action of ["register", "authenticate"]) {
      const answer = await app.ask(`action=${action}&${query}`);
      expect([answer.status, app.memory.calls]).toEqual([400, []]);
    }
  });
});
