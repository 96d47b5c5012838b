// Builds the applications of open-paths.ts, with the Next.js of the package that calls: every kind of route, each of which shows its
// name, behind the proxy and with the configuration that docs/getting-started-next.md shows. Their sources are written to dist/<name>/.
//
//   node build-open.mjs open-app open-pages     the names of APPLICATIONS
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const repository = join(import.meta.dirname, "../..");
const { resolve } = createRequire(join(process.cwd(), "package.json"));
const { version } = JSON.parse(readFileSync(resolve("next/package.json"), "utf8"));
const isOld = /^1[45]\./.test(version);

// What each shows begins with `OPEN:` where visitors may be, and with `GUARDED:` elsewhere.
const page = (marker) => `export default function Page() { return <p>{"${marker}"}</p>; }\n`;
const live = (marker) => `export const dynamic = "force-dynamic";\n${page(marker)}`;
const layout = (marker, slot = "null") =>
  `export default function Layout({ children, ${slot === "null" ? "" : slot} }) { return <div>{"${marker}"}{children}{${slot}}</div>; }\n`;
const root = `export default function Root({ children }) { return <html lang="en"><body>{children}</body></html>; }\n`;
const none = "export default function Default() { return null; }\n";
const route = (marker) =>
  `export const dynamic = "force-dynamic";\nconst answer = () => new Response("${marker}");\nexport { answer as GET, answer as POST };\n`;
const shop = `export const dynamic = "force-dynamic";
export default async function Page({ params }) {
  const { rest } = await params;
  return <p>{rest === undefined ? "OPEN:shop" : "GUARDED:shop"}</p>;
}\n`;
const props = (kind) => (marker) =>
  `export const ${kind} = () => ({ props: { marker: "${marker}" } });\nexport default ({ marker }) => <p>{marker}</p>;\n`;
const served = props("getServerSideProps");
const fixed = props("getStaticProps");
const api = (marker) => `export default (_request, response) => response.send("${marker}");\n`;

const APPLICATIONS = {
  "open-app": {
    options: { basePath: "/base" },
    signIn: "/base/login",
    open: ["/", "/about", "/feed", "/photo/1", "/shop", "/classic-open", "/favicon.ico"],
    isLiteral: true,
    files: {
      "app/layout.tsx": root,
      "app/page.tsx": page("OPEN:home"),
      "app/login/page.tsx": live("OPEN:login"),
      "app/about/page.tsx": page("OPEN:about"),
      "app/feed/layout.tsx": layout("OPEN:feed-layout", "modal"),
      "app/feed/page.tsx": page("OPEN:feed"),
      "app/feed/@modal/default.tsx": none,
      "app/feed/@modal/(..)photo/[id]/page.tsx": live("OPEN:photo-of-feed"),
      "app/photo/[id]/page.tsx": live("OPEN:photo"),
      "app/shop/[[...rest]]/page.tsx": shop,
      "app/members/layout.tsx": layout("GUARDED:members-layout", "panel"),
      "app/members/page.tsx": live("GUARDED:members"),
      "app/members/default.tsx": none,
      "app/members/@panel/default.tsx": page("GUARDED:panel-default"),
      "app/members/@panel/page.tsx": page("GUARDED:panel"),
      "app/members/@panel/(..)about/page.tsx": live("GUARDED:about-of-members"),
      "app/members/(..)login/page.tsx": live("GUARDED:login-of-members"),
      "app/members/(..)photo/[id]/page.tsx": live("GUARDED:photo-of-members"),
      "app/team/[id]/layout.tsx": layout("GUARDED:team-layout"),
      "app/team/[id]/page.tsx": live("GUARDED:team"),
      "app/team/[id]/(...)login/page.tsx": live("GUARDED:login-of-team"),
      "app/item/[id]/page.tsx": live("GUARDED:item"),
      "app/data/[...path]/route.ts": route("GUARDED:data"),
      "app/notes.txt/route.ts": route("GUARDED:notes"),
      "app/[...slug]/page.tsx": live("GUARDED:catch-all"),
      "pages/classic-open.tsx": served("OPEN:classic"),
      "pages/classic/[[...rest]].tsx": served("GUARDED:classic"),
      "pages/api/[...rest].ts": api("GUARDED:api"),
      "public/favicon.ico": "OPEN:icon",
      "public/secret.pdf": "GUARDED:file",
    },
  },
  "open-pages": {
    options: { trailingSlash: true, i18n: { locales: ["en", "fr"], defaultLocale: "en" } },
    signIn: "/login",
    open: ["/", "/about/"],
    isLiteral: false,
    files: {
      "app/layout.tsx": root,
      "pages/index.tsx": fixed("OPEN:home"),
      "pages/login.tsx": served("OPEN:login"),
      "pages/about.tsx": fixed("OPEN:about"),
      "pages/members/index.tsx": served("GUARDED:members"),
      "pages/members/[id].tsx": served("GUARDED:member"),
      "pages/docs/[[...rest]].tsx": served("GUARDED:docs"),
      "pages/[...slug].tsx": served("GUARDED:catch-all"),
      "pages/api/[id].ts": api("GUARDED:api"),
      "public/secret.pdf": "GUARDED:file",
    },
  },
};

const AUTH = `import { createAuth } from "@cardea/next";
import { authConfig } from "./auth.config";
export const { auth, handlers } = createAuth(authConfig);
`;

const guide = readFileSync(join(repository, "docs/getting-started-next.md"), "utf8");
const matchers = guide.match(/^export const config = \{ matcher: .*$/gm) ?? [];
const [redirects = ""] = /async \(\) => \[\n[^\]]*\n\]/.exec(guide) ?? [];
const [, documentedConfig = ""] = /^\/\/ next\.config\.ts\n([^`]*)/m.exec(guide) ?? [];

for (const name of process.argv.slice(2)) build(join(process.cwd(), "dist", name), APPLICATIONS[name]);

function build(folder, { options, signIn, open, isLiteral, files }) {
  rmSync(folder, { recursive: true, force: true });
  const gate = isOld ? "middleware" : "proxy";
  const matcher = matchers.find((line) => line.includes("locale") !== isLiteral);
  const all = {
    ...files,
    "auth.config.ts": authConfigOf(signIn, open),
    "auth.ts": AUTH,
    "app/api/auth/[...auth]/route.ts": `import { handlers } from "../../../../auth";\nexport const { GET, POST } = handlers;\n`,
    [`${gate}.ts`]: gateOf(gate, open, matcher),
    "next.config.mjs": configOf(options),
    "tsconfig.json": "{}",
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const command = [resolve("next/dist/bin/next"), "build", folder];
  const { status } = spawnSync(process.execPath, command, { cwd: folder, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** `FORMER_GUARD` is for controls: it decides about the same path, and lets the request continue as it was sent. */
function gateOf(gate, open, matcher) {
  return `import { NextResponse } from "next/server";
import { createAuth } from "@cardea/next/middleware";
import { authConfig } from "./auth.config";
const { auth } = createAuth(authConfig);
const OPEN = new Set(${JSON.stringify([...open, "/login"])});
const former = ({ nextUrl }) => OPEN.has(nextUrl.pathname) ? NextResponse.next() : new Response(null, { status: 401 });
export const ${gate} = (request, event) => process.env.FORMER_GUARD ? former(request) : auth(request, event);
${matcher}
`;
}

function authConfigOf(signIn, open) {
  return `const OPEN = new Set(${JSON.stringify(open)});
export const authConfig = {
  providers: [],
  session: { strategy: "jwt" },
  pages: { signIn: "${signIn}" },
  callbacks: { authorized: ({ auth, request }) => auth !== null || OPEN.has(request.nextUrl.pathname) },
};
`;
}

function configOf(options) {
  const own = {
    ...options,
    distDir: "dist",
    ...(version.startsWith("14.")
      ? { experimental: { outputFileTracingRoot: repository } }
      : { outputFileTracingRoot: repository, turbopack: { root: repository } }),
    ...(isOld
      ? { eslint: { ignoreDuringBuilds: true } }
      : {
          experimental: { turbopackFileSystemCacheForBuild: false, turbopackMinify: false, turbopackSourceMaps: false },
        }),
    typescript: { ignoreBuildErrors: true },
  };
  const documented = documentedConfig.replace(/^import type.*$/m, "").replace(": NextConfig", "");
  const more = options.i18n === undefined ? "" : `redirects: ${redirects},`;
  const [exported, name] = /export default (\w+)/.exec(documented) ?? [];
  if (name === undefined) throw new Error("The guide's next.config.ts exports no name: docs/getting-started-next.md.");
  return documented.replace(exported, `export default { ...${name}, ${more} ...${JSON.stringify(own)} }`);
}
