// What a newcomer does who has nothing but the guides: their words are followed in an empty folder, with packages from a registry.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLocalRegistry } from "../release/local-registry.mjs";
import { publishLocally } from "../release/publish-locally.mjs";
import { createApplication, findRegistry } from "./create-application.mjs";
import { readExamples, readWalkthrough } from "./read-walkthrough.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const root = join(import.meta.dirname, "../..");
const { devDependencies: pinned } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const express = JSON.parse(readFileSync(join(root, "packages/express/package.json"), "utf8"));

let local;
let registry;
beforeAll(async () => {
  registry = await findRegistry();
  local = await startLocalRegistry();
  await publishLocally(local);
});
afterAll(() => local?.close());

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** An application whose guide speaks of these ports; they may be taken, so that others stand in for them. */
async function applicationFor(manager, ports) {
  const replacements = Object.fromEntries(await Promise.all(ports.map(async (port) => [port, await freePort()])));
  return {
    application: createApplication(manager, { registry, local, replacements }),
    ports: Object.values(replacements),
  };
}

/** What starts something that does not end, and what comes before. */
function split(steps, starts) {
  const isStart = ({ command = "" }) => starts.some((start) => command.startsWith(start));
  return { before: steps.filter((step) => !isStart(step)), start: steps.filter(isStart).map(({ command }) => command) };
}

describe.each(["npm", "pnpm", "yarn"])("the README, with %s", (manager) => {
  const { steps, text } = readWalkthrough("README.md", "From an empty folder to a protected page");
  const { before, start } = split(steps, ["node "]);
  const [, password] = /the password `([^`]+)`/.exec(text) ?? [];
  const [page] = /(?<=<http:\/\/localhost:3000)[^>]+/.exec(text) ?? [];

  let application;
  let url;
  beforeAll(async () => {
    const made = await applicationFor(manager, ["3000"]);
    application = made.application;
    url = `http://localhost:${made.ports[0]}`;
    await application.follow(before);
  });
  afterAll(() => application.remove());

  it("leads from an empty folder to a protected page", async () => {
    await application.start(start[0], url);
    const browser = createBrowser(sendAsIs, { origin: url, follow: "same-origin" });
    const signIn = await browser.navigate(page);
    expect(new URL(signIn.url).pathname).toBe("/auth/signin");

    const refused = await browser.submit(signIn, { fields: { username: "Ann", password: "another" } });
    expect(new URL(refused.url).pathname).toBe("/auth/signin");
    const account = await browser.submit(refused, { fields: { username: "Ann", password } });
    expect(new URL(account.url).pathname).toBe(page);
    expect(await account.json()).toMatchObject({ user: { name: "Ann" } });
    expect(await (await browser.navigate("/")).text()).toBe("Hello Ann");

    await browser.submit(await browser.navigate("/auth/signout"));
    expect(new URL((await browser.navigate(page)).url).pathname).toBe("/auth/signin");
  });

  it("compiles as strict TypeScript, declarations of the packages included", async () => {
    const types = `@types/express@${express.devDependencies["@types/express"]} @types/node@${pinned["@types/node"]}`;
    await application.run(`npm install --save-dev typescript@${pinned.typescript} ${types}`);
    const examples = [...readExamples("README.md"), ...readExamples("packages/express/README.md")];
    expect(examples.length).toBeGreaterThan(3);
    for (const [index, example] of examples.entries()) application.write(`example-${index}.ts`, example);
    const options = "--strict --exactOptionalPropertyTypes --noEmit --skipLibCheck false --moduleDetection force";
    await application.run(`npx tsc ${options} --module nodenext --target es2022 --types node example-*.ts`);
  });
});

describe("the README of @cardea/next, with npm", () => {
  const { steps } = readWalkthrough("packages/next/README.md", "From an empty folder, with a database");
  const { before, start } = split(steps, ["node provider.mjs", "npx next start"]);

  let application;
  let ports;
  beforeAll(async () => {
    ({ application, ports } = await applicationFor("npm", ["3000", "4000"]));
  });
  afterAll(() => application.remove());

  it("leads from an empty folder to an application with Prisma that builds, as strict TypeScript too", async () => {
    await application.follow(before);
    await application.run("npx tsc --noEmit --strict --project .");
  });

  it("leads to an application that signs in, with sessions in the database", async () => {
    const [url, provider] = [`http://localhost:${ports[0]}`, `http://127.0.0.1:${ports[1]}`];
    await application.start(start[0], provider);
    await application.start(start[1], url, { PORT: ports[0] });

    const browser = createBrowser(sendAsIs, { origin: url, routes: { [provider]: sendAsIs }, follow: "all" });
    expect(await (await browser.navigate("/members")).text()).toContain("Members only.");
    const signIn = await browser.navigate("/api/auth/signin?callbackUrl=/members");
    const chooser = await browser.submit(signIn, { button: "Sign in with Local Provider" });
    const members = await browser.submit(chooser, { button: "Continue", fields: { login: "ada-1815" } });
    expect(new URL(members.url).pathname).toBe("/members");
    expect(await members.text()).toMatch(/Hello, (?:<!-- -->)?Ada Lovelace/);
    expect(await countRows(application)).toEqual({ User: 1, Account: 1, Session: 1 });
  });
});

/** How many rows a sign-in left in the database. */
async function countRows(application) {
  application.write(
    "count.mjs",
    `import { createClient } from "@libsql/client";
const count = async (table) => (await createClient({ url: "file:app.db" }).execute(\`SELECT count(*) FROM "\${table}"\`)).rows[0][0];
console.log(JSON.stringify({ User: await count("User"), Account: await count("Account"), Session: await count("Session") }));`,
  );
  return JSON.parse(await application.run("node count.mjs"));
}
