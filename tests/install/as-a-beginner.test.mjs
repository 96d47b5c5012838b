// The steps of skills/cardea/SKILL.md, literally, in an empty folder and with packages from a registry: a sign-in without an account
// anywhere, one by e-mail, and a check without findings.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApplication } from "./create-application.mjs";
import { freePort, publishFor } from "./guided-application.mjs";
import { readWalkthrough } from "./read-walkthrough.mjs";
import { sendAsIs } from "./send-as-is.mjs";

/** `CARDEA_FRAMEWORKS=next,nuxt`: only these. Where the actions are, and the page that shows who is signed in. */
const frameworks = {
  fetch: { page: "/account" },
  express: { page: "/account" },
  next: { page: "/account", base: "/api/auth" },
  hono: { page: "/account" },
  fastify: { page: "/account" },
  sveltekit: { page: "/" },
  nuxt: { page: "/" },
};
const chosen = process.env.CARDEA_FRAMEWORKS?.split(",") ?? Object.keys(frameworks);

/** The commands below a heading of the skill. */
const commandsOf = (heading) => readWalkthrough("skills/cardea/SKILL.md", heading).steps.map(({ command }) => command);
const [init, dev] = commandsOf("Start");

let registries;
beforeAll(async () => {
  const names = [
    "cli",
    "testing",
    "providers-email",
    "adapter-kysely",
    ...["express", "providers-credentials", "bridge-authjs"], // of the application of Auth.js
    ...chosen.map((name) => (name === "nuxt" ? "h3" : name)),
  ];
  registries = await publishFor([{ command: names.map((name) => `@cardea/${name}`).join(" ") }]);
});
afterAll(() => registries?.local.close());

describe.each(chosen)("skills/cardea/SKILL.md in an empty folder: %s", (framework) => {
  const { page, base = "/auth" } = frameworks[framework];
  let application;
  afterEach(() => application.remove());

  it("leads to a page that says who is signed in, and to a check without findings", async () => {
    application = createApplication("npm", registries);
    await application.run(init.replace("FRAMEWORK", framework));
    // The ports of the files may be in use on this machine.
    const [port, provider, mail] = [await freePort(), await freePort(), await freePort()];
    const free = { 3000: port, 4000: provider, 4025: mail };
    for (const file of ["dev-auth.mjs", ".env.local"]) {
      const path = join(application.folder, file);
      const text = readFileSync(path, "utf8");
      writeFileSync(
        path,
        text.replace(/3000|4000|4025/g, (one) => free[one]),
      );
    }
    const [url, issuer] = [`http://localhost:${port}`, `http://127.0.0.1:${provider}`];
    const server = await application.start(dev, url, { PORT: port });
    const open = () => createBrowser(sendAsIs, { origin: url, routes: { [issuer]: sendAsIs }, follow: "all" });
    const signedIn = async (browser) => (await (await browser.navigate(page)).text()).replaceAll("<!-- -->", "");

    const browser = open();
    const signIn = await browser.navigate(`${base}/signin?callbackUrl=${page}`);
    const chooser = await browser.submit(signIn, { button: "Sign in with Local provider" });
    await browser.submit(chooser, { button: "Continue", fields: { login: "ada-1815" } });
    expect(await signedIn(browser)).toContain("Signed in as Ada Lovelace");

    const other = open();
    const form = await other.navigate(`${base}/signin?callbackUrl=${page}`);
    await other.submit(form, { button: "Send a sign-in link", fields: { email: "grace@example.com" } });
    await expect.poll(() => server.output).toContain("E-mail to grace@example.com: ");
    const [, link] = /E-mail to grace@example\.com: (\S+)/.exec(server.output);
    await other.navigate(link);
    expect(await signedIn(other)).toContain("Signed in as grace@example.com");

    for (const check of commandsOf("Check"))
      expect(JSON.parse(await application.run(check.replace("PORT", port))), check).toMatchObject({ findings: [] });
    for (const explain of commandsOf("Explain")) expect(await application.run(explain)).toContain("AUTH_SECRET");
    const guide = join(application.folder, "node_modules/@cardea/core/AGENTS.md", "../dist/docs/llms.txt");
    expect(readFileSync(guide, "utf8")).toContain("(./errors.md)");

    const taken = `Port ${port} is unavailable \\(EADDRINUSE\\)\\. End the process that uses it`;
    await expect(application.run(dev)).rejects.toThrow(new RegExp(taken));
  });
});

/** As its documentation has it, with a password instead of a provider that would have to be registered. */
const AUTHJS_APP = `import { ExpressAuth, getSession } from "@auth/express";
import Credentials from "@auth/express/providers/credentials";
import express from "express";

const authConfig = {
  trustHost: true,
  providers: [
    Credentials({
      credentials: { username: {}, password: { type: "password" } },
      authorize: ({ username, password }) => (password === "open sesame" ? { id: "1", name: String(username) } : null),
    }),
  ],
};
const app = express();
app.use("/auth/*splat", ExpressAuth(authConfig));
app.get("/account", async (req, res) => res.json(await getSession(req, authConfig)));
app.listen(process.env.PORT);
`;

describe("skills/cardea/SKILL.md in an application of Auth.js", () => {
  let application;
  afterAll(() => application?.remove());

  it("moves it, and leads to a check without findings", async () => {
    application = createApplication("npm", registries);
    const port = await freePort();
    application.write("app.js", AUTHJS_APP);
    application.write(
      ".env",
      `AUTH_SECRET=${"0123456789abcdef".repeat(3)}\nAUTH_URL=http://localhost:${port}/auth\nPORT=${port}\n`,
    );
    application.write(".gitignore", "node_modules\n.env\n");
    await application.run("npm init --yes && npm pkg set type=module && npm install express@5 @auth/express@0.12");
    await application.run(
      "git init -q && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm before",
    );

    const [dryRun, adopt] = commandsOf("Move from Auth.js");
    const { report } = JSON.parse(await application.run(dryRun));
    expect(report.filter(({ kind }) => kind === "left")).toEqual([]);
    expect(readFileSync(join(application.folder, "app.js"), "utf8")).toBe(AUTHJS_APP);
    await application.run(adopt);

    const url = `http://localhost:${port}`;
    await application.start("node --env-file=.env app.js", url);
    for (const check of commandsOf("Check"))
      expect(JSON.parse(await application.run(check.replace("PORT", port))), check).toMatchObject({ findings: [] });
    const browser = createBrowser(sendAsIs, { origin: url, follow: "all" });
    const form = await browser.navigate("/auth/signin?callbackUrl=/account");
    const account = await browser.submit(form, { fields: { username: "Ada", password: "open sesame" } });
    expect(await account.json()).toMatchObject({ user: { name: "Ada" } });
  });
});
