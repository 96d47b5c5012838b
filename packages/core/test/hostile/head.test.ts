import { describe, expect, it } from "vitest";
import { ROUTES } from "../../src/actions/index.ts";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, cookieHeader, recordOf } from "../harness/harness.ts";
import type { VisitRecord } from "../harness/records.ts";

const rows = Object.entries(ROUTES).flatMap(([key, route]) =>
  key.startsWith("GET ") ? [[key.slice(4), route] as const] : [],
);
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
  it.each(rows)("%s answers as GET does, without body and cookies, or runs nothing", async (name, route) => {
    for (const isSignedIn of [false, true]) {
      const app = setUpDatabase({ strategy: "jwt" });
      if (isSignedIn) await app.signIn();
      const cookie = cookieHeader(app.browser);
      for (const id of route.provider === "none" ? [""] : ["/op", "/credentials", "/email", "/nothing"]) {
        for (const query of queries) {
          for (const accept of accepts) {
            const ask = async (method: string) =>
              recordOf(await app.send(`${BASE}/${name}${id}${query}`, { method, headers: { accept, cookie } }));
            const head = await ask("HEAD");
            expect([head.body, head.headers.getSetCookie(), head.events]).toEqual(["", [], []]);
            if (route.head === "run") expect(headOf(head)).toBe(headOf(await ask("GET")));
            else expect(head.status).toBe(200);
          }
        }
      }
    }
  });
});
