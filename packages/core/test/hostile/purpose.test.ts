import { describe, expect, it } from "vitest";
import { BASE, type Case, COOKIE, expectRefused, setUp } from "../harness/harness.ts";

/** Our sealed cookies by what they are for, as a browser holds them in the middle of a sign-in. */
const PURPOSES = ["session", "csrf", "state"] as const;
type Purpose = (typeof PURPOSES)[number];

interface Sealed {
  readonly c: Case;
  readonly authorizationUrl: string;
  readonly cookies: ReadonlyMap<Purpose, { readonly name: string; readonly value: string }>;
}

async function collect(): Promise<Sealed> {
  const c = setUp();
  await c.signIn();
  const start = await c.post(`${BASE}/signin/op`);
  const held = c.browser.cookies.list();
  const find = (purpose: Purpose) =>
    held.find(({ name }) => name === COOKIE[purpose] || name.startsWith(`${COOKIE[purpose]}.`));
  const cookies = PURPOSES.map((purpose): [Purpose, { name: string; value: string }] => {
    const found = find(purpose);
    if (found === undefined) throw new Error(`there is no ${purpose} cookie`);
    return [purpose, found];
  });
  return { c, authorizationUrl: start.redirectsTo ?? "", cookies: new Map(cookies) };
}

/** Every cookie as it was, but in one slot the value of another. */
function headerWith({ cookies }: Sealed, slot: Purpose, value: Purpose): string {
  const pairs = [...cookies].map(
    ([purpose, { name }]) => `${name}=${cookies.get(purpose === slot ? value : purpose)?.value}`,
  );
  return pairs.join("; ");
}

/** Whether what the slot holds is taken for what belongs there. */
async function isAccepted(sealed: Sealed, slot: Purpose, value: Purpose): Promise<boolean> {
  const { c, authorizationUrl } = sealed;
  const headers = { cookie: headerWith(sealed, slot, value) };
  switch (slot) {
    case "session":
      return (await (await c.send(`${BASE}/session`, { headers })).json()) !== null;
    case "csrf":
      return (await c.send(`${BASE}/csrf`, { headers })).headers.getSetCookie().length === 0;
    default: {
      const { url } = await c.op.authorize(authorizationUrl);
      const answer = await c.send(url.href, { headers });
      const accepted = c.op.calls.token.length > 0;
      if (!accepted) expectRefused(answer);
      return accepted;
    }
  }
}

describe("purpose", () => {
  it.each(PURPOSES)("H073 a sealed value opens in its own slot: %s", async (slot) => {
    expect(await isAccepted(await collect(), slot, slot)).toBe(true);
  });

  it.each(PURPOSES.flatMap((slot) => PURPOSES.filter((value) => value !== slot).map((value) => ({ slot, value }))))(
    "H073 the $value value is nothing in the $slot slot",
    async ({ slot, value }) => {
      expect(await isAccepted(await collect(), slot, value)).toBe(false);
    },
  );

  it.each(PURPOSES)("H073 the %s value is no location in the callback-url slot", async (value) => {
    const { c, cookies } = await collect();
    const headers = { cookie: `${COOKIE.callbackUrl}=${cookies.get(value)?.value}` };
    const page = await (await c.send(`${BASE}/signin`, { headers })).text();
    expect(page).toContain('name="callbackUrl" value="https://app.example.com"');
  });
});
