// One application, before and after `cardea adopt`: type errors, build, and what a session cookie from before is worth.
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApplication } from "../install/create-application.mjs";
import { freePort } from "../install/guided-application.mjs";
import { cookieBefore, environmentOf, secretsOf, stubFonts, stubModules } from "./prepare-application.mjs";
import { checkOut } from "./snapshot.mjs";

const ROWS = new URL("./prisma-in-memory.cjs", import.meta.url).pathname;
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
  const secret = randomBytes(32).toString("base64url");
  const bin = join(folder, ".snapshot-bin");
  const env = {
    ...environmentOf(url, secret),
    PATH: `${bin}:${application.environment.PATH}`,
    PORT: port,
    NODE_OPTIONS: `--require=${ROWS}`,
    CARDEA_ROWS: JSON.stringify({ user: [{ ...USER, emailVerified: "2026-01-01T00:00:00.000Z", ...spec.user }] }),
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
  Object.assign(env, { ...secretsOf(folder, await trackedBy(run)), ...env, ...spec.env });
  await run(spec.install ?? install);
  await commit(context, "before");
  const session = { secret, claims: { ...CLAIMS, ...spec.claims } };
  const cookie = await cookieBefore(folder, spec, session);
  const before = await look(context, cookie);
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

/** The application as it was, with stand-ins for what cannot be had, in a repository of its own. */
async function prepare(context, { bin, program, registries }) {
  const { folder, run, spec } = context;
  appendFileSync(join(folder, ".npmrc"), `\nregistry=${registries.registry}\n${registries.local.npmrc}`);
  appendFileSync(join(folder, ".gitignore"), "\n.snapshot-bin\nnode_modules\n.next\n");
  for (const [file, text] of Object.entries(spec.files ?? {})) writeFileSync(join(folder, file), text);
  for (const file of spec.without ?? []) rmSync(join(folder, file), { recursive: true, force: true });
  await run(
    `mkdir -p ${bin} && printf '#!/bin/sh\\nexec ${program} "$@"\\n' > ${bin}/${program.includes("pnpm") ? "pnpm" : "none"} && chmod +x ${bin}/*`,
  );
  await run("git init -q && git config user.name none && git config user.email none@example.com && git add -A -f .");
  context.fonts = stubFonts(folder, await trackedBy(run));
  for (const [from, to] of Object.entries(spec.replace ?? {}))
    await run(`git grep -lF '${from}' | xargs sed -i 's|${from}|${to}|g'`);
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
  const types = isChecked ? "" : (await attempt("npx tsc --noEmit --pretty false -p .")).output;
  const errors = types.split("\n").filter((line) => /error TS\d+/.test(line));
  if (!build.ok) return { built: false, output: build.output, errors };
  log("start");
  const server = await application.start(spec.start ?? `npx next start -p ${env.PORT}`, url, env);
  try {
    const headers = { cookie: `${cookie.name}=${cookie.value}` };
    const answer = await fetch(`${url}${spec.session ?? "/api/auth/session"}`, { headers });
    const session = await answer.json().catch(() => null);
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

function ignoresTypes(folder) {
  const configs = readdirSync(folder).filter((name) => name.startsWith("next.config."));
  return configs.some((name) => /ignoreBuildErrors:\s*true/.test(readFileSync(join(folder, name), "utf8")));
}

/** What a page answers: its status, and where it leads, without what a library puts into the query. */
async function status(url, path, headers) {
  const answer = await fetch(url + path, { headers, redirect: "manual" });
  const to = answer.headers.get("location");
  return to === null ? String(answer.status) : `${answer.status} ${new URL(to, url).pathname}`;
}
