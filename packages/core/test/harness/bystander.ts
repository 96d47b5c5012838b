/** A second application in the same process, which nothing may disturb (safety U9). Test-only. */

import { Auth } from "@cardea/core";
import { encode } from "@cardea/core/jwt";
import type { AuthConfig } from "@cardea/core/types";
import { expect } from "vitest";
import { deepFreeze } from "./deep-freeze.ts";

const ORIGIN = "https://bystander.example.org";
const COOKIE = "__Host-cardea.session-token";
const SECRET = "the bystander has another secret, just as long";
const TEN_YEARS = 10 * 365 * 24 * 60 * 60;

const config: AuthConfig = deepFreeze({
  secret: SECRET,
  basePath: "/other",
  trustHost: true,
  session: { maxAge: TEN_YEARS, updateAge: TEN_YEARS },
  providers: [{ id: "door", name: "Door", type: "credentials", credentials: {}, authorize: () => null }],
  // It sees sessions of another application.
  logger: { warn: () => undefined },
});

async function mint(): Promise<string> {
  const token = { sub: "bystander", name: "Bystander" };
  return `${COOKIE}=${await encode({ token, secret: SECRET, salt: COOKIE, maxAge: TEN_YEARS })}`;
}

let minted: { readonly at: number; readonly cookie: Promise<string> } | undefined;

/** One session for the whole run; another one only where a test's clock is before it, because no session is from the future. */
function ownCookie(): Promise<string> {
  if (minted === undefined || minted.at > Date.now()) minted = { at: Date.now(), cookie: mint() };
  return minted.cookie;
}

/** Asserts that no cookie of the case's application means anything to the bystander. */
export async function assertUnknown(foreignCookies: string): Promise<void> {
  const foreign = await ask("/other/session", foreignCookies);
  expect([foreign.status, await foreign.json()], "U9 a foreign session").toEqual([200, null]);
}

/** Asserts that the bystander is still itself, after all cases of a file. */
export async function assertUndisturbed(): Promise<void> {
  const own = await ask("/other/session", await ownCookie());
  expect(await own.json(), "U9 the bystander's session").toMatchObject({ user: { name: "Bystander" } });
  expect(own.headers.getSetCookie(), "U9 the bystander's cookies").toEqual([]);
  const listed = await ask("/other/providers", "");
  expect(await listed.json(), "U9 the bystander's providers").toEqual([
    {
      id: "door",
      name: "Door",
      type: "credentials",
      signinUrl: `${ORIGIN}/other/signin/door`,
      callbackUrl: `${ORIGIN}/other/callback/door`,
    },
  ]);
}

function ask(path: string, cookies: string): Promise<Response> {
  return Auth(new Request(`${ORIGIN}${path}`, cookies === "" ? {} : { headers: { cookie: cookies } }), config);
}
