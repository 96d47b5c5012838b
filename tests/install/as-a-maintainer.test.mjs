// What the maintainer of an application does between two releases of its extensions: core is updated alone. Its versions are those that
// changesets would give it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { applicationFor, publishFor } from "./guided-application.mjs";
import { publishLocally } from "./publish-locally.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const extensions = ["@cardea/extend", "@cardea/sessions", "@cardea/providers-webauthn"];
const others = "@cardea/core @cardea/express @cardea/providers-credentials @cardea/testing express@5";
const install = `npm install ${extensions.join(" ")} ${others}`;

const app = `
import { memoryStore } from "@cardea/core/adapters";
import { createAuth } from "@cardea/express";
import { defineExtension } from "@cardea/extend";
import { Credentials } from "@cardea/providers-credentials";
import { Passkey } from "@cardea/providers-webauthn";
import { sessions, sessionsOf } from "@cardea/sessions";
import { createMemoryAdapter } from "@cardea/testing";
import express from "express";

const { adapter } = createMemoryAdapter();
const user = await adapter.createUser({ name: "Ann", email: "ann@example.com", emailVerified: null });
const run = async (action) => ({ kind: "json", status: 200, body: { hasSession: (await action.session()) !== null } });
const { router, auth } = createAuth({
  adapter,
  store: memoryStore(),
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  providers: [
    Passkey({ relayingParty: { id: "localhost", name: "Example" } }),
    Credentials({ credentials: { username: {}, password: { type: "password" } }, authorize: () => user }),
  ],
  extensions: [
    sessions(),
    defineExtension({ id: "own", actions: { "GET own": { csrf: "none", segment: "none", answers: "json", head: "skip", run } } }),
  ],
});

const app = express();
app.use("/auth", router);
app.get("/", async (req, res) => res.json((await auth(req, res))?.user ?? null));
app.get("/end", async (req, res) => res.json(await sessionsOf(auth).endAll(user.id)));
app.listen(3000);
`;

let registries;
let application;
let url;
beforeAll(async () => {
  registries = await publishFor([{ command: install }]);
  const made = await applicationFor("npm", ["3000"], registries);
  application = made.application;
  url = `http://localhost:${made.ports[0]}`;
  application.write("app.js", app);
  await application.run("npm init --yes && npm pkg set type=module");
  await application.run(install);
});
afterAll(async () => {
  await application?.remove();
  await registries?.local.close();
});

const installed = (names) =>
  names.map((name) => {
    const path = join(application.folder, "node_modules", name, "package.json");
    return `${name}@${JSON.parse(readFileSync(path, "utf8")).version}`;
  });

const env = { AUTH_SECRET: "a secret for tests, of 32 bytes or more" };

async function start() {
  const server = await application.start("node app.js", url, env);
  onTestFinished(() => application.stop(server));
}

/** Signs in, and uses each extension. */
async function signIn() {
  const browser = createBrowser(sendAsIs, { origin: url, follow: "same-origin" });
  const first = await browser.navigate("/auth/signin");
  const second = await browser.submit(first, { button: "Continue", fields: { identifier: "Ann" } });
  await browser.submit(second, { action: "/auth/callback/credentials", fields: { password: "any" } });
  await expectSignedIn(browser);
  return browser;
}

async function expectSignedIn(browser) {
  expect(await (await browser.navigate("/")).json()).toMatchObject({ name: "Ann" });
  expect(await (await browser.navigate("/auth/own")).json()).toEqual({ hasSession: true });
  const options = await browser.navigate("/auth/webauthn-options/passkey?action=authenticate");
  expect(await options.json()).toHaveProperty("options.challenge");
}

/** Core's releases so far, each after the other. */
const releases = [];
async function release(bump, change) {
  releases.push({ "@cardea/core": bump });
  return (await publishLocally(registries.local, ["@cardea/core"], { releases, change })).get("@cardea/core");
}

describe("a new core beside older extensions", () => {
  let before;
  let former;
  it("starts from the extensions' own core", async () => {
    await start();
    before = installed(extensions);
    former = await signIn();
  });

  it.each([
    ["patch", "npm update @cardea/core"],
    ["minor", "npm install @cardea/core@latest"],
  ])("works as a %s, and reads the sessions of the former one", async (bump, update) => {
    const version = await release(bump);
    await application.run(update);
    expect(installed(["@cardea/core", ...extensions])).toEqual([`@cardea/core@${version}`, ...before]);
    // Fails where a package does not accept the others' versions.
    const copies = (await application.run("npm ls --all --parseable @cardea/core")).trim().split("\n");
    expect(copies.filter((path) => path.endsWith("@cardea/core"))).toHaveLength(1);

    await start();
    await expectSignedIn(former);
    const browser = await signIn();
    await browser.navigate("/end");
    expect(await (await browser.navigate("/")).json()).toBeNull();
    former = await signIn();
  });

  it("fails at start, with both names, if it no longer works with these extensions", async () => {
    await release("minor", raiseProtocol);
    await application.run("npm install @cardea/core@latest");
    await expect(application.run("node app.js", env)).rejects.toThrow(
      /extensions\[0\].* uses a version of @cardea\/extend that is too old for this @cardea\/core; update @cardea\/extend/,
    );
  });
});

/** The build writes the number into the comparisons with it. */
function raiseProtocol(root) {
  const dist = join(root, "packages/core/dist");
  const compared = /(?<=\bprotocol (?:!==|<) )1\b/g;
  const paths = readdirSync(dist, { recursive: true }).map((file) => join(dist, file));
  const found = paths.filter((path) => path.endsWith(".js") && readFileSync(path, "utf8").match(compared));
  expect(found).toHaveLength(1);
  for (const path of found) writeFileSync(path, readFileSync(path, "utf8").replace(compared, "2"));
}
