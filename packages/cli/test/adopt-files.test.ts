import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { ts } from "ts-morph";
import { expect, it } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { runCli } from "../src/run-cli.ts";

/** Files of an application on NextAuth v4, by what is unusual about their text. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  "lib/options.ts": [
    `// The options.
import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";

export const authOptions: NextAuthOptions = {
  // One user.
  providers: [Credentials({ credentials: { name: {} }, async authorize(credentials) { /* anyone */ return find(credentials?.name) } })],
  secret: process.env.NEXTAUTH_SECRET, // kept
};
`,
    `import type { NextAuthOptions } from "next-auth"; import Credentials from "next-auth/providers/credentials"; /* one line */ export const authOptions: NextAuthOptions = { providers: [Credentials({ credentials: { name: {} }, authorize: async (credentials) => { return find(credentials) } })] }`,
    `import Credentials from 'next-auth/providers/credentials' // no semicolons

export const authOptions = {
  providers: [
    Credentials({
      credentials: { name: {} },
      async authorize(credentials) { // who
        // anyone
        return find(credentials)
      },
    }),
  ],
}
`,
    `import Credentials from "next-auth/providers/credentials";
/** Throws texts. */
export const authOptions = {
  providers: [Credentials({ credentials: { name: {} }, authorize: async (credentials) => { if (!credentials) throw new Error("Wrong"); return find(credentials); } })], // one
};
`,
    `import Azure from "next-auth/providers/azure-ad";
const tenantId = "1"; // the tenant
export const authOptions = { providers: [Azure({ clientId, tenantId })] };
`,
  ],
  "pages/api/auth/[...nextauth].ts": [
    `import NextAuth from "next-auth";
import { authOptions } from "../../../lib/options";

export default NextAuth(authOptions); // the route
`,
    `import NextAuth from "next-auth"; import Email from "next-auth/providers/email"; export const authOptions = { providers: [Email({ from: "a" })] }; export default NextAuth(authOptions)`,
  ],
  "server/handler.ts": [
    `import NextAuth from "next-auth"; // a handler
import { authOptions } from "../lib/options";
export const authHandler = NextAuth(authOptions);
`,
  ],
  "pages/index.tsx": [
    `import { getServerSession } from "next-auth/next";
import { authOptions } from "../lib/options";
/** The page. */
export default async function Page(props: { name: string }) { return <p>{props.name}</p>; }
export async function getServerSideProps({ req, res }: Context) { const session = await getServerSession(req, res, authOptions); return { props: { session } }; }
`,
    `import { useSession } from "next-auth/react"; // hooks
export default () => { const { data } = useSession(); return <>{data?.user?.name}</> }
`,
  ],
  "types/next-auth.d.ts": [
    `import "next-auth";
declare module "next-auth" { interface Session { role: string } } // roles
`,
    `// No import.
declare module "next-auth/jwt" { interface JWT { role: string } }
`,
  ],
  "broken.ts": ['import NextAuth from "next-auth";\nexport const broken = {{ };\n'],
  ".env.example": ["# secrets\nNEXTAUTH_SECRET=\nNEXTAUTH_URL=http://localhost:3000\n"],
};

/** What else lies in the folder. `outside` is the folder of another project. */
const TRAPS = ["file link", "folder link", "link inside", "ignored file", "unwatched file", "not UTF-8"] as const;

const trees = fc.record({
  files: fc.tuple(
    ...Object.entries(SOURCES).map(([path, texts]) =>
      fc.record({ path: fc.constant(path), text: fc.option(fc.constantFrom(...texts), { nil: undefined, freq: 6 }) }),
    ),
  ),
  lines: fc.constantFrom("\n", "\r\n"),
  mark: fc.constantFrom("", "\uFEFF"),
  below: fc.constantFrom("", "src/"),
  traps: fc.uniqueArray(fc.constantFrom(...TRAPS), { maxLength: 3 }),
});

type Tree = typeof trees extends fc.Arbitrary<infer T> ? T : never;

const OPTIONS = 'import NextAuth from "next-auth";\nexport const other = NextAuth({ providers: [] });\n';

/** Writes a tree into a repository. @returns the paths of traps, which nothing may change. */
function create(root: string, { files, lines, mark, below, traps }: Tree): readonly string[] {
  const app = join(root, "app");
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), text);
    return path;
  };
  mkdirSync(join(root, "outside"), { recursive: true });
  writeFileSync(join(root, "outside/auth.ts"), OPTIONS);
  put("package.json", JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "4.24.7" } }, null, 2));
  for (const { path, text } of files) {
    const place = path.startsWith(".") || path.startsWith("types") ? path : below + path;
    if (text !== undefined) put(place, mark + text.replaceAll("\n", lines));
  }
  mkdirSync(join(app, `${below}lib`), { recursive: true });
  const made: Readonly<Record<(typeof TRAPS)[number], () => readonly string[]>> = {
    "file link": () => [link(app, "../outside/auth.ts", "linked.ts")],
    "folder link": () => [link(app, "../outside", "shared")],
    "link inside": () => [link(app, "pages", `${below}lib/pages`)],
    "ignored file": () => [put(".gitignore", "auth.ts\n"), put(`${below}auth.ts`, "// mine\n")],
    "unwatched file": () => [put("unwatched.ts", OPTIONS)],
    "not UTF-8": () => [put("latin.ts", Buffer.from(`// \xe9\n${OPTIONS}`, "latin1"))],
  };
  const paths = traps.flatMap((trap) => made[trap]());
  git(app, "init", "-q");
  git(app, "add", "-A");
  git(app, "commit", "-qm", "first");
  if (traps.includes("unwatched file")) git(app, "update-index", "--skip-worktree", "unwatched.ts");
  return paths;
}

function link(app: string, target: string, path: string): string {
  symlinkSync(target, join(app, path));
  return path;
}

const git = (cwd: string, ...args: readonly string[]) =>
  String(execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd }));

/** Every file and link below a folder, with its content. */
function contents(folder: string, below = ""): ReadonlyMap<string, string> {
  const names = readdirSync(join(folder, below)).filter((name) => name !== ".git");
  return new Map(
    names.flatMap((name) => {
      const path = below === "" ? name : `${below}/${name}`;
      const stats = lstatSync(join(folder, path));
      if (stats.isDirectory()) return [...contents(folder, path)];
      const text = stats.isSymbolicLink()
        ? readlinkSync(join(folder, path))
        : readFileSync(join(folder, path), "latin1");
      return [[path, text] as const];
    }),
  );
}

async function adopt(app: string) {
  const lines: string[] = [];
  const warnings: string[] = [];
  const code = await runCli(["adopt", "--no-install", "--json"], {
    folder: app,
    env: {},
    write: (line) => lines.push(line),
    warn: (line) => warnings.push(line),
  });
  const { report = [] }: { report?: { kind: string; file: string; what: string }[] } =
    lines[0] === undefined ? {} : JSON.parse(lines[0]);
  return { code, report, warning: warnings.join("\n") };
}

const utf8 = (text: string) => Buffer.from(text, "latin1").toString();

const parses = (path: string, text: string) => {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: path.replace(".d.ts", ".ts"),
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.Preserve },
  });
  return diagnostics.length === 0;
};

const comments = (text: string) => [...text.matchAll(/\/\/ [\w ]+|\/\*.*?\*\//g)].map(([comment]) => comment);

it("writes only what git can restore, and text that parses", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(trees, async (tree) => {
      const root = mkdtempSync(join(tmpdir(), "cardea-trees-"));
      const app = join(root, "app");
      try {
        const traps = create(root, tree);
        const before = contents(root);
        const { code, report, warning } = await adopt(app);
        const after = contents(root);
        const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
          (path) => before.get(path) !== after.get(path),
        );
        const untouched = [
          "outside/auth.ts",
          "app/broken.ts",
          `app/${tree.below}broken.ts`,
          ...traps.map((path) => `app/${path}`),
        ];
        expect(changed.filter((path) => untouched.includes(path))).toEqual([]);
        if (code !== 0) {
          expect(changed).toEqual([]);
          expect(warning).toMatch(/^Nothing was written\. .*auth\.ts/);
          return;
        }
        for (const path of changed) {
          const own = path.replace(/^app\//, "");
          const text = utf8(after.get(path) ?? "");
          if (/\.tsx?$/.test(path)) expect([path, text, parses(path, text)]).toEqual([path, text, true]);
          expect(report.some(({ file }) => file === own) || !after.has(path), `a line for ${own}`).toBe(true);
          const former = utf8(before.get(path) ?? "");
          if (!after.has(path) || former === "") continue;
          if (tree.lines === "\r\n" && /\r\n/.test(former)) expect(text).not.toMatch(/[^\r]\n/);
          expect(text.startsWith("\uFEFF")).toBe(former.startsWith("\uFEFF"));
          const isMoved = report.some(({ what }) => what.includes(`that was in ${own}`));
          if (!isMoved) expect(comments(text)).toEqual(expect.arrayContaining(comments(former)));
        }
        const named = { "file link": "linked.ts", "unwatched file": "unwatched.ts", "not UTF-8": "latin.ts" };
        for (const [trap, file] of Object.entries(named))
          if (tree.traps.some((one) => one === trap))
            expect(report).toContainEqual(expect.objectContaining({ kind: "left", file }));
        for (const path of before.keys())
          if (/broken\.ts$/.test(path))
            expect(report).toContainEqual(expect.objectContaining({ kind: "left", file: path.replace("app/", "") }));
        git(app, "add", "-A");
        git(app, "commit", "-qm", "moved");
        const second = await adopt(app);
        expect([second.code, second.warning]).toEqual([0, ""]);
        expect(contents(root)).toEqual(after);
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: isLong ? 300 : 3 },
  );
});
