import type { Files, Project } from "./language.ts";

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

const LAYOUT = [
  'export const metadata = { title: "My application" };',
  "",
  "export default function Layout({ children }) {",
  "  return (",
  '    <html lang="en">',
  "      <body>{children}</body>",
  "    </html>",
  "  );",
  "}",
] as const;

const HOME = [
  'import Link from "next/link";',
  "",
  "export default function Page() {",
  '  return <Link href="/account">Your account</Link>;',
  "}",
] as const;

/** The routes of authentication and a page for signed-in users, with the App Router. */
export function nextFiles({ isNew, isTypeScript, source }: Project): Files {
  const [code, page] = isTypeScript ? ["ts", "tsx"] : ["js", "js"];
  return {
    [`${source}app/api/auth/[...auth]/route.${code}`]: [
      'import { handlers } from "../../../../auth";',
      "",
      "export const { GET, POST } = handlers;",
    ],
    [`${source}app/account/page.${page}`]: ACCOUNT,
    ...(isNew ? { "app/layout.js": LAYOUT, "app/page.js": HOME } : {}),
  };
}
