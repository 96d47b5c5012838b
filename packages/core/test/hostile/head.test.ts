import type { AuthAction } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, cookieHeader, recordOf } from "../harness/harness.ts";
import type { VisitRecord } from "../harness/records.ts";

/** Whether a second segment may follow, and whether HEAD runs the action: only if GET changes nothing. */
interface Route {
  readonly provider: boolean;
  readonly run: boolean;
}

/** The actions of GET (docs/behaviour.md#actions). */
const ROUTES: Readonly<Record<AuthAction | "confirm-address" | "webauthn-script", Route>> = {
  csrf: { provider: false, run: true },
  providers: { provider: false, run: true },
  session: { provider: false, run: false },
  signin: { provider: true, run: true },
  signout: { provider: false, run: true },
  callback: { provider: true, run: false },
  "webauthn-options": { provider: true, run: false },
  error: { provider: false, run: true },
  "verify-request": { provider: false, run: true },
  "confirm-address": { provider: false, run: true },
  "webauthn-script": { provider: false, run: true },
};
const queries = [
  "",
  "?error=AccessDenied",
  "?callbackUrl=/x&error=%3Cb%3E",
  "?code=a&state=b",
  "?token=a&email=a@b.example",
];
const accepts = ["text/html", "application/json"];

/** Everything but cookies and random text. */
const headOf = ({ status, headers }: VisitRecord) =>
  [status, ...[...headers].filter(([name]) => name !== "set-cookie")].join("\n").replace(/nonce-\w+/, "nonce");

describe("HEAD (RFC 9110 §9.3.2)", () => {
  it.each(Object.entries(ROUTES))(
    "%s answers as GET does, without body and cookies, or runs nothing",
    async (name, route) => {
      for (const isSignedIn of [false, true]) {
        const app = setUpDatabase({ strategy: "jwt" });
        if (isSignedIn) await app.signIn();
        const cookie = cookieHeader(app.browser);
        for (const id of route.provider ? ["/op", "/credentials", "/email", "/nothing"] : [""]) {
          for (const query of queries) {
            for (const accept of accepts) {
              const ask = async (method: string) =>
                recordOf(await app.send(`${BASE}/${name}${id}${query}`, { method, headers: { accept, cookie } }));
              const head = await ask("HEAD");
              expect([head.body, head.headers.getSetCookie(), head.events]).toEqual(["", [], []]);
              if (route.run) expect(headOf(head)).toBe(headOf(await ask("GET")));
              else expect(head.status).toBe(200);
            }
          }
        }
      }
    },
  );
});
