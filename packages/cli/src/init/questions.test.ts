import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../run-cli.ts";
import { TEMPLATES } from "./frameworks.ts";
import { PROVIDERS } from "./providers.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cardea-init-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const [ENTER, DOWN, SPACE, CTRL_C] = ["\r", "\u001b[B", " ", "\u0003"] as const;

/** Runs `init` in a terminal whose user answers each question, by a part of its text, with these keys. */
async function init(args: readonly string[], answers: Readonly<Record<string, readonly string[]>> = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked: string[] = [];
  output.on("data", (chunk) => {
    const found = Object.entries(answers).find(([text]) => String(chunk).includes(text) && !asked.includes(text));
    if (found === undefined) return;
    asked.push(found[0]);
    setImmediate(() => {
      for (const key of found[1]) input.write(key);
    });
  });
  const lines: string[] = [];
  const add = (line: string) => {
    lines.push(line);
  };
  const terminal = { input, output };
  const all = ["init", "--no-install", ...args];
  const code = await runCli(all, { folder, env: {}, terminal, write: add, warn: add });
  return { code, asked, output: lines.join("\n") };
}

const read = (path: string) => readFileSync(join(folder, path), "utf8");
const FOLDER = "Where do the files go?";
const FRAMEWORK = "Which framework?";
const SIGN_IN = "How do users sign in";
const DATABASE = "Where are users stored?";
const ACCOUNT = "manage their account?";

describe("questionsFor()", () => {
  it("asks where a new application goes, its framework, how users sign in and where they are stored", async () => {
    const { code, asked, output } = await init([], {
      [FOLDER]: [..."shop", ENTER],
      [FRAMEWORK]: [DOWN, ENTER],
      [SIGN_IN]: [SPACE, DOWN, DOWN, SPACE, ENTER],
      [DATABASE]: [DOWN, ENTER],
      [ACCOUNT]: ["y"],
    });
    expect([code, asked]).toEqual([0, [FOLDER, FRAMEWORK, SIGN_IN, DATABASE, ACCOUNT]]);
    expect(readdirSync(folder)).toEqual(["shop"]);
    expect(output).toContain("Go to the folder: `cd shop`. Run `npm install`. Start it with");
    const configuration = read("shop/auth.mjs");
    expect(configuration).toContain('import { createAuth } from "@cardea/express"');
    expect(configuration).toContain("...(process.env.AUTH_GITHUB_ID ? [GitHub] : [])");
    expect(configuration).not.toContain("Nodemailer");
    expect(configuration).toMatch(
      /import \{ account \} from "@cardea\/account";[\s\S]* {2}extensions: \[account\(\)\],/,
    );
    expect(read("shop/package.json")).toContain('"@cardea/account"');
    expect(read("shop/AUTH.md")).toContain("pass `account()` your function `mail`");
    expect(read("shop/users.mjs")).toContain("new PostgresDialect({ pool })");
  });

  it("takes the usual answers from Enter alone", async () => {
    const { code } = await init([], {
      [FOLDER]: [ENTER],
      [FRAMEWORK]: [ENTER],
      [SIGN_IN]: [ENTER],
      [DATABASE]: [ENTER],
      [ACCOUNT]: [ENTER],
    });
    expect(read("auth.js")).not.toContain("extensions");
    expect([code, read("auth.js")]).toEqual([0, expect.stringContaining("Nodemailer(")]);
    expect(read("auth.js")).toContain("@cardea/next");
    expect(read("users.js")).toContain("new SqliteDialect({ database })");
  });

  it.each([FOLDER, FRAMEWORK, SIGN_IN, DATABASE, ACCOUNT])("writes nothing after Ctrl-C at %j", async (last) => {
    const usual = { [FRAMEWORK]: [ENTER], [SIGN_IN]: [ENTER], [DATABASE]: [ENTER] };
    const answers = { [FOLDER]: ["shop", ENTER], ...usual, [last]: [CTRL_C] };
    expect(await init([], answers)).toMatchObject({ code: 1, output: "Nothing was written." });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("asks an application with a framework and a database only how users sign in", async () => {
    writeFileSync(join(folder, "package.json"), '{ "dependencies": { "express": "5.0.0", "drizzle-orm": "0.45.0" } }');
    writeFileSync(join(folder, "index.js"), "mine");
    const { asked } = await init([], { [SIGN_IN]: [ENTER] });
    expect(asked).toEqual([SIGN_IN]);
    expect(read("auth.js")).toContain('require("@cardea/express")');
  });

  it("creates no tables beside those of the application's own library", async () => {
    writeFileSync(
      join(folder, "package.json"),
      '{ "dependencies": { "express": "5.0.0", "@prisma/client": "7.0.0" } }',
    );
    writeFileSync(join(folder, "index.js"), "mine");
    expect(await init(["--yes", "--database", "postgresql"])).toMatchObject({
      code: 1,
      output: expect.stringContaining("This application uses Prisma for its database."),
    });
    expect(existsSync(join(folder, "auth.js"))).toBe(false);
    expect((await init(["--yes"])).code).toBe(0);
    expect(read("users.js")).toContain("such as `export const adapter = PrismaAdapter(prisma)`");
    expect(read("AUTH.md")).toContain("PrismaAdapter(prisma)` of @cardea/adapter-prisma");
    expect(existsSync(join(folder, "auth-tables.mjs"))).toBe(false);
  });

  it("adds no account page without a database", async () => {
    expect(await init(["--yes", "--framework", "express", "--database", "none", "--account"])).toMatchObject({
      code: 2,
      output: expect.stringContaining("needs a database"),
    });
    expect(readdirSync(folder)).toEqual([]);
    expect((await init(["--yes", "--framework", "express", "--account"])).code).toBe(0);
    expect(read("auth.mjs")).toContain("extensions: [account()]");
    expect(read("dev-auth.mjs")).toContain("prints the messages of account()");
  });

  it("asks nothing that flags say, and nothing at all with --yes", async () => {
    const flags = ["--framework", "hono", "--provider", "google", "--database", "none", "--folder", "shop"];
    expect(await init(flags)).toMatchObject({ code: 0, asked: [] });
    expect(await init(["--yes", "--framework", "hono"])).toMatchObject({ code: 0, asked: [] });
    expect(read("auth.mjs")).toContain("Nodemailer(");
    expect(await init(["--yes", "--folder", "other"])).toMatchObject({
      code: 2,
      output: expect.stringContaining("Choose a framework"),
    });
    expect(existsSync(join(folder, "other"))).toBe(false);
  });
});

describe("cardea init --provider", () => {
  it.each(TEMPLATES)("writes every provider for %s, with what each still needs", async (framework) => {
    const names = Object.keys(PROVIDERS).flatMap((name) => ["--provider", name]);
    expect((await init(["--yes", "--framework", framework, ...names])).code).toBe(0);
    const configuration = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.m?js$/.test(path))
      .map(read)
      .join();
    for (const name of ["Nodemailer", "Password", "GitHub", "Google"])
      expect(configuration).toMatch(new RegExp(`import \\{ ${name} \\} from`));
    expect(read(".env.local")).toMatch(/^AUTH_GITHUB_ID=\nAUTH_GITHUB_SECRET=$/m);
    expect(read("AUTH.md")).toMatch(/^3\. \*\*E-mail.*[\s\S]*^4\. \*\*Passwords.*[\s\S]*^6\. \*\*Google/m);
    const { dependencies } = JSON.parse(read("package.json"));
    expect(Object.keys(dependencies)).toEqual(
      expect.arrayContaining(["@cardea/providers-password", "@cardea/providers-google"]),
    );
  });

  it("writes no mail server without e-mail, and only the local provider for none", async () => {
    expect((await init(["--yes", "--framework", "express", "--provider", "none"])).code).toBe(0);
    expect(read("dev-auth.mjs")).not.toMatch(/startSmtpSink|4025|NODE_ENV/);
    expect(read(".env.local")).not.toContain("SMTP_URL");
  });

  it.each(["provider", "database"])("names a %s that it does not know, and writes nothing", async (flag) => {
    const { code, output } = await init(["--framework", "express", `--${flag}`, "gitlab"]);
    expect([code, output]).toEqual([2, expect.stringContaining(`Unknown ${flag} "gitlab". Choose`)]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
