// The READMEs of the packages for frameworks followed in a new application, with packages from a registry: what `sv create` makes today,
// Nuxt's own template, and Hono and Fastify from nothing.
import { createBrowser } from "@cardea/testing";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { applicationFor, generate, publishFor, readReadme } from "./guided-application.mjs";
import { sendAsIs } from "./send-as-is.mjs";

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
  nuxt: {
    package: "h3",
    // The files of its template, which `nuxi init` fetches from another host.
    create: "npm init --yes",
    install: ["npm pkg set type=module", "npm install nuxt"],
    files: {
      "nuxt.config.ts":
        'export default defineNuxtConfig({ compatibilityDate: "2026-01-01", devtools: { enabled: true } });\n',
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./.nuxt/tsconfig.app.json" }] }\n',
      "app/app.vue":
        '<script setup lang="ts">\nconst { data } = await useFetch("/api/me");\n</script>\n<template><p>{{ data?.session?.user?.name ?? "No one" }}</p></template>\n',
    },
    build: "npx nuxt build",
    start: () => "node .output/server/index.mjs",
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

let registries;
beforeAll(async () => {
  const steps = Object.keys(frameworks).flatMap((framework) =>
    readReadme(frameworks[framework].package ?? framework, "app.ts"),
  );
  registries = await publishFor(steps);
});
afterAll(() => registries?.local.close());

describe.each(Object.entries(frameworks))(
  "the README of the package for %s, in a new application",
  (framework, given) => {
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

      await (given.create.includes(" made ") ? generate(application, given.create) : application.run(given.create));
      for (const command of given.install) await application.run(command);
      for (const { command, file, text } of readReadme(given.package ?? framework, given.name)) {
        if (command !== undefined) await application.run(command);
        else application.write(file, text.replace("https://id.example.com", provider.issuer));
      }
      for (const [file, text] of Object.entries(given.files)) application.write(file, text);
      const client = { AUTH_EXAMPLE_ID: provider.clientId, AUTH_EXAMPLE_SECRET: provider.clientSecret };
      const secret = { AUTH_SECRET: "a secret of more than thirty-two bytes for tests" };
      const env = { ...secret, ...client, AUTH_URL: url, PORT: ports[0], NODE_ENV: "development" };
      if (given.build !== undefined) await application.run(given.build);
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
  },
);
