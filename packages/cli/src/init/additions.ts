import type { Parts } from "./sign-in-parts.ts";
import type { Starter } from "./starter.ts";

/** An existing application, as far as what is added depends on it. */
export interface Project {
  readonly isTypeScript: boolean;
  /** Whether `.js` files are ECMAScript modules. */
  readonly isModule: boolean;
  /** Where its sources are. */
  readonly source: "" | "src/";
  /** The command that starts it in development, as a list. */
  readonly start: readonly string[] | undefined;
}

/** What is added to an application, and what is left to its developer. */
export interface Addition extends Starter {
  readonly byHand: readonly string[];
}

const ACCOUNT = [
  'import { Suspense } from "react";',
  'import { auth, signIn, signOut } from "../../auth";',
  "",
  "async function enter() {",
  '  "use server";',
  '  await signIn(undefined, { redirectTo: "/account" });',
  "}",
  "",
  "async function leave() {",
  '  "use server";',
  '  await signOut({ redirectTo: "/" });',
  "}",
  "",
  "async function Account() {",
  "  const session = await auth();",
  "  if (session === null) {",
  "    return (",
  "      <form action={enter}>",
  "        <p>Only signed-in users see this page.</p>",
  "        <button>Sign in</button>",
  "      </form>",
  "    );",
  "  }",
  "  return (",
  "    <form action={leave}>",
  "      <p>Signed in as {session.user?.name ?? session.user?.email}.</p>",
  "      <button>Sign out</button>",
  "    </form>",
  "  );",
  "}",
  "",
  "// The session is known per request only, so the rest of the page does not wait for it.",
  "export default function Page() {",
  "  return (",
  "    <main>",
  "      <h1>Your account</h1>",
  "      <Suspense fallback={<p>…</p>}>",
  "        <Account />",
  "      </Suspense>",
  "    </main>",
  "  );",
  "}",
] as const;

/** Starts the local provider, then the application as its own script does. */
function devScript({ providerScript }: Parts, path: string, { start }: Project): string {
  const [program = "", ...args] = start ?? [];
  const run = [
    'import { spawn } from "node:child_process";',
    `const application = spawn(${JSON.stringify(program)}, ${JSON.stringify(args)}, { stdio: "inherit", shell: process.platform === "win32" });`,
    'application.once("exit", (code) => process.exit(code ?? 1));',
  ];
  return providerScript(path, ...(start === undefined ? [] : run));
}

/** Without a script that starts the application, `dev-auth.mjs` starts the local provider alone. */
const ownStart = ({ start }: Project): readonly string[] =>
  start === undefined
    ? ["Start the application with the variables of .env.local, while the script runs the local provider."]
    : [];

/** Users in memory, typed where the application is. */
function usersOf({ lines, wayOut }: Parts, { isTypeScript }: Project, isCommonJs: boolean): string {
  const type = isTypeScript ? " as { memory?: ReturnType<typeof createMemoryAdapter> }" : "";
  const name = '"@cardea/testing/memory-adapter"';
  const load = isCommonJs
    ? `const { createMemoryAdapter } = require(${name});`
    : `import { createMemoryAdapter } from ${name};`;
  const make = ["", `const kept = globalThis${type};`];
  const adapter = "(kept.memory ??= createMemoryAdapter())";
  const end = isCommonJs
    ? `module.exports = { adapter: ${adapter}.adapter };`
    : `export const { adapter } = ${adapter};`;
  return lines(load, "", ...wayOut, ...make, end);
}

/** Adds to a Next.js application with an `app` folder: new files only. */
export function addToNext(parts: Parts, project: Project): Addition {
  const { lines, environment, modules, signIn, readme, packages } = parts;
  const { source, isTypeScript } = project;
  const [code, page] = isTypeScript ? ["ts", "tsx"] : ["js", "js"];
  return {
    files: new Map([
      [
        `${source}auth.${code}`,
        lines(
          'import { createAuth } from "@cardea/next";',
          ...modules.map(([names, from]) => `import { ${names} } from "${from}";`),
          'import { adapter } from "./users";',
          "",
          "export const { handlers, auth, signIn, signOut } = createAuth({",
          ...signIn,
          "});",
        ),
      ],
      [`${source}users.${code}`, usersOf(parts, project, false)],
      [
        `${source}app/api/auth/[...auth]/route.${code}`,
        lines('import { handlers } from "../../../../auth";', "", "export const { GET, POST } = handlers;"),
      ],
      [`${source}app/account/page.${page}`, lines(...ACCOUNT)],
      ["dev-auth.mjs", devScript(parts, "/api/auth", project)],
      [".env.local", environment],
      ["AUTH.md", readme],
    ]),
    dependencies: [...packages, "@cardea/next"],
    devDependencies: ["@cardea/testing"],
    dev: "node dev-auth.mjs",
    byHand: [
      "Link to /account from one of your pages: visitors can sign in there, users sign out.",
      ...ownStart(project),
    ],
  };
}

/** Adds to an Express application: new files only, in its module system. */
export function addToExpress(parts: Parts, project: Project): Addition {
  const { lines, environment, modules, signIn, readme, packages } = parts;
  const { source, isTypeScript, isModule } = project;
  const isCommonJs = !isTypeScript && !isModule;
  const code = isTypeScript ? "ts" : "js";
  const from = (path: string) => (isModule ? `${path}.js` : path);
  const load = (names: string, name: string) =>
    isCommonJs ? `const { ${names} } = require("${name}");` : `import { ${names} } from "${name}";`;
  return {
    files: new Map([
      [
        `${source}auth.${code}`,
        lines(
          load("createAuth", "@cardea/express"),
          ...modules.map(([names, from]) => load(names, from)),
          load("adapter", from("./users")),
          "",
          `${isCommonJs ? "module.exports =" : "export const { router, auth } ="} createAuth({`,
          ...signIn,
          "  callbacks: { authorized: ({ auth }) => auth !== null },",
          "});",
        ),
      ],
      [`${source}users.${code}`, usersOf(parts, project, isCommonJs)],
      ["dev-auth.mjs", devScript(parts, "/auth", project)],
      [".env.local", environment],
      ["AUTH.md", readme],
    ]),
    dependencies: [...packages, "@cardea/express"],
    devDependencies: ["@cardea/testing"],
    dev: "node --env-file=.env.local dev-auth.mjs",
    byHand: [
      `Where the application is created: ${load("router, auth", from("./auth"))}`,
      'Before your routes: app.use("/auth", router);',
      'A page for signed-in users: app.get("/account", auth((req, res) => res.send("Signed in as " + req.auth.user?.email)));',
      "Listen on process.env.PORT ?? 3000, so that `PORT` chooses the port.",
      ...ownStart(project),
    ],
  };
}
