// What cannot be built without a network, an engine or real secrets, and what stands in for it: the same before and after a move.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Fonts of Google, which Next.js fetches while it builds: a module with the same names, in which every font has one class. */
const fontModule = (
  names,
) => `const font = () => ({ className: "font", variable: "font", style: { fontFamily: "serif" } });
exports.__esModule = true;
${names.map((name) => `exports.${name} = font;`).join("\n")}
`;
const FONT_TYPES = 'declare module "stub-fonts";\n';

/** The client of PostgreSQL, whose tables are empty: pages that are rendered while the application is built ask it. */
const POSTGRES = `const isTotal = /\\b(?:count|sum)\\(/i;
const sql = async (strings) => (isTotal.test(strings.join("")) ? [{ count: "0", paid: "0", pending: "0" }] : []);
exports.__esModule = true;
exports.default = () => sql;
`;
const POSTGRES_TYPES = 'declare module "stub-postgres" {\n  export { default } from "postgres";\n}\n';

/** Variables that every application gets. No server is behind these addresses, and nothing is sent to them. */
export function environmentOf(url, secret) {
  return {
    AUTH_SECRET: secret,
    NEXTAUTH_SECRET: secret,
    AUTH_URL: url,
    NEXTAUTH_URL: url,
    AUTH_TRUST_HOST: "true",
    NEXT_PUBLIC_APP_URL: url,
    SKIP_ENV_VALIDATION: "1",
    DATABASE_URL: "postgresql://none:none@127.0.0.1:1/none",
    DIRECT_URL: "postgresql://none:none@127.0.0.1:1/none",
    DISABLE_ESLINT_PLUGIN: "true",
    // Prisma's engines are programs from a host of their own. Generating a client takes any file in their place.
    PRISMA_QUERY_ENGINE_LIBRARY: process.execPath,
    PRISMA_ENGINES_CHECKSUM_IGNORE_MISSING: "1",
    npm_config_ignore_scripts: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    pnpm_config_ignore_scripts: "true",
    pnpm_config_minimum_release_age: "0",
    HUSKY: "0",
  };
}

/** Decide how a process runs. */
const OWN = /^(?:NODE_|NEXT_RUNTIME|CI$|VERCEL|PORT$|npm_|ANALYZE|JEST|VITEST|PLAYWRIGHT|DEBUG|TURBO)/;

/** Decide what opens a session. */
const OF_SESSIONS = /^(?:NEXTAUTH|AUTH|SESSION|JWT)_SECRET$/;

/** Values for variables that the sources name, and for those of every provider that they import. */
export function secretsOf(folder, files, secret) {
  const names = new Set();
  for (const file of files.filter((name) => /\.[cm]?[jt]sx?$|(?:^|\/)[\w.]*env[\w.]*$/.test(name))) {
    const text = read(folder, file);
    for (const [, name] of text.matchAll(/process\.env\.([A-Z]\w+)|^\s*([A-Z][A-Z\d_]+)=/gm)) if (name) names.add(name);
    for (const [, name] of text.matchAll(/^\s*([A-Z][A-Z\d_]+)\s*[=:]/gm)) if (/env/i.test(file)) names.add(name);
    for (const [, list] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']\$env\/static\//g))
      for (const [name] of list.matchAll(/[A-Z][A-Z\d_]+/g)) names.add(name);
    for (const [, provider] of text.matchAll(/["'](?:next-auth|@auth\/\w+)\/providers\/([\w-]+)["']/g)) {
      for (const part of ["ID", "SECRET", "ISSUER", "KEY"])
        names.add(`AUTH_${provider.toUpperCase().replaceAll("-", "_")}_${part}`);
    }
  }
  return Object.fromEntries(
    [...names]
      .filter((name) => !OWN.test(name))
      .map((name) => [name, OF_SESSIONS.test(name) ? secret : valueFor(name)]),
  );
}

function valueFor(name) {
  if (/EMAIL_SERVER$|SMTP_URL/.test(name)) return "smtp://127.0.0.1:1";
  if (/PORT$/.test(name)) return "1";
  if (/URL|URI|ISSUER|ENDPOINT|DOMAIN|HOST$/.test(name))
    return `https://${name.toLowerCase().replaceAll("_", "-")}.example.com`;
  if (/EMAIL|FROM|MAIL|USER$/.test(name)) return "none@example.com";
  return `${name.toLowerCase()}-that-opens-nothing-00000000`;
}

/** Replaces the import of fonts in the sources. @returns the names of the fonts. */
export function stubFonts(folder, files) {
  const importing = files.filter((file) => /\.[jt]sx?$/.test(file) && read(folder, file).includes("next/font/google"));
  const names = new Set();
  for (const file of importing) {
    const text = read(folder, file);
    for (const [, list] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']next\/font\/google["']/g)) {
      for (const name of list.split(",")) names.add(name.trim().split(/\s+/)[0]);
    }
    write(folder, file, text.replaceAll("next/font/google", "stub-fonts"));
  }
  if (importing.length > 0) write(folder, "stub-fonts.d.ts", FONT_TYPES);
  return [...names].filter((name) => name !== "");
}

/** What lies in node_modules, after each installation. */
export function stubModules(folder, fonts) {
  for (const [name, text] of Object.entries({ "stub-fonts": fontModule(fonts), "stub-postgres": POSTGRES })) {
    const manifest = { name, version: "1.0.0", main: "index.js" };
    write(folder, `node_modules/${name}/package.json`, JSON.stringify(manifest));
    write(folder, `node_modules/${name}/index.js`, text);
  }
}

/** Texts of the application that cannot stand here, such as the name of a module that has a stand-in: from → to. */
export function replaceTexts(folder, files, replacements) {
  for (const file of files.filter((name) => /\.(?:[cm]?[jt]sx?|json)$/.test(name))) {
    const text = read(folder, file);
    const changed = Object.entries(replacements).reduce((result, [from, to]) => result.replaceAll(from, to), text);
    if (changed !== text) write(folder, file, changed);
    if (changed.includes("stub-postgres")) write(folder, "stub-postgres.d.ts", POSTGRES_TYPES);
  }
}

/** A session cookie made by the library that the application has, with the salt or the purpose that it uses; or the `token` of a row. */
export async function cookieBefore(folder, { former, strategy }, { secret, token, claims }) {
  if (strategy === "database") {
    return { name: former === "nextauth-v4" ? "next-auth.session-token" : "authjs.session-token", value: token };
  }
  const manifestOf = (name) => realpathSync(join(folder, "node_modules", name, "package.json"));
  if (former === "nextauth-v4") {
    const { encode } = createRequire(manifestOf("next-auth"))("./jwt");
    return { name: "next-auth.session-token", value: await encode({ token: claims, secret, maxAge: 86_400 }) };
  }
  // By its path: versions differ in what they export, and to whom.
  const library = ["@auth/express", "@auth/sveltekit"].find((one) => existsSync(join(folder, "node_modules", one)));
  const core = createRequire(manifestOf(library ?? "next-auth")).resolve.paths("@auth/core");
  const { encode } = await import(core.map((path) => join(path, "@auth/core/jwt.js")).find(existsSync));
  const name = "authjs.session-token";
  return { name, value: await encode({ token: claims, secret, salt: name, maxAge: 86_400 }) };
}

function read(folder, file) {
  return existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
}

function write(folder, file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
