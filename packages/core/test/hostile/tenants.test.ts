/** Tenants of one configuration function: in memory, those with different secrets share nothing. */

import { Auth, createAuth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { defineExtension } from "@cardea/extend";
import { createBrowser, createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE } from "../harness/harness.ts";

let cases = 0;
const secretOf = (tenant: string) => `the secret of tenant ${tenant} in case ${cases}, of more than thirty-two bytes`;

/** A configuration for each host, new for each request; `secrets` names the secrets of a host. */
function setUpTenants(
  serveWith: ServeWith,
  {
    secrets = (host) => [secretOf(host)],
    memory,
  }: { secrets?: (host: string) => string[]; memory?: MemoryAdapter } = {},
) {
  cases += 1;
  const mails: string[] = [];
  const seen = new Map<string, object>();
  const configure = (request?: Request): AuthConfig => {
    const { host } = new URL(request?.url ?? "https://none.example");
    const extension = defineExtension({
      id: "witness",
      attempt: (_attempt, t) => {
        seen.set(host, t.application);
        return { allow: true };
      },
    });
    return {
      secret: secrets(host),
      trustHost: true,
      basePath: BASE,
      logger: { error: () => undefined, warn: () => undefined },
      adapter: (memory ?? createMemoryAdapter()).adapter,
      extensions: [extension],
      providers: [
        {
          id: "email",
          name: "E-mail",
          type: "email",
          sendVerificationRequest: ({ identifier }) => void mails.push(`${identifier} ${host}`),
        },
      ],
    };
  };
  const serve = serveWith(configure);
  const ask = async (host: string, email = "ann@x.io") => {
    const browser = createBrowser(serve, { origin: `https://${host}` });
    const { csrfToken } = await (await browser.fetch(`${BASE}/csrf`)).json();
    await browser.navigate(`${BASE}/signin/email`, { form: { csrfToken, email } });
  };
  return { ask, mails, seen };
}

type ServeWith = (configure: (request?: Request) => AuthConfig) => (request: Request) => Promise<Response>;

const FUNCTION: ServeWith = (configure) => createAuth(configure).handlers.POST;

const WAYS: readonly [string, ServeWith][] = [
  ["a configuration function", FUNCTION],
  ["Auth()", (configure) => (request) => Auth(request, configure(request))],
];

describe.each(WAYS)("tenants of %s", (_, serveWith) => {
  it("share nothing through secrets that are not set", async () => {
    const { ask, mails } = setUpTenants(serveWith, { secrets: (host) => ["", " ", secretOf(host)] });
    for (let n = 0; n < 7; n++) await ask("a.example");
    for (let n = 0; n < 7; n++) await ask("b.example");
    expect(mails).toHaveLength(10);
  });

  it.each([
    ["an adapter each", false],
    ["one adapter", true],
  ])("have separate limits of e-mails, with %s", async (_name, isOne) => {
    const { ask, mails } = setUpTenants(serveWith, isOne ? { memory: createMemoryAdapter() } : {});
    for (let n = 0; n < 7; n++) await ask("a.example");
    expect(mails).toHaveLength(5);
    for (let n = 0; n < 7; n++) await ask("b.example");
    expect(mails.filter((mail) => mail.endsWith("b.example"))).toHaveLength(5);
    await ask("a.example");
    expect(mails).toHaveLength(10);
  });

  it("are different applications for extensions", async () => {
    const { ask, seen } = setUpTenants(serveWith);
    for (const host of ["a.example", "b.example"]) await ask(host);
    const first = new Map(seen);
    for (const host of ["a.example", "b.example"]) await ask(host);
    expect(first.get("a.example")).toBe(seen.get("a.example"));
    expect(first.get("b.example")).toBe(seen.get("b.example"));
    expect(seen.get("a.example")).not.toBe(seen.get("b.example"));
  });

  it("are one application if they have a secret in common, also while it is being rotated", async () => {
    let names = ["old"];
    const { ask, mails, seen } = setUpTenants(serveWith, { secrets: () => names.map(secretOf) });
    await ask("a.example");
    await ask("b.example");
    expect(seen.get("a.example")).toBe(seen.get("b.example"));
    names = ["new", "old"];
    await ask("a.example");
    names = ["new"];
    await ask("c.example");
    expect(seen.get("c.example")).toBe(seen.get("b.example"));
    for (let n = 0; n < 3; n++) await ask("b.example");
    expect(mails).toHaveLength(5);
  });
});
