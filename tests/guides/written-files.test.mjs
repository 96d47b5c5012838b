// The files that `cardea init` writes: TypeScript compiles, as strict as it gets, and servers start and sign users in. From the sources,
// without an installation; tests/install/as-a-developer.test.mjs has the rest.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMariadb } from "../../packages/adapter-kysely/src/databases/mariadb.ts";
import { openPostgres } from "../../packages/adapter-kysely/src/databases/postgres.ts";
import { runCli } from "../../packages/cli/src/run-cli.ts";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { whereReachable } from "../../packages/testing/src/served-databases.ts";
import { compile } from "../../tools/compile.mjs";
import { sourcePaths } from "../../tools/source-files.mjs";
import { sendAsIs } from "../install/send-as-is.mjs";

const root = join(import.meta.dirname, "../..");
/** Where packages of others are: those that `init` installs. */
const INSTALLED = ["adapter-kysely", "express", "next", "providers-email"].map((name) =>
  join(root, "packages", name, "node_modules"),
);
const DATABASES = ["sqlite", "postgresql", "mysql", "none"];

let folder = "";
const closes = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cardea-written-"));
});
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function init(args, place = folder) {
  const output = [];
  const add = (line) => output.push(line);
  const host = { folder: place, env: {}, write: add, warn: add };
  const code = await runCli(["init", "--yes", "--no-install", ...args], host);
  expect(code, output.join("\n")).toBe(0);
  return output.join("\n");
}

const providers = (...names) => names.flatMap((name) => ["--provider", name]);
const EVERY = providers("email", "password", "github", "google");
const MANIFEST = { express: "5.0.0", next: "16.0.0" };

function existing(framework, place, manifest = {}) {
  mkdirSync(join(place, framework === "next" ? "app" : "src"), { recursive: true });
  const dependencies = { [framework]: MANIFEST[framework] };
  writeFileSync(join(place, "package.json"), JSON.stringify({ dependencies, ...manifest }));
  writeFileSync(join(place, "tsconfig.json"), "{}");
  if (framework === "express") writeFileSync(join(place, "src/index.ts"), "");
}

async function freePort() {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return String(port);
}

/** Starts the development script, with other ports and the packages' sources. */
async function start(env = {}) {
  const ports = { 3000: await freePort(), 4000: await freePort(), 4025: await freePort() };
  for (const file of ["dev-auth.mjs", ".env.local"]) {
    const text = readFileSync(join(folder, file), "utf8").replace(/3000|4000|4025/g, (one) => ports[one]);
    writeFileSync(join(folder, file), text);
  }
  if (!existsSync(join(folder, "node_modules"))) linkPackages();
  await build({
    entryPoints: [join(folder, "dev-auth.mjs")],
    outfile: join(folder, "bundle.mjs"),
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    external: ["libsql"],
    nodePaths: INSTALLED,
    tsconfig: join(root, "tsconfig.json"),
    banner: {
      js: 'import { createRequire as forBundle } from "node:module"; const require = forBundle(import.meta.url);',
    },
  });
  const child = spawn(process.execPath, ["--env-file=.env.local", "bundle.mjs"], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env, PORT: ports[3000] },
  });
  let output = "";
  const ended = once(child, "close");
  const answers = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk;
        if (output.includes(`localhost:${ports[3000]}/account`)) resolve();
      });
  });
  const close = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  closes.push(close);
  await Promise.race([answers, ended]);
  const [url, issuer] = [`http://localhost:${ports[3000]}`, `http://127.0.0.1:${ports[4000]}`];
  return { url, issuer, close, output: () => output, hasEnded: () => child.exitCode !== null };
}

/** What the script that creates the tables imports. */
function linkPackages() {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@cardea"), { recursive: true });
  for (const name of ["kysely", "libsql", "mysql2", "pg"]) symlinkSync(join(INSTALLED[0], name), join(modules, name));
  symlinkSync(join(root, "packages/adapter-kysely"), join(modules, "@cardea/adapter-kysely"));
}

async function signIn({ url, issuer, output, hasEnded }) {
  if (hasEnded()) throw new Error(output());
  const browser = createBrowser(sendAsIs, { origin: url, routes: { [issuer]: sendAsIs }, follow: "all" });
  const page = await browser.navigate("/auth/signin?callbackUrl=/account");
  const chooser = await browser.submit(page.clone(), { button: "Sign in with Local provider" });
  await browser.submit(chooser, { button: "Continue", fields: { login: "ada-1815" } });
  return { browser, form: await page.text(), shown: await (await browser.navigate("/account")).text() };
}

describe("an application that init writes", () => {
  it("keeps users and sessions in SQLite", async () => {
    await init(["--framework", "express", "--database", "sqlite", ...EVERY]);
    const { shown, form } = await signIn(await start());
    expect(shown).toBe("Signed in as Ada Lovelace");
    expect(form).toContain(">Continue</button>");
    expect(form).not.toMatch(/Sign in with G/);
    const env = { cwd: folder, encoding: "utf8" };
    // Tables that exist stay as they are.
    execFileSync(process.execPath, ["auth-tables.mjs"], env);
    const read =
      'import S from "libsql"; console.log(new S("app.db").prepare(\'SELECT count(*) n FROM "Session"\').get().n)';
    expect(execFileSync(process.execPath, ["--input-type=module", "-e", read], env)).toBe("1\n");
  });
});

// Not defined otherwise: what is skipped counts as failed.
if (isLong) {
  describe("files that init adds to an application in TypeScript", () => {
    it("compile, for each database", async () => {
      for (const framework of ["next", "express"])
        for (const database of DATABASES) {
          const place = join(folder, `${framework}-${database}`);
          existing(framework, place);
          await init(["--database", database, ...EVERY], place);
        }
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
      expect(files.length).toBe(4 * 4 + 4 * 3);
      const own = Object.entries(sourcePaths(root)).map(([name, path]) => [name, [join(root, path)]]);
      const others = ["@types/*", "*"].flatMap((place) =>
        [...INSTALLED, join(root, "node_modules")].map((at) => join(at, place)),
      );
      const options = { moduleDetection: "force", jsx: "react-jsx", types: ["node"] };
      const paths = { ...Object.fromEntries(own), "*": others };
      const problems = await compile({
        compilerOptions: { ...options, paths },
        files: files.map((path) => join(folder, path)),
      });
      expect(problems).toEqual([]);
    });
  });

  describe("an application that init writes, with other databases and keys", () => {
    it.each([
      ["postgresql", openPostgres],
      ["mysql", openMariadb],
    ])("keeps users and sessions in %s, in the tables that its script creates", async (name, open) => {
      const database = await whereReachable(name, () => open(""));
      if (database === undefined) return;
      closes.push(() => database.close());
      const output = await init(["--framework", "express", "--database", name, ...EVERY]);
      expect(output).toContain("create its tables: node auth-tables.mjs");
      linkPackages();
      const env = { cwd: folder, encoding: "utf8", env: { ...process.env, DATABASE_URL: database.url } };
      for (let run = 0; run < 2; run++) execFileSync(process.execPath, ["auth-tables.mjs"], env);
      const { shown } = await signIn(await start({ DATABASE_URL: database.url }));
      expect(shown).toBe("Signed in as Ada Lovelace");
      const sessions = await database.db.selectFrom("Session").selectAll().execute();
      expect(sessions).toHaveLength(1);
    });

    it("needs no adapter without a database, and offers GitHub and Google with their keys", async () => {
      await init(["--framework", "fetch", "--database", "none", ...providers("github", "google")]);
      expect(readdirSync(folder)).not.toContain("users.mjs");
      const keys = {
        AUTH_GITHUB_ID: "id",
        AUTH_GITHUB_SECRET: "secret",
        AUTH_GOOGLE_ID: "id",
        AUTH_GOOGLE_SECRET: "secret",
      };
      const { shown, form } = await signIn(await start(keys));
      expect(shown).toBe("Signed in as Ada Lovelace");
      expect(form).toContain("Sign in with GitHub");
      expect(form).toContain("Sign in with Google");
    });

    it("names the key that lacks, and does not start", async () => {
      await init(["--framework", "express", "--database", "none", ...providers("github")]);
      const application = await start({ AUTH_GITHUB_ID: "id" });
      expect([application.hasEnded(), application.output()]).toEqual([
        true,
        expect.stringContaining("AUTH_GITHUB_SECRET"),
      ]);
    });
  });
}
