// Builds the application of proxied.long.test.ts in dist/proxied/: next-intl, tenants and rewrites inside `auth()`, below a path.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const repository = join(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, "dist/proxied");
const { resolve } = createRequire(import.meta.url);

const page = (marker) => `export const dynamic = "force-dynamic";
export default async function Page({ params }) {
  return <p>{"${marker}:" + JSON.stringify(await params)}</p>;
}\n`;

const files = {
  "lib/auth.ts": `import { createAuth } from "@cardea/next";
export const seen = (request) => ({ url: request.url, href: request.nextUrl.href, host: request.nextUrl.host });
export const { auth, handlers } = createAuth({
  providers: [],
  callbacks: {
    authorized: ({ request }) => !request.nextUrl.searchParams.has("authorized") || Response.json(seen(request)),
  },
});
export const lazy = createAuth((request) => {
  const reached = request === undefined ? null : seen(request);
  return { providers: [], callbacks: { authorized: () => Response.json(reached) } };
});\n`,
  "proxy.ts": `import createMiddleware from "next-intl/middleware";
import { NextResponse } from "next/server";
import { auth, lazy, seen } from "./lib/auth";

const intl = createMiddleware({ locales: ["en", "de"], defaultLocale: "en", localePrefix: "as-needed" });

const judged = auth((request) => {
  const { pathname, basePath, hostname } = request.nextUrl;
  if (pathname === "/seen") return Response.json({ ...seen(request), cookie: request.cookies.get("a")?.value });
  if (pathname === "/leave") return NextResponse.redirect(new URL(basePath + "/login", request.url));
  if (pathname === "/rewritten") return NextResponse.rewrite(new URL(basePath + "/en/inner?a=1", request.url));
  if (pathname === "/tenant") {
    const url = request.nextUrl.clone();
    url.pathname = "/tenants/" + hostname.split(".")[0];
    return NextResponse.rewrite(url);
  }
  if (pathname.startsWith("/api/")) return undefined;
  return intl(request);
});

export const proxy = (request, event) => (request.nextUrl.pathname === "/lazy" ? lazy.auth : judged)(request, event);

export const config = { matcher: ["/", "/((?!_next/static/).*)"] };\n`,
  "app/layout.tsx":
    "export default function Root({ children }) { return <html lang='en'><body>{children}</body></html>; }\n",
  "app/[locale]/page.tsx": page("HOME"),
  "app/[locale]/inner/page.tsx": page("INNER"),
  "app/tenants/[name]/page.tsx": page("TENANT"),
  "app/api/auth/[...auth]/route.ts": 'import { handlers } from "@/lib/auth";\nexport const { GET, POST } = handlers;\n',
  "app/api/seen/route.ts": `import { auth, seen } from "@/lib/auth";
const answer = auth(async (request) => {
  const { aborted } = request.signal;
  return Response.json({ ...seen(request), aborted, cookie: request.cookies.get("a")?.value, text: await request.text() });
});
export { answer as GET, answer as POST };\n`,
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      module: "esnext",
      moduleResolution: "bundler",
      jsx: "react-jsx",
      noEmit: true,
      skipLibCheck: true,
      paths: { "@/*": ["./*"] },
    },
    include: ["**/*.ts", "**/*.tsx"],
  }),
  "package.json": JSON.stringify({ private: true, type: "module" }),
  "next.config.mjs": `export default ${JSON.stringify({
    basePath: "/base",
    distDir: "dist",
    outputFileTracingRoot: repository,
    turbopack: { root: repository },
    experimental: { turbopackFileSystemCacheForBuild: false, turbopackMinify: false, turbopackSourceMaps: false },
    typescript: { ignoreBuildErrors: true },
  })};\n`,
};

rmSync(folder, { recursive: true, force: true });
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const command = [resolve("next/dist/bin/next"), "build", folder];
const { status } = spawnSync(process.execPath, command, { cwd: folder, stdio: "inherit" });
process.exit(status ?? 1);
