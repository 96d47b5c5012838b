/** The limit of mails: counted for each mailbox, whatever the configuration is made of. */

import { Auth, createAuth } from "@cardea/core";
import type { EmailRateLimit } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, ORIGIN, SECRET } from "../harness/harness.ts";

/** An application that is configured again, adapter and provider included, for every request. */
function setUpLazy(rateLimit?: EmailRateLimit) {
  const { configure, mails } = makeConfigure(rateLimit);
  const { handlers, signIn } = createAuth(configure);
  return { mails, ask: asker(handlers.GET), signIn };
}

function asker(serve: (request: Request) => Promise<Response>) {
  const browser = createBrowser(serve, { origin: ORIGIN });
  return async (email: string) => {
    const { csrfToken } = await (await browser.fetch(`${BASE}/csrf`)).json();
    return (await browser.navigate(`${BASE}/signin/email`, { form: { csrfToken, email } })).redirectsTo;
  };
}

function makeConfigure(rateLimit?: EmailRateLimit, secret: string | string[] = SECRET) {
  const mails: string[] = [];
  const configure = (): AuthConfig => ({
    secret,
    trustHost: true,
    adapter: createMemoryAdapter().adapter,
    logger: { error: () => undefined, warn: () => undefined },
    basePath: BASE,
    providers: [
      {
        id: "email",
        name: "E-mail",
        type: "email",
        sendVerificationRequest: ({ identifier }) => void mails.push(identifier),
        ...(rateLimit === undefined ? {} : { rateLimit }),
      },
    ],
  });
  return { configure, mails };
}

describe("the limit of mails", () => {
  it("is not switched off by a configuration function that makes its adapter for each request", async () => {
    const { mails, ask, signIn } = setUpLazy();
    const answers: unknown[] = [];
    for (let n = 0; n < 8; n++) answers.push(await ask("target@limits.io"));
    for (let n = 0; n < 4; n++) await signIn(new Request(`${ORIGIN}/`), "email", { email: "target@limits.io" });
    expect([mails.length, new Set(answers).size]).toEqual([5, 1]);
  });

  it.each([
    // Secrets of no other test: applications with a common secret are one.
    ["a secret", "the secret of an application that is limited"],
    [
      "secrets",
      ["the new secret of an application that is limited", "the old secret of an application that is limited"],
    ],
  ])("is not switched off by Auth() with a configuration made for each request, with %s", async (_, secret) => {
    const { configure, mails } = makeConfigure(undefined, secret);
    const ask = asker((request) => Auth(request, configure()));
    const answers: unknown[] = [];
    for (let n = 0; n < 8; n++) answers.push(await ask("target@limits.io"));
    expect([mails.length, new Set(answers).size]).toEqual([5, 1]);
  });

  it("is not switched off by Auth() with many other secrets in between", async () => {
    const own = makeConfigure(undefined, "a secret that one of many tenants has");
    const ask = asker((request) => Auth(request, own.configure()));
    for (let n = 0; n < 5; n++) await ask("target@limits.io");
    for (let n = 0; n < 70; n++) {
      const other = makeConfigure(undefined, `the secret of another tenant, number ${n}`);
      await Auth(new Request(`${ORIGIN}${BASE}/session`), other.configure());
    }
    await ask("target@limits.io");
    expect(own.mails).toHaveLength(5);
  });

  it("Auth() without a secret, outside production, has one for all its configurations, and warns once", async () => {
    const warnings: string[] = [];
    const { configure, mails } = makeConfigure();
    const logger = { error: () => undefined, warn: (line: string) => void warnings.push(line) };
    // A configuration that is kept ends the application that other tests of this process may have begun without a secret.
    const { secret: _former, ...former } = {
      ...makeConfigure().configure(),
      logger: { ...logger, warn: () => undefined },
    };
    const askFormer = asker((request) => Auth(request, former));
    for (let n = 0; n < 2; n++) await askFormer("bob@x.io");
    const ask = asker((request) => {
      const { secret: _none, ...config } = configure();
      return Auth(request, { ...config, logger });
    });
    expect(await ask("ann@x.io")).toContain("/verify-request");
    expect(mails).toEqual(["ann@x.io"]);
    expect(warnings.filter((line) => line.startsWith("missing-secret") || line.includes("AUTH_SECRET"))).toHaveLength(
      1,
    );
  });

  it("counts a mailbox, whatever the tag, the case or the form of the address", async () => {
    const { mails, ask } = setUpLazy();
    for (let n = 0; n < 20; n++) await ask(`target+${n}@limits.io`);
    for (const typed of ["target@limits.io", "TARGET+a+b@Limits.io", "target+@limits.io", "ｔarget@limits.io"])
      await ask(typed);
    expect(mails).toHaveLength(5);
    await ask("other+target@limits.io");
    await ask("target@y.io");
    expect(mails).toHaveLength(7);
  });

  it("is shared by two applications with one adapter", async () => {
    const memory = createMemoryAdapter();
    const [first, second] = [setUpDatabase({ memory }), setUpDatabase({ memory })];
    for (let n = 0; n < 4; n++) {
      await first.ask("target@limits.io");
      await second.ask("target@limits.io");
    }
    expect(first.mails.length + second.mails.length).toBe(5);
  });

  it("is one for all providers without a limit of their own", async () => {
    const sent: string[] = [];
    const provider = (id: string, rateLimit?: EmailRateLimit) => ({
      ...{ id, name: id, type: "email" as const, rateLimit },
      sendVerificationRequest: () => void sent.push(id),
    });
    const own = provider("own", { max: 2, windowSeconds: 600 });
    const app = setUpDatabase({ providers: [provider("first"), provider("second"), own] });
    for (let n = 0; n < 4; n++) {
      for (const id of ["first", "second", "own"])
        await app.post(`${BASE}/signin/${id}`, { email: "target@limits.io" });
    }
    expect(sent.filter((id) => id !== "own")).toEqual(["first", "second", "first", "second", "first"]);
    expect(sent.filter((id) => id === "own")).toHaveLength(2);
  });

  it("asks a function by mailbox, and tells the address as well", async () => {
    const asked: string[][] = [];
    const { mails, ask } = setUpLazy((...told) => {
      asked.push(told);
      return told[0] !== "target@limits.io";
    });
    await ask("Target+1@limits.io");
    await ask("ann@x.io");
    expect([asked, mails]).toEqual([
      [
        ["target@limits.io", "target+1@limits.io"],
        ["ann@x.io", "ann@x.io"],
      ],
      ["ann@x.io"],
    ]);
  });

  it.each([[undefined], [null], [0], ["no"], [{}], [1]])(
    "sends nothing when the function returns %j",
    async (verdict) => {
      const { mails, ask } = setUpLazy(() => parseVerdict(verdict));
      await ask("ann@x.io");
      expect(mails).toEqual([]);
    },
  );

  it("sends nothing when the function fails", async () => {
    const { mails, ask } = setUpLazy(() => Promise.reject(new Error("the store is away")));
    expect(await ask("ann@x.io")).toContain("error=EmailSignin");
    expect(mails).toEqual([]);
  });
});

/** What a careless function may return. */
function parseVerdict(value: unknown): boolean {
  return value as boolean;
}
