import { type AuthConfig, createAuth } from "@cardea/core";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";
const [FORMER, SECRET] = ["the former secret, of more than 32 bytes", "the present secret, of more than 32 bytes"];

function open(secret: string | readonly string[], overrides: Partial<AuthConfig> = {}) {
  const warnings: string[] = [];
  const auth = createAuth({
    secret,
    trustHost: true,
    logger: { error: () => undefined, warn: (line) => void warnings.push(line) },
    providers: [
      {
        ...{ id: "password", name: "Password", type: "credentials", credentials: { password: {} } },
        authorize: () => ({ id: "7", name: "Ann" }),
      },
    ],
    ...overrides,
  });
  const browser = createBrowser(auth.handlers.POST, { origin: ORIGIN });
  const read = async (cookie: string) => {
    const response = await auth.handlers.GET(new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }));
    return [await response.json(), response.headers.getSetCookie()];
  };
  return { browser, read, warnings };
}

/** The cookie of a signed-in browser. */
async function cookieOf(secret: string): Promise<string> {
  const { browser } = open(secret);
  await browser.submit(await browser.navigate("/auth/signin"), { fields: { password: "x" } });
  const found = browser.cookies.list().find(({ name }) => name === "__Host-cardea.session-token");
  return `${found?.name}=${found?.value}`;
}

describe("a session that was made with another secret", () => {
  it("counts as signed out, is kept, and is named in the log once", async () => {
    const cookie = await cookieOf(FORMER);
    const { read, warnings } = open(SECRET);
    for (let n = 0; n < 3; n++) expect(await read(cookie)).toEqual([null, []]);
    expect(warnings).toEqual([expect.stringMatching(/^other-secret: .*AUTH_SECRET_1/)]);
  });

  it("is a session where the former secret is still listed", async () => {
    const cookie = await cookieOf(FORMER);
    const { read, warnings } = open([SECRET, FORMER]);
    expect((await read(cookie))[0]).toMatchObject({ user: { name: "Ann" } });
    expect(warnings).toEqual([]);
  });

  it("is told from garbage, and from what the application's own decode refuses", async () => {
    const { read, warnings } = open(SECRET);
    for (const garbage of ["x", "a.b.c", "", "eyJhbGciOiJIUzI1NiJ9.e30.x"])
      expect(await read(`__Host-cardea.session-token=${garbage}`)).toEqual([null, []]);
    const own = open(SECRET, { jwt: { decode: () => null } });
    await own.read(await cookieOf(FORMER));
    expect([warnings, own.warnings]).toEqual([[], []]);
  });
});
