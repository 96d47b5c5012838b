// One application, before and after `cardea adopt`: type errors, build, and what a session cookie from before is worth.
import { randomBytes } from "node:crypto";
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { createApplication } from "../install/create-application.mjs";
import { freePort } from "../install/guided-application.mjs";
import {
  cookieBefore,
  environmentOf,
  replaceTexts,
  secretsOf,
  stubFonts,
  stubModules,
} from "./prepare-application.mjs";
import { checkOut } from "./snapshot.mjs";

const STAND_INS = ["prisma-in-memory.cjs", "bcrypt-without-binding.cjs"].map((file) => join(import.meta.dirname, file));
const USER = { id: "user-1815", name: "Ada Lovelace", email: "ada@example.com", image: null, role: "USER" };
const CLAIMS = { sub: USER.id, name: USER.name, email: USER.email, picture: null };

/** What each package manager is called as, without scripts of packages. */
const MANAGERS = {
  npm: { program: "npm", install: "npm ci" },
  // As the application's manager says it, also where this machine has no such program.
  pnpm: { program: "npx --yes --loglevel=error pnpm@10.33.0", install: "pnpm install --frozen-lockfile" },
};

/**
 * Checks out an application, installs and builds it, moves it, and does the same once more.
 *
 * @param spec a row of applications.json
 * @param registries of `publishEverything`
 * @returns what was measured before and after, and the report of the command.
 */
export async function moveApplication(spec, registries, log = () => {}) {
  const application = createApplication("npm", registries);
  try {
    await checkOut(spec, application.folder);
    return await measure(spec, application, registries, log);
  } finally {
    if (process.env.CARDEA_KEEP) console.log(application.folder);
    else await application.remove();
  }
}

async function measure(spec, application, registries, log) {
  const { folder } = application;
  const { program, install } = MANAGERS[spec.manager ?? "npm"];
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const secret = randomBytes(32).toString("base64");
  const token = randomBytes(32).toString("hex");
  const bin = join(folder, ".snapshot-bin");
  const env = {
    ...environmentOf(url, secret),
    PATH: `${bin}:${application.environment.PATH}`,
    PORT: port,
    NODE_OPTIONS: STAND_INS.map((file) => `--require=${file}`).join(" "),
    CARDEA_ROWS: JSON.stringify(rowsOf(spec, token)),
  };
  const run = (command) => application.run(command, env);
  const attempt = (command) =>
    run(command).then(
      (output) => ({ ok: true, output }),
      (error) => ({ ok: false, output: error.message }),
    );
  const context = { spec, application, url, env, run, attempt, folder, log };

  await prepare(context, { bin, program, registries });
  log("install");
  Object.assign(env, { ...secretsOf(folder, await trackedBy(run), secret), ...env, ...spec.env });
  await run(spec.install ?? install);
  await commit(context, "before");
  const session = { secret, token, claims: { ...CLAIMS, ...spec.claims } };
  const cookie = await cookieBefore(folder, spec, session);
  const before = await look(context, cookie);
  if (!before.built) throw new Error(`${spec.repository} did not build before the move:\n${before.output}`);
  await commit(context, "built");

  log("adopt");
  const report = JSON.parse(
    (await run(`${registries.cli ?? "npx --yes @cardea/cli"} adopt --dry-run --json`)).replace(/^[^{]*/, ""),
  );
  const adopted = await attempt(`${registries.cli ?? "npx --yes @cardea/cli"} adopt`);
  const after = await look(context, cookie);
  await commit(context, "moved");
  const again = await attempt(`${registries.cli ?? "npx --yes @cardea/cli"} adopt`);
  const changed = (await run("git status --porcelain")).trim();
  return {
    before,
    after,
    adopted,
    left: report.report.filter(({ kind }) => kind === "left"),
    again: changed || !again.ok,
  };
}

/** What the application's database has before it starts: one user, and their session where sessions are rows. */
function rowsOf({ user, strategy }, token) {
  const time = "2026-01-01T00:00:00.000Z";
  const expires = new Date(Date.now() + 2_592_000_000).toISOString();
  return {
    user: [{ ...USER, emailVerified: time, createdAt: time, updatedAt: time, ...user }],
    session: strategy === "database" ? [{ id: "session-1", sessionToken: token, userId: USER.id, expires }] : [],
  };
}

/** The application as it was, with stand-ins for what cannot be had, in a repository of its own. */
async function prepare(context, { bin, program, registries }) {
  const { folder, run, spec } = context;
  appendFileSync(join(folder, ".npmrc"), `\nregistry=${registries.registry}\n${registries.local.npmrc}`);
  appendFileSync(join(folder, ".gitignore"), "\n.snapshot-bin\nnode_modules\n.next\n");
  if (spec.database) copyFileSync(join(import.meta.dirname, "drizzle-in-memory.txt"), join(folder, spec.database));
  for (const file of spec.without ?? []) rmSync(join(folder, file), { recursive: true, force: true });
  await run(
    `mkdir -p ${bin} && printf '#!/bin/sh\\nexec ${program} "$@"\\n' > ${bin}/${program.includes("pnpm") ? "pnpm" : "none"} && chmod +x ${bin}/*`,
  );
  await run("git init -q && git config user.name none && git config user.email none@example.com && git add -A -f .");
  context.fonts = stubFonts(folder, await trackedBy(run));
  replaceTexts(folder, await trackedBy(run), spec.replace ?? {});
}

async function trackedBy(run) {
  return (await run("git ls-files -z")).split("\0");
}

async function commit({ run }, message) {
  await run(`git add -A . && git commit -q --no-verify --allow-empty -m ${message}`);
}

/** Builds and starts the application as it is now: `{ built, errors, session, pages }`. */
async function look({ spec, application, url, env, run, attempt, folder, log, fonts }, cookie) {
  stubModules(folder, fonts);
  // All but what the compiler remembers of unchanged files.
  const built = join(folder, ".next");
  for (const name of existsSync(built) ? readdirSync(built).filter((entry) => entry !== "cache") : [])
    rmSync(join(built, name), { recursive: true });
  if (spec.generate) await run(spec.generate);
  log("build");
  const build = await attempt(spec.build ?? `npx next build${spec.lint ?? " --no-lint"}`);
  // A build of Next.js that succeeds has checked the types of every file.
  const isChecked = build.ok && spec.build === undefined && !ignoresTypes(folder);
  const hasTypes = existsSync(join(folder, "tsconfig.json"));
  const types = isChecked || !hasTypes ? "" : (await attempt("npx tsc --noEmit --pretty false -p .")).output;
  const errors = types.split("\n").filter((line) => /error TS\d+/.test(line));
  if (!build.ok) return { built: false, output: build.output, errors };
  log("start");
  const server = await application.start(spec.start ?? `npx next start -p ${env.PORT}`, url, env);
  try {
    const headers = { cookie: `${cookie.name}=${cookie.value}` };
    const session =
      spec.session === null ? null : await sessionAt(`${url}${spec.session ?? "/api/auth/session"}`, headers);
    const pages = [];
    for (const path of spec.pages ?? []) {
      const [known, visitor] = [await status(url, path, headers), await status(url, path, {})];
      pages.push({ path, known, visitor });
    }
    return { built: true, errors, session, pages, output: server.output };
  } finally {
    await application.stop(server);
  }
}

async function sessionAt(url, headers) {
  const answer = await fetch(url, { headers });
  return answer.json().catch(() => null);
}

function ignoresTypes(folder) {
  const configs = readdirSync(folder).filter((name) => name.startsWith("next.config."));
  return configs.some((name) => /ignoreBuildErrors:\s*true/.test(readFileSync(join(folder, name), "utf8")));
}

/** What a page answers to a browser: its status, or where it leads, without what a library puts into the query. */
async function status(url, path, headers) {
  // `fetch` calls itself a script (Sec-Fetch-Mode), whatever headers it is given.
  const answer = await new Promise((resolve, reject) => {
    const navigation = { accept: "text/html", "sec-fetch-mode": "navigate" };
    get(url + path, { headers: { ...headers, ...navigation }, agent: false }, resolve).on("error", reject);
  });
  answer.resume();
  const to = answer.headers.location;
  return to === undefined ? String(answer.statusCode) : `to ${new URL(to, url).pathname}`;
}
