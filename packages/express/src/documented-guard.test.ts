import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestSession } from "@cardea/testing";
import type { RequestHandler } from "express";
import { describe, expect, it } from "vitest";
import { createAuth } from "./create-auth.ts";
import type { AuthConfig } from "./index.ts";
import { frameworks, runApp } from "./run-app.ts";
import { sendTarget } from "./send-target.ts";

const DOCUMENTED =
  'app.use("/admin", auth((req, res, next) => (req.auth?.role === "admin" ? next() : res.sendStatus(403))), admin);';

/** Spellings that one of the versions of Express routes to the mount, or that a guard by path would miss. */
const TARGETS = [
  ...["/admin", "/admin/", "/Admin", "/ADMIN/users", "/admin/users", "/aDmIn/users/", "//admin/users", "/admin//users"],
  ...["/%61dmin/users", "/admin/%75sers", "/admin/users/%2e%2e/%2e%2e/x", "/admin/../admin/users", "/admin%2Fusers"],
  ...["/admin/users?x=/auth/session", "/admin/users#/auth/session", "/admin;x/users", "http://localhost/admin/users"],
];

const config: AuthConfig = {
  ...{ secret: "a secret of more than thirty-two bytes for tests", trustHost: true, providers: [] },
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
};

type Jwt = NonNullable<NonNullable<AuthConfig["callbacks"]>["jwt"]>;
const jwt: Jwt = ({ token, user }) => (user === undefined ? token : { ...token, role: Object(user).role });

describe.each(frameworks)("the guard of docs/callbacks.md, in Express $version", ({ express }) => {
  async function start() {
    const { auth } = createAuth({
      ...config,
      callbacks: {
        jwt,
        session: ({ session, token }) => ({ ...session, role: String(token.role ?? "member") }),
        authorized: ({ auth: session }) => session !== null,
      },
    });
    const admin: RequestHandler = (_req, res) => void res.send("ADMIN-SECRET");
    const app = express();
    app.use(
      "/admin",
      auth((req, res, next) => (req.auth?.role === "admin" ? next() : res.sendStatus(403))),
      admin,
    );
    return runApp(app);
  }

  it("is the documented one", () => {
    expect(readFileSync(join(import.meta.dirname, "../../../docs/callbacks.md"), "utf8")).toContain(DOCUMENTED);
  });

  it.each(["visitor", "member"])("keeps a %s out, whatever the path looks like", async (who) => {
    await using app = await start();
    const { header } = await createTestSession(config, { url: app.origin, user: { id: "7", name: "Ann" } });
    const headers = who === "member" ? [`Cookie: ${header}`] : [];
    for (const target of TARGETS) {
      const answer = await sendTarget(app.port, target, "GET", headers);
      expect([target, answer.includes("ADMIN-SECRET")]).toEqual([target, false]);
      expect([target, answer.slice(9, 12)]).toEqual([target, expect.stringMatching(/302|400|401|403|404/)]);
    }
  });

  it("lets an admin in", async () => {
    await using app = await start();
    const user = { id: "7", name: "Ann", role: "admin" };
    const { header } = await createTestSession({ ...config, callbacks: { jwt } }, { url: app.origin, user });
    expect(await sendTarget(app.port, "/Admin/users", "GET", [`Cookie: ${header}`])).toContain("ADMIN-SECRET");
  });
});
