// What a newcomer does who has nothing but the guides: their words are followed in an empty folder, with packages from a registry.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { applicationFor, publishFor, split } from "./guided-application.mjs";
import { readExamples, readWalkthrough } from "./read-walkthrough.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const root = join(import.meta.dirname, "../..");
const { devDependencies: pinned } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const express = JSON.parse(readFileSync(join(root, "packages/express/package.json"), "utf8"));

const guide = readWalkthrough("docs/getting-started.md", "From an empty folder to a protected page");

let registries;
beforeAll(async () => {
  registries = await publishFor(guide.steps);
});
afterAll(() => registries?.local.close());

// npm with every change, the others before a release: see vitest.config.ts.
const managers = process.env.CARDEA_PACKAGE_MANAGERS.split(" ");

describe.each(managers)("docs/getting-started.md, with %s", (manager) => {
  const { steps, text } = guide;
  const { before, start } = split(steps, ["node "]);
  const [, password] = /the password `([^`]+)`/.exec(text) ?? [];
  const [page] = /(?<=<http:\/\/localhost:3000)[^>]+/.exec(text) ?? [];

  let application;
  let url;
  beforeAll(async () => {
    const made = await applicationFor(manager, ["3000"], registries);
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

  it("ends with an error when the port is taken", async () => {
    await expect(application.run(start[0])).rejects.toThrow("EADDRINUSE");
  });

  // Each change checks the same declarations and examples in tests/compat/declarations.test.mjs and tools/check-snippets.mjs.
  if (isLong)
    it("compiles as strict TypeScript, declarations of the packages included", async () => {
      const types = `@types/express@${express.devDependencies["@types/express"]} @types/node@${pinned["@types/node"]}`;
      await application.run(`npm install --save-dev typescript@${pinned.typescript} ${types}`);
      const examples = [...readExamples("docs/sessions.md"), ...readExamples("packages/express/README.md")];
      expect(examples.length).toBeGreaterThan(3);
      for (const [index, example] of examples.entries()) application.write(`example-${index}.ts`, example);
      const options = "--strict --exactOptionalPropertyTypes --noEmit --skipLibCheck false --moduleDetection force";
      await application.run(`npx tsc ${options} --module nodenext --target es2022 --types node example-*.ts`);
    });
});
