import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeManifest } from "../adopt/edit-manifest.ts";
import { installCommand, packageManagerOf } from "../files/package-manager.ts";
import { runCli } from "../run-cli.ts";

const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });

let folder = "";

// Made once: git takes longer than most of the tests.
const made = mkdtempSync(join(tmpdir(), "cardea-adopt-"));
afterAll(() => rmSync(made, { recursive: true }));

beforeAll(() => {
  folder = made;
  mkdirSync(join(folder, "app"));
  writeFileSync(
    join(folder, "app/package.json"),
    '{\n  "dependencies": {\n    "next": "15.0.0",\n    "next-auth": "5.0.0-beta.32"\n  }\n}\n',
  );
  writeFileSync(
    join(folder, "app/auth.ts"),
    'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [] });\n',
  );
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first");
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cardea-adopt-"));
  cpSync(made, folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => runIn("app", ...args);

async function runIn(name: string, ...args: string[]) {
  const lines: string[] = [];
  const add = (line: string) => {
    lines.push(line);
  };
  const code = await runCli(args, {
    folder: join(folder, name),
    env: {},
    write: add,
    warn: add,
  });
  return { code, output: lines.join("\n") };
}

describe("cardea adopt", () => {
  it("reports and writes nothing with --dry-run", async () => {
    const { code, output } = await run("adopt", "--dry-run");
    expect(code).toBe(0);
    expect(output).toContain("auth.ts:1  `NextAuth` → `createAuth`");
    expect(output).toContain("Nothing was written.");
    expect(String(git(folder, "status", "--porcelain"))).toBe("");
  });

  it("names the places of a file for which it says the same in one line", async () => {
    const cookie = 'cookies.get("authjs.session-token");\n';
    writeFileSync(join(folder, "app/code.ts"), `${cookie}\n${cookie}${cookie}`);
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "code");
    const { output } = await run("adopt", "--dry-run");
    expect(output).toContain(
      "Requires a manual edit (3)\n  code.ts:1, 3, 4  name of a former cookie\n      call `auth()`",
    );
    expect(output.match(/name of a former cookie/g)).toHaveLength(1);
    const { report } = JSON.parse((await run("adopt", "--dry-run", "--json")).output);
    expect(report.filter(({ kind }: { kind: string }) => kind === "left")).toHaveLength(3);
  });

  it("prints what needs a hand first, and summarizes a long rest", async () => {
    for (let index = 0; index < 30; index += 1)
      writeFileSync(join(folder, `app/a${index}.ts`), 'export { getSession } from "next-auth/react";\n');
    writeFileSync(join(folder, "app/code.ts"), 'cookies.get("authjs.session-token");\n');
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "code");
    const { output } = await run("adopt", "--dry-run");
    expect(output).toMatch(/^Requires a manual edit \(1\)\n {2}code\.ts:1 {2}[\s\S]*\n\nChanged \(3\d\)\n/);
    expect(output).toContain("  a0.ts:1 and 29 more files  next-auth/react → @cardea/next/react\n");
    expect(output).toContain("--verbose lists every place.");
    expect(output.split("\n").length).toBeLessThan(20);
    const verbose = (await run("adopt", "--dry-run", "--verbose")).output;
    for (let index = 0; index < 30; index += 1) expect(verbose).toContain(`  a${index}.ts:1  next-auth/react`);
    expect(verbose).not.toContain("--verbose");
  });

  it("moves one package of a workspace, and changes nothing the second time", async () => {
    expect((await run("adopt", "--no-install")).code).toBe(0);
    expect(readFileSync(join(folder, "app/auth.ts"), "utf8")).toContain('from "@cardea/next"');
    expect(JSON.parse(readFileSync(join(folder, "app/package.json"), "utf8")).dependencies).toEqual({
      "@cardea/bridge-authjs": "latest",
      "@cardea/next": "latest",
      next: "15.0.0",
    });
    git(folder, "commit", "-qam", "moved");
    const second = await run("adopt", "--no-install");
    expect(second).toEqual({ code: 0, output: expect.stringContaining("Nothing to migrate") });
    expect(String(git(folder, "status", "--porcelain"))).toBe("");
  });

  it("reads the workspace around the folder", async () => {
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    put("pnpm-workspace.yaml", "catalog:\n  next-auth: 5.0.0-beta.25\npatchedDependencies:\n  next-auth: a.patch\n");
    put("patches/next-auth+5.patch", "");
    put("base.json", '{ "compilerOptions": { "paths": { "~/*": ["./app/lib/*"] } } }');
    put("web/package.json", '{ "name": "web", "dependencies": { "@acme/auth": "workspace:*" } }');
    put("app/package.json", '{ "name": "@acme/auth", "dependencies": { "next": "15.0.0", "next-auth": "catalog:" } }');
    put("app/tsconfig.json", '{ "extends": "../base.json" }');
    put(
      "app/auth.ts",
      'import NextAuth from "next-auth";\nimport { config } from "~/c";\nexport const a = NextAuth(config);\n',
    );
    put("app/lib/c.ts", "export const config = { providers: [] };\n");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "workspace");
    const { report } = JSON.parse((await run("adopt", "--dry-run", "--json")).output);
    const lines = report.map(({ file, what }: { file: string; what: string }) => `${file} ${what}`);
    expect(lines).toContain("../pnpm-workspace.yaml `patchedDependencies` names next-auth");
    expect(lines).toContain("../patches/next-auth+5.patch patches next-auth");
    expect(lines.filter((line: string) => line.startsWith("lib/c.ts "))).toHaveLength(1);
    expect(JSON.stringify(report)).not.toMatch(/nextauth-v4|not known/);
    expect(await runIn("web", "adopt")).toEqual({
      code: 0,
      output: expect.stringMatching(
        /@acme\/auth of this workspace uses next-auth\n +run the command in \.\.\/app first, then here\n\nNothing was written\.\n?$/,
      ),
    });
  });

  it("writes nothing over a file that git ignores", async () => {
    writeFileSync(join(folder, "app/package.json"), '{ "dependencies": { "next": "15.0.0", "next-auth": "4.24.7" } }');
    mkdirSync(join(folder, "app/pages/api/auth"), { recursive: true });
    const route = join(folder, "app/pages/api/auth/[...nextauth].ts");
    writeFileSync(route, 'import NextAuth from "next-auth";\nexport default NextAuth({ providers: [] });\n');
    rmSync(join(folder, "app/auth.ts"));
    writeFileSync(join(folder, ".gitignore"), "auth.ts\n");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "v4");
    writeFileSync(join(folder, "app/auth.ts"), "// mine\n");
    expect(await run("adopt", "--no-install")).toEqual({
      code: 1,
      output: expect.stringContaining("Nothing was written. /auth.ts exists already, and git does not track it."),
    });
    expect((await run("adopt", "--dry-run")).output).toContain("nothing would be written: /auth.ts exists already");
    expect(readFileSync(join(folder, "app/auth.ts"), "utf8")).toBe("// mine\n");
    expect(String(git(folder, "status", "--porcelain"))).toBe("");
  });

  it("leaves a file behind a symbolic link, and names it", async () => {
    mkdirSync(join(folder, "other"));
    const text = 'import { getSession } from "next-auth/react";\nexport const session = getSession;\n';
    writeFileSync(join(folder, "other/session.ts"), text);
    symlinkSync("../other/session.ts", join(folder, "app/session.ts"));
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "link");
    const { code, output } = await run("adopt", "--no-install");
    expect(code).toBe(0);
    expect(output).toContain("session.ts  was not read: it is a symbolic link, or behind one");
    expect(readFileSync(join(folder, "other/session.ts"), "utf8")).toBe(text);
  });

  it("undoes everything if the packages cannot be installed", async () => {
    writeFileSync(join(folder, "app/package-lock.json"), "{}");
    writeFileSync(join(folder, "app/.npmrc"), "registry=http://127.0.0.1:1\nfetch-retries=0\naudit=false\n");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "broken");
    const { code, output } = await run("adopt");
    expect(code).toBe(1);
    expect(output).toContain("npm failed, so all files are as they were before.");
    expect(String(git(folder, "status", "--porcelain", "--ignored"))).toBe("");
  });

  it("refuses an unclean work tree, and says that git is the undo", async () => {
    writeFileSync(join(folder, "app/new.ts"), "");
    expect(await run("adopt")).toEqual({
      code: 1,
      output: expect.stringMatching(/uncommitted changes \(app\/new\.ts\).*undo the migration with git/s),
    });
  });

  it("refuses a folder outside of a repository", async () => {
    rmSync(join(folder, ".git"), { recursive: true });
    expect(await run("adopt")).toEqual({ code: 1, output: expect.stringContaining("not in a git repository") });
  });
});

describe("packageManagerOf()", () => {
  it("is named by package.json, else by the lockfile of the folder or of one above it, else npm", async () => {
    expect(await packageManagerOf(join(folder, "app"))).toBe("npm");
    writeFileSync(join(folder, "pnpm-lock.yaml"), "");
    expect(await packageManagerOf(join(folder, "app"))).toBe("pnpm");
    writeFileSync(join(folder, "app/package.json"), '{ "packageManager": "yarn@4.0.0" }');
    expect(await packageManagerOf(join(folder, "app"))).toBe("yarn");
    expect(installCommand("yarn", ["a"])).toEqual(["yarn", "add", "a"]);
    expect(installCommand("npm", ["a"])).toEqual(["npm", "install", "a"]);
    expect(installCommand("pnpm", [])).toEqual(["pnpm", "install"]);
  });

  it.each([
    [".package-lock.json", "npm"],
    [".yarn-integrity", "yarn"],
    [".modules.yaml", "pnpm"],
  ])("is, of several lockfiles, the one that left node_modules/%s", async (trace, manager) => {
    for (const name of ["package-lock.json", "yarn.lock", "pnpm-lock.yaml"]) writeFileSync(join(folder, name), "");
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules", trace), "");
    expect(await packageManagerOf(folder)).toBe(manager);
  });
});

describe("changeManifest()", () => {
  it("removes and adds lines, and keeps every other byte", () => {
    const text =
      '{\r\n\t"dependencies": {\r\n\t\t"a": "1",\r\n\t\t"next-auth": "4"\r\n\t},\r\n\t"devDependencies": { "@auth/core": "1", "b": "2" }\r\n}';
    expect(changeManifest(text, { removed: ["next-auth", "@auth/core"], added: ["x", "y"] })).toBe(
      '{\r\n\t"dependencies": {\r\n\t\t"x": "latest",\r\n\t\t"y": "latest",\r\n\t\t"a": "1"\r\n\t},\r\n\t"devDependencies": { "b": "2" }\r\n}',
    );
  });

  it("makes the list where there is none", () => {
    expect(JSON.parse(changeManifest('{ "name": "a" }', { removed: [], added: ["x"] }))).toEqual({
      name: "a",
      dependencies: { x: "latest" },
    });
    expect(JSON.parse(changeManifest('{ "dependencies": {} }', { removed: [], added: ["x"] }))).toEqual({
      dependencies: { x: "latest" },
    });
  });
});
