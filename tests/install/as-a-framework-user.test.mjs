// The READMEs of the packages for frameworks followed in a new application, with packages from a registry: what `sv create` makes today,
// and Hono and Fastify from nothing.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { applicationFor, publishFor } from "./guided-application.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const repository = join(import.meta.dirname, "../..");

/** `files`: what the README leaves to the application, or says of a block without a name. */
const frameworks = {
  sveltekit: {
    create: "npx --yes sv@latest create made --template minimal --types ts --no-add-ons --no-install",
    install: ["npm install"],
    files: {
      "src/routes/+page.svelte":
        "<script>let { data } = $props();</script>\n<p>{data.session?.user?.name ?? 'No one'}</p>\n",
    },
    start: (port) => `npx vite dev --port ${port} --strictPort`,
    page: "/",
  },
  hono: {
    create: "npm init --yes",
    install: ["npm pkg set type=module", "npm install hono @hono/node-server tsx"],
    name: "app.ts",
    files: {
      "main.ts":
        'import { serve } from "@hono/node-server";\nimport app from "./app";\nserve({ fetch: app.fetch, port: Number(process.env.PORT) });\n',
    },
    start: () => "npx tsx main.ts",
    page: "/account",
  },
  fastify: {
    create: "npm init --yes",
    install: ["npm pkg set type=module", "npm install fastify tsx"],
    name: "app.ts",
    files: {},
    start: () => "npx tsx app.ts",
    page: "/account",
  },
};

/** Commands and files of a README, in order. */
function readSteps(framework, unnamed) {
  const text = readFileSync(join(repository, "packages", framework, "README.md"), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => {
    if (language === "sh") return { command: code.trim() };
    const [, file = unnamed] = /^\/\/ (\S+)\n/.exec(code) ?? [];
    return { file, text: code };
  });
}

let registries;
beforeAll(async () => {
  const steps = Object.keys(frameworks).flatMap((framework) => readSteps(framework, "app.ts"));
  registries = await publishFor(steps);
});
afterAll(() => registries?.local.close());

describe.each(Object.entries(frameworks))("the README of @cardea/%s, in a new application", (framework, given) => {
  const cleanUp = [];
  afterEach(async () => {
    for (const end of cleanUp.splice(0).reverse()) await end();
  });

  it("leads to a page that shows who is signed in", async () => {
    const { application, ports } = await applicationFor("npm", ["3000"], registries);
    cleanUp.push(() => application.remove());
    const url = `http://localhost:${ports[0]}`;
    const provider = await startOidcProvider({ redirectUris: [`${url}/auth/callback/example`] });
    cleanUp.push(() => provider.close());

    await application.run(given.create);
    if (given.create.includes(" made ")) unpack(application.folder);
    for (const command of given.install) await application.run(command);
    for (const { command, file, text } of readSteps(framework, given.name)) {
      if (command !== undefined) await application.run(command);
      else application.write(file, text.replace("https://id.example.com", provider.issuer));
    }
    for (const [file, text] of Object.entries(given.files)) application.write(file, text);
    const client = { AUTH_EXAMPLE_ID: provider.clientId, AUTH_EXAMPLE_SECRET: provider.clientSecret };
    const secret = { AUTH_SECRET: "a secret of more than thirty-two bytes for tests" };
    const env = { ...secret, ...client, AUTH_URL: url, PORT: ports[0], NODE_ENV: "development" };
    const server = await application.start(given.start(ports[0]), url, env);

    const routes = { [provider.issuer]: sendAsIs };
    const browser = createBrowser(sendAsIs, { origin: url, routes, follow: "all" });
    const signIn = await browser.navigate(`/auth/signin?callbackUrl=${given.page}`);
    const chooser = await browser.submit(signIn, { button: "Sign in with Example" });
    const page = await browser.submit(chooser, { button: "Continue", fields: { login: "ada-1815" } });
    expect(new URL(page.url).pathname).toBe(given.page);
    expect(await page.text(), server.output).toContain("Ada Lovelace");
    expect(server.output).not.toMatch(/\[cardea\]/);
  });
});

/** Generators make no folder that has files. That of the test says where packages come from. */
function unpack(folder) {
  const settings = readFileSync(join(folder, ".npmrc"), "utf8");
  cpSync(join(folder, "made"), folder, { recursive: true });
  rmSync(join(folder, "made"), { recursive: true });
  writeFileSync(join(folder, ".npmrc"), `${readFileSync(join(folder, ".npmrc"), "utf8")}\n${settings}`);
}
