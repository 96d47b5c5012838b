// `cardea init` in an application that exists, with packages from a registry: files are added, it builds, starts and signs users in.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { stubFonts, stubModules } from "../applications/prepare-application.mjs";
import { createApplication } from "./create-application.mjs";
import { freePort, generate, publishFor } from "./guided-application.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const root = join(import.meta.dirname, "../..");
const { packageManager, devDependencies: pinned } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const express = JSON.parse(readFileSync(join(root, "packages/express/package.json"), "utf8")).devDependencies;

/** Pinned; the newest before a release. */
const GENERATOR = process.env.CARDEA_TEST_LONG ? "create-next-app@latest" : "create-next-app@16.4.3";

let registries;
beforeAll(async () => {
  const names = ["cli", "testing", "providers-email", "providers-password", "adapter-kysely", "next", "express"];
  registries = await publishFor([{ command: names.map((name) => `@cardea/${name}`).join(" ") }]);
});
afterAll(() => registries?.local.close());

let application;
afterEach(() => application?.remove());

/** The ports of the files may be in use on this machine. */
async function freePorts(folder) {
  const free = { 3000: await freePort(), 4000: await freePort(), 4025: await freePort() };
  for (const file of ["dev-auth.mjs", ".env.local"]) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text.replace(/3000|4000|4025/g, (one) => free[one]),
    );
  }
  return { port: free[3000], url: `http://localhost:${free[3000]}`, issuer: `http://127.0.0.1:${free[4000]}` };
}

/** Signs in by the local provider, and again after the application was started again. */
async function staysSignedIn(command, { port, url, issuer }, base) {
  const start = () => application.start(command, `${url}${base}/csrf`, { PORT: port });
  const server = await start();
  const browser = createBrowser(sendAsIs, { origin: url, routes: { [issuer]: sendAsIs }, follow: "all" });
  const signIn = await browser.navigate(`${base}/signin?callbackUrl=/account`);
  const chooser = await browser.submit(signIn, { button: "Sign in with Local provider" });
  await browser.submit(chooser, { button: "Continue", fields: { login: "ada-1815" } });
  const shown = async () => (await (await browser.navigate("/account")).text()).replaceAll("<!-- -->", "");
  expect(await shown(), server.output).toMatch(/Signed in as (?:Ada Lovelace|ada@example\.com)/);
  await application.stop(server);
  const second = await start();
  expect(await shown(), second.output).toMatch(/Signed in as (?:Ada Lovelace|ada@example\.com)/);
  expect(server.output + second.output).not.toMatch(/\[cardea\]\[error\]|⨯/);
}

/** What `init` printed as left to do by hand, after a text. */
const lineAfter = (output, text) =>
  output
    .split("\n")
    .find((line) => line.includes(text))
    .split(text)[1]
    .trim();

const read = (path) => readFileSync(join(application.folder, path), "utf8");

/** An application of Express before `init`, whose routes are the developer's. */
const EXPRESS =
  'const app = express();\napp.get("/", (req, res) => res.send("mine"));\napp.listen(process.env.PORT);\n';

describe("cardea init in an existing application", () => {
  it("adds to what create-next-app makes", async () => {
    application = createApplication("npm", registries);
    const { folder } = application;
    await generate(application, `npx --yes ${GENERATOR} made --yes --skip-install --disable-git`);
    const fonts = await stubFonts(folder, ["app/layout.tsx"]);
    const own = read("app/page.tsx");
    await application.run("npx --yes @cardea/cli init --yes --provider email --provider password --database sqlite");
    stubModules(folder, fonts);
    expect(read("app/page.tsx")).toBe(own);
    const ports = await freePorts(folder);
    await application.run("npx next build");
    expect(read(".gitignore")).toContain("app.db*\n");
    rmSync(join(folder, ".next"), { recursive: true });
    await staysSignedIn("npm run dev:auth", ports, "/api/auth");
  });

  it("adds to an application of Express in CommonJS, and says which lines are left", async () => {
    application = createApplication("npm", registries);
    await application.run("npm init --yes");
    await application.run("npm pkg set type=commonjs scripts.start='node index.js'");
    await application.run("npm install express");
    application.write("index.js", `const express = require("express");\n${EXPRESS}`);
    const output = await application.run("npx --yes @cardea/cli init --yes");
    const [load, routes, page] = ["is created:", "your routes:", "signed-in users:"].map((text) =>
      lineAfter(output, text),
    );
    expect(read("package.json")).toContain('"type": "commonjs"');
    application.write("index.js", `${load}\n${read("index.js")}`);
    application.write("index.js", read("index.js").replace("express();\n", `express();\n${routes}\n${page}\n`));
    await staysSignedIn("npm run dev", await freePorts(application.folder), "/auth");
  });

  it("adds to a package in TypeScript of a workspace, with its package manager", async () => {
    application = createApplication("npm", registries);
    const web = join(application.folder, "apps/web");
    const env = pnpmInPath();
    const manifest = { private: true, type: "module", scripts: { start: "node dist/index.js", build: "tsc" } };
    application.write("package.json", JSON.stringify({ private: true, packageManager }));
    // pnpm records the pin with a package for each system, and not every registry has all of them.
    application.write("pnpm-workspace.yaml", 'packages: ["apps/*"]\npmOnFail: ignore\n');
    application.write("apps/web/package.json", JSON.stringify(manifest));
    const compilerOptions = {
      strict: true,
      rootDir: "src",
      outDir: "dist",
      module: "nodenext",
      target: "es2023",
      types: ["node"],
    };
    application.write("apps/web/tsconfig.json", JSON.stringify({ compilerOptions, include: ["src"] }));
    application.write("apps/web/src/index.ts", `import express from "express";\n${EXPRESS}`);
    const types = `typescript@${pinned.typescript} @types/node@${pinned["@types/node"]} @types/express@${express["@types/express"]}`;
    await application.run(`cd apps/web && pnpm add express && pnpm add -D ${types}`, env);
    const output = await application.run("npx --yes @cardea/cli init --yes --folder apps/web", env);
    expect(output).toContain("$ pnpm add --save-dev @cardea/testing");
    const [load, routes, page] = ["is created:", "your routes:", "signed-in users:"].map((text) =>
      lineAfter(output, text),
    );
    const own = read("apps/web/src/index.ts");
    application.write(
      "apps/web/src/index.ts",
      `${load}\n${own.replace("express();\n", `express();\n${routes}\n${page}\n`)}`,
    );
    const ports = await freePorts(web);
    await application.run("cd apps/web && pnpm run build", env);
    await staysSignedIn(`cd apps/web && PATH=${env.PATH} pnpm run dev`, ports, "/auth");
  });
});

/** The pinned pnpm by its name, as a developer of a workspace has it. */
function pnpmInPath() {
  const folder = join(application.folder, ".bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "pnpm"), `#!/bin/sh\nexec npx --yes ${packageManager} "$@"\n`);
  chmodSync(join(folder, "pnpm"), 0o755);
  return { PATH: [folder, application.environment.PATH].join(delimiter) };
}
