import type { Starter, StarterParts } from "./starter.ts";

const PAGE = [
  'import { auth, signIn, signOut } from "../auth";',
  "",
  "async function enter() {",
  '  "use server";',
  "  await signIn();",
  "}",
  "",
  "async function leave() {",
  '  "use server";',
  "  await signOut();",
  "}",
  "",
  "export default async function Page() {",
  "  const session = await auth();",
  "  if (session === null) return <form action={enter}><button>Sign in</button></form>;",
  "  return <form action={leave}>Signed in as {session.user?.name ?? session.user?.email}. <button>Sign out</button></form>;",
  "}",
] as const;

/** Next.js, with the App Router. */
export const next = ({
  lines,
  environment,
  imports,
  signIn,
  users,
  packages,
  providerScript,
}: StarterParts): Starter => ({
  files: new Map([
    [
      "auth.js",
      lines(
        'import { createAuth } from "@cardea/next";',
        ...imports(),
        "",
        "export const { handlers, auth, signIn, signOut } = createAuth({",
        ...signIn,
        "});",
      ),
    ],
    [
      "app/api/auth/[...auth]/route.js",
      lines('import { handlers } from "../../../../auth";', "", "export const { GET, POST } = handlers;"),
    ],
    [
      "app/layout.js",
      lines(
        "export default function Layout({ children }) {",
        "  return (",
        '    <html lang="en">',
        "      <body>{children}</body>",
        "    </html>",
        "  );",
        "}",
      ),
    ],
    ["app/page.js", lines(...PAGE)],
    [
      "dev.mjs",
      providerScript(
        "/api/auth",
        'import { spawn } from "node:child_process";',
        'const next = spawn("next", ["dev", "-p", String(port)], { stdio: "inherit", shell: process.platform === "win32" });',
        'next.once("exit", (code) => process.exit(code ?? 1));',
      ),
    ],
    ["users.js", users],
    [".env.local", environment],
  ]),
  dependencies: [...packages, "@cardea/next", "next", "react", "react-dom"],
  devDependencies: ["@cardea/testing"],
  dev: "node dev.mjs",
  built: [".next"],
});
