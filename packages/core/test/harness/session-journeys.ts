/** What tests of sessions have in common: a user signed in, a session read and changed. Test-only. */
import { decode } from "@cardea/core/jwt";
import type { AuthConfig, Callbacks, JWT, JWTCallbackParams } from "@cardea/core/types";
import { BASE, type Case, COOKIE, installClock, recordOf, SECRET, setUp } from "./harness.ts";

export const DAY = 24 * 60 * 60;
export const SALT = COOKIE.session;

/** A case of a user who has just signed in, and the clock. */
export async function signedIn(config: Partial<AuthConfig> = {}, mayFail = false) {
  const clock = installClock();
  const c = setUp({ config, mayFail });
  const visit = await c.signIn();
  return { c, clock, visit };
}

/** GET session: its body and the session cookies that it sets. */
export async function read(c: Case): Promise<{ body: unknown; status: number; set: string[] }> {
  const { body, status, headers } = recordOf(await c.browser.fetch(`${BASE}/session`));
  return { body: JSON.parse(body), status, set: headers.getSetCookie() };
}

export const update = async (c: Case, data: unknown) =>
  c.browser.fetch(`${BASE}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: await c.csrfToken(), data }),
  });

export const claimsOf = (c: Case): Promise<JWT | null> =>
  decode({ token: c.browser.cookies.get(COOKIE.session)?.value, secret: SECRET, salt: SALT });

/** A callback that answers as the test says, from its second call on. */
export function afterSignIn(answer: (params: JWTCallbackParams) => unknown): Callbacks {
  const jwt = (params: JWTCallbackParams) => parseClaims(params.trigger === "signIn" ? params.token : answer(params));
  return { jwt };
}

/** A callback that changes nothing and notes what it was given. */
export function keep(seen: JWTCallbackParams[]): (params: JWTCallbackParams) => JWT {
  return (params) => {
    seen.push(params);
    return params.token;
  };
}

/** What a careless callback may return. */
export function parseClaims(value: unknown): JWT | null {
  return value as JWT | null;
}
