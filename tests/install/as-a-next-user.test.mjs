// The tutorial for Next.js followed in an empty folder, with packages from a registry.
import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicationFor, publishFor, split } from "./guided-application.mjs";
import { readWalkthrough } from "./read-walkthrough.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const guide = readWalkthrough("docs/getting-started-next.md", "From an empty folder, with a database");

let registries;
beforeAll(async () => {
  registries = await publishFor(guide.steps);
});
afterAll(() => registries?.local.close());

describe("docs/getting-started-next.md, with npm", () => {
  const { before, start } = split(guide.steps, ["node provider.mjs", "npx next start"]);

  let application;
  let ports;
  beforeAll(async () => {
    ({ application, ports } = await applicationFor("npm", ["3000", "4000"], registries));
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
