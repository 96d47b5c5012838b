import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { encode } from "@cardea/core/jwt";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../run-cli.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cardea-cli-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const add = (line: string) => {
    lines.push(line);
  };
  const code = await runCli(args, { folder, env, write: add, warn: add });
  return { code, output: lines.join("\n") };
}

const read = (path: string) => readFileSync(join(folder, path), "utf8");

describe("runCli()", () => {
  it("lists its commands, and refuses a call that it does not know with exit code 2", async () => {
    expect(await run(["--help"])).toEqual({ code: 0, output: expect.stringMatching(/\n {2}adopt +migrates/) });
    expect(await run(["--version"])).toEqual({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(await run(["adapt"])).toEqual({ code: 2, output: expect.stringContaining('Unknown command "adapt"') });
    expect(await run(["secret", "--fast"])).toEqual({ code: 2, output: expect.stringContaining("--fast") });
    expect((await run(["secret", "--fast"])).output).toMatch(/\. See: npx @cardea\/cli secret --help$/);
    expect(await run(["doctor", "--help"])).toEqual({ code: 0, output: expect.stringContaining("--json") });
    expect((await run([])).code).toBe(2);
  });

  it("prints no control characters of others, and no credentials of a URL", async () => {
    const { output } = await run(["\u001b[2J\u202e postgres://ann:secret@db.example.com/app"]);
    expect(output).toContain("\\u001b[2J\\u202e postgres://…@db.example.com/app");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202e]|secret@/);
  });

  it("says what stopped a command, and where to report it", async () => {
    const fail = () => {
      throw new Error("the environment cannot be read");
    };
    const { code, output } = await run(["open", "a token"], new Proxy({}, { get: fail, ownKeys: fail }));
    expect(code).toBe(1);
    expect(output).toMatch(/^`open` stopped: the environment cannot be read\n.*report it: https:/);
  });
});

describe("cardea secret", () => {
  it("prints 32 random bytes, others each time", async () => {
    const [first, second] = [await run(["secret"]), await run(["secret"])];
    expect(Buffer.from(first.output, "base64url")).toHaveLength(32);
    expect(first.output).not.toBe(second.output);
  });

  it("puts a new secret first and keeps every other line", async () => {
    writeFileSync(join(folder, ".env.local"), "A=1\nAUTH_SECRET=old\nB=2\n");
    expect((await run(["secret", "--rotate"])).output).toContain("1 previous secret is still accepted");
    expect(read(".env.local")).toMatch(/^A=1\nAUTH_SECRET=[\w-]{43}\nAUTH_SECRET_1=old\nB=2\n$/);
  });

  it("drops the fourth former secret, and says so", async () => {
    writeFileSync(join(folder, ".env"), "AUTH_SECRET=a\r\nAUTH_SECRET_1=b\r\nAUTH_SECRET_2=c\r\nAUTH_SECRET_3=d\r\n");
    expect((await run(["secret", "--rotate", "--file", ".env"])).output).toContain("The oldest secret was removed");
    expect(read(".env")).toMatch(
      /^AUTH_SECRET=[\w-]{43}\r\nAUTH_SECRET_1=a\r\nAUTH_SECRET_2=b\r\nAUTH_SECRET_3=c\r\n$/,
    );
  });

  it("refuses to rotate a file that is not there", async () => {
    expect((await run(["secret", "--rotate"])).code).toBe(1);
  });
});

describe("cardea open", () => {
  it("names the format, the secret and the claims of a cookie, whole or in chunks", async () => {
    const token = await encode({ token: { sub: "42" }, secret: "former", salt: "__Host-cardea.session-token" });
    const env = { AUTH_SECRET: "current", AUTH_SECRET_1: "former" };
    const opened = {
      code: 0,
      output: expect.stringMatching(
        /format: cardea\nsecret: AUTH_SECRET_1\ncookie: __Host-cardea\.session-token\n[\s\S]*"sub": "42"/,
      ),
    };
    expect(await run(["open", token], env)).toEqual(opened);
    const header = `a=b; __Host-cardea.session-token.1=${token.slice(50)}; __Host-cardea.session-token.0=${token.slice(0, 50)}`;
    expect(await run(["open", header], env)).toEqual(opened);
  });

  it("says when nothing opens it, and when there is No secret found", async () => {
    expect(await run(["open", "abc"], { AUTH_SECRET: "x" })).toEqual({
      code: 1,
      output: expect.stringContaining("could not be decrypted with AUTH_SECRET"),
    });
    expect(await run(["open", "abc"])).toEqual({ code: 1, output: expect.stringContaining("No secret found") });
    expect((await run(["open"])).code).toBe(2);
  });
});

describe("cardea init", () => {
  it.each(["next", "express", "hono", "fastify", "sveltekit", "nuxt", "fetch"])(
    "writes an application for %s with a secret that git ignores",
    async (framework) => {
      const { code, output } = await run(["init", "--framework", framework, "--no-install"]);
      const next =
        /Run `npm install`\. Start it with `npm run dev` and open http:\/\/localhost:3000\/(?:account)?\. For another port, set PORT\./;
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(next) });
      expect(read(".env.local")).toMatch(/^AUTH_SECRET=[\w-]{43}$/m);
      expect(read(".gitignore")).toContain(".env.local");
      if (framework === "next") expect(read(".gitignore")).toContain(".next");
      expect(read("dev-auth.mjs")).toContain("startSmtpSink(");
      const manifest = JSON.parse(read("package.json"));
      expect(manifest.scripts.dev).toContain("node");
      expect(manifest.devDependencies).toHaveProperty("@cardea/testing");
      expect((await run(["doctor"])).output).toContain("No problems found.");
    },
  );

  it.each([
    [".env.local\n!.env.local\n", true],
    ["node_modules\n", true],
    ["/.env.*\n", false],
    [".env.local\n", false],
  ])("asks git whether it ignores the secret: %j", async (ignored, isAdded) => {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    writeFileSync(join(folder, ".gitignore"), ignored);
    expect((await run(["init", "--framework", "express", "--database", "none", "--no-install"])).code).toBe(0);
    expect(read(".gitignore") !== ignored).toBe(isAdded);
    execFileSync("git", ["check-ignore", "--quiet", ".env.local"], { cwd: folder });
  });

  it.each([
    [".env*\n*.db\n", ".env*\n*.db\n"],
    ["*.local\n/app.db", "*.local\n/app.db"],
    ["/.env.local", "/.env.local\napp.db*\n"],
    ["node_modules/\n", "node_modules/\napp.db*\n.env.local\n"],
    [".env*\n!.env.local\n", ".env*\n!.env.local\napp.db*\n.env.local\nnode_modules\n"],
  ])("adds to .gitignore only what its rules lack, also outside of a repository: %j", async (ignored, expected) => {
    writeFileSync(join(folder, ".gitignore"), ignored);
    expect((await run(["init", "--framework", "express", "--no-install"])).code).toBe(0);
    expect(read(".gitignore")).toBe(expected);
  });

  it("runs no program that the repository names", async () => {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    const touched = join(folder, "touched");
    for (const name of ["core.fsmonitor", "core.pager", "filter.x.clean", "filter.x.process"])
      execFileSync("git", ["config", name, `touch ${touched}; cat`], { cwd: folder });
    writeFileSync(join(folder, ".gitattributes"), "* filter=x\n");
    writeFileSync(join(folder, "package.json"), '{ "dependencies": { "next-auth": "4.24.0" } }');
    execFileSync("git", ["-c", "filter.x.process=", "-c", "filter.x.clean=cat", "add", "package.json"], {
      cwd: folder,
    });
    rmSync(touched, { force: true });
    writeFileSync(join(folder, "package.json"), '{ "dependencies": { "next-auth": "4.24.1" } }');
    for (const command of [["adopt"], ["doctor"], ["init", "--framework", "express", "--no-install"]])
      await run(command);
    expect(existsSync(touched)).toBe(false);
  });

  it("says that the packages were not installed, and what to run again", async () => {
    writeFileSync(join(folder, ".npmrc"), "registry=http://127.0.0.1:1/\nfetch-retries=0\n");
    const { code, output } = await run(["init", "--framework", "express"]);
    expect(code).not.toBe(0);
    expect(output).toMatch(
      /^\$ npm install .*@cardea\/express.*$[\s\S]*were not installed\. When .* run: npm install .* && npm install --save-dev /m,
    );
  });

  it("leaves the type and the scripts of a package as they are", async () => {
    writeFileSync(join(folder, "package.json"), '{ "scripts": { "dev": "nodemon" } }');
    const { code, output } = await run(["init", "--framework", "express", "--no-install"]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/~ package\.json\n.*npm run dev:auth/) });
    const { type, scripts } = JSON.parse(read("package.json"));
    expect([type, scripts]).toEqual([
      undefined,
      { dev: "nodemon", "dev:auth": "node --env-file=.env.local dev-auth.mjs" },
    ]);
    expect(read("dev-auth.mjs")).toContain('import("./app.mjs")');
    expect(read("app.mjs")).toContain('from "./auth.mjs"');
    expect(read("auth.mjs")).toContain('from "./users.mjs"');
  });

  const put = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const untouched = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files))
      if (path !== "package.json") expect([path, read(path)]).toEqual([path, text]);
  };

  it.each(["", "src/"])("adds to what create-next-app makes, in TypeScript, below %j", async (source) => {
    const files = {
      "package.json": '{ "name": "shop", "scripts": { "dev": "next dev" }, "dependencies": { "next": "16.4.6" } }',
      "tsconfig.json": "{}",
      ".gitignore": ".env*\n*.db\n",
      [`${source}app/page.tsx`]: "mine",
      [`${source}app/layout.tsx`]: "mine",
    };
    put(files);
    const { code, output } = await run(["init", "--no-install"]);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining("npm run dev:auth` and open http://localhost:3000/account"),
    });
    expect(output).toContain("Left to do by hand:\n  1. Link to /account");
    untouched(files);
    expect(read(`${source}app/account/page.tsx`)).toContain("await auth()");
    expect(read(`${source}auth.ts`)).toContain('from "@cardea/next"');
    expect(read("dev-auth.mjs")).toContain('spawn("npm", ["run","dev"]');
    const manifest = JSON.parse(read("package.json"));
    expect([manifest.type, manifest.scripts.dev, Object.keys(manifest.devDependencies)]).toEqual([
      undefined,
      "next dev",
      ["@cardea/testing"],
    ]);
    const again = await run(["init", "--no-install"]);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining("Nothing was written")]);
  });

  it.each([
    ["CommonJS", "index.js", undefined, 'require("@cardea/express")', "auth.js"],
    ["a module", "src/server.js", "module", 'from "./users.js"', "src/auth.js"],
  ])(
    "adds to an application of Express in %s, and says what is left to do by hand",
    async (_, entry, type, load, path) => {
      const files = {
        "package.json": JSON.stringify({ type, scripts: { start: "node ." }, dependencies: { express: "5.0.0" } }),
        [entry]: "mine",
        ".env.local": "OWN=1\n",
      };
      put(files);
      const { code, output } = await run(["init", "--no-install"]);
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('app.use("/auth", router);') });
      expect(output).toMatch(/1\. Add to \.env\.local, unless it has them: AUTH_SECRET=… .*AUTH_LOCAL_ID=demo/);
      untouched(files);
      expect(read(path)).toContain(load);
      expect(JSON.parse(read("package.json")).type).toBe(type);
    },
  );

  it("installs with the package manager of the workspace, test helpers for development only", async () => {
    put({
      "pnpm-workspace.yaml": "packages: [apps/*]\n",
      "pnpm-lock.yaml": "",
      "package.json": '{ "dependencies": { "express": "5.0.0" } }',
      "index.js": "mine",
    });
    expect((await run(["init", "--no-install"])).output).toContain("pnpm run dev");
    expect(read("dev-auth.mjs")).not.toContain("spawn(");
  });

  it.each(["{", "[]", "null"])("refuses a package.json of %s, and writes nothing", async (text) => {
    writeFileSync(join(folder, "package.json"), text);
    const refused = { code: 1, output: expect.stringContaining("package.json is not a JSON object") };
    expect(await run(["init", "--framework", "express", "--no-install"])).toEqual(refused);
    expect([existsSync(join(folder, "app.mjs")), read("package.json")]).toEqual([false, text]);
  });

  it("takes the framework from package.json, and overwrites nothing", async () => {
    writeFileSync(join(folder, "package.json"), '{ "name": "shop", "dependencies": { "express": "5.0.0" } }');
    writeFileSync(join(folder, "app.js"), "mine");
    writeFileSync(join(folder, "auth.mjs"), "mine");
    expect(await run(["init", "--no-install"])).toEqual({
      code: 1,
      output: expect.stringContaining("auth.mjs exists already"),
    });
    rmSync(join(folder, "auth.mjs"));
    expect((await run(["init", "--no-install"])).code).toBe(0);
    expect(read("app.js")).toBe("mine");
    expect(JSON.parse(read("package.json"))).toMatchObject({ name: "shop", dependencies: { express: "5.0.0" } });
  });

  it.each([
    ["next", "app/page.tsx"],
    ["next", "src/app/layout.tsx"],
    ["nuxt", "nuxt.config.ts"],
    ["sveltekit", "src/hooks.server.ts"],
  ])("writes nothing into an application for %s that has %s, and names the guide", async (framework, path) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), "mine");
    const { code, output } = await run(["init", "--framework", framework, "--no-install"]);
    expect(code).toBe(1);
    expect(output).toContain(`${path} exists already. To add Cardea to an existing application, see https://`);
    expect(existsSync(join(folder, ".env.local"))).toBe(false);
  });

  it("names a framework that it does not know, also where package.json has another", async () => {
    writeFileSync(join(folder, "package.json"), '{ "dependencies": { "express": "5.0.0" } }');
    const { code, output } = await run(["init", "--framework", "svelte"]);
    expect({ code, output }).toEqual({
      code: 2,
      output: expect.stringContaining('Unknown framework "svelte". Choose a framework: --framework next'),
    });
  });

  it("asks which framework where nothing tells", async () => {
    expect(await run(["init"])).toEqual({ code: 2, output: expect.stringContaining("--framework next") });
  });
});

describe("cardea doctor", () => {
  it("prints findings as JSON, with exit code 1", async () => {
    writeFileSync(join(folder, "package.json"), "{}");
    const { code, output } = await run(["doctor", "--json", "--production"]);
    expect(code).toBe(1);
    expect(JSON.parse(output).findings.map(({ id }: { id: string }) => id)).toEqual([
      "secret-missing",
      "url-missing",
      "no-configuration",
    ]);
  });

  it("reads SQL as well", async () => {
    writeFileSync(join(folder, "package.json"), "{}");
    const auth = "export const { auth } = createAuth({ providers: [], extensions: [vault()] });\n";
    writeFileSync(join(folder, "auth.ts"), `import { createAuth } from "@cardea/express";\n${auth}`);
    writeFileSync(join(folder, "tables.sql"), "CREATE TABLE account (access_token varchar(255));\n");
    expect((await run(["doctor"])).output).toContain("vault-columns  tables.sql:1 limits");
  });

  it("tells a second copy of core from a link to the first", async () => {
    await run(["init", "--framework", "express", "--no-install"]);
    const copy = (path: string) => {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, "package.json"), '{ "version": "1.2.3" }');
    };
    copy("node_modules/@cardea/core");
    mkdirSync(join(folder, "node_modules/@cardea/express/node_modules/@cardea"), { recursive: true });
    const nested = "node_modules/@cardea/express/node_modules/@cardea/core";
    symlinkSync(join(folder, "node_modules/@cardea/core"), join(folder, nested));
    expect((await run(["doctor"])).code).toBe(0);
    rmSync(join(folder, nested));
    copy(nested);
    expect((await run(["doctor"])).output).toContain("a second copy of @cardea/core (1.2.3)");
  });

  it("asks the running application with --url", async () => {
    await run(["init", "--framework", "express", "--no-install"]);
    writeFileSync(join(folder, ".env.local"), read(".env.local").replace(/^AUTH_LOCAL_ISSUER=.*\n/m, ""));
    const server = createServer((_req, res) => res.setHeader("cache-control", "public").end("[]"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { code, output } = await run(["doctor", "--url", `http://127.0.0.1:${port}/auth`]);
    await new Promise((resolve) => server.close(resolve));
    expect(code).toBe(1);
    expect(output).toMatch(
      /✗ cache-control {2}http:\/\/127\.0\.0\.1:\d+\/auth the session may be cached \(Cache-Control: public\)\n {4}Configure the proxy/,
    );
    expect(output).toContain("1 problem found.");
    expect((await run(["doctor", "--url", "example"])).code).toBe(2);
  });
});
