import { parseArgs } from "node:util";
import type { Facts } from "../doctor/facts.ts";
import { readTexts, trackedNames } from "../files/git.ts";
import { furtherCores, installedVersions } from "../files/installed-versions.ts";
import type { Host } from "../host.ts";
import { parseUrl } from "../parse-url.ts";
import type { Command } from "./command.ts";

/** `cardea doctor`: checks the application in this folder, and reports each problem with its fix. */
export const doctorCommand: Command = {
  usage: "[--url URL [--page ORIGIN] [--mixed]] [--redis URL] [--database URL] [--production] [--json]",
  summary: "finds problems in the setup, each with its fix",
  options: [
    "  --url URL     also checks the running application, such as https://app.example.com/api/auth, and the issuers",
    "                in its environment. Without this option, no requests are sent",
    "  --page ORIGIN with --url: whether pages of that origin may use the endpoints, such as http://localhost:5173",
    "  --mixed       for Auth.js running alongside: checks that sessions are shared and that only one side handles the routes",
    "  --redis URL   checks the configuration of the store's Redis or Valkey, such as redis://localhost:6379; read-only",
    "  --database URL  lists users whose stored addresses have capitals, such as mysql://localhost/app, through the application's",
    "                driver (`pg`, `mysql2`); read-only",
    "  --production  applies the production checks; default with NODE_ENV=production or an https URL",
    "  --json        prints the findings as JSON",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: "string" },
      page: { type: "string" },
      mixed: { type: "boolean" },
      redis: { type: "string" },
      database: { type: "string" },
      production: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  if (values.mixed === true && values.url === undefined) {
    host.warn("--mixed requires --url.");
    return 2;
  }
  const page = values.page === undefined ? undefined : parseUrl(values.page)?.origin;
  if (values.page !== undefined && (values.url === undefined || page === undefined || page === "null")) {
    host.warn("--page requires --url, and an origin such as https://app.example.com.");
    return 2;
  }
  if (values.url !== undefined && parseUrl(values.url) === null) {
    host.warn(`--url must be an absolute URL, such as https://app.example.com/api/auth, not: ${values.url}`);
    return 2;
  }
  const redis = values.redis === undefined ? undefined : parseUrl(values.redis);
  if (redis === null || (redis !== undefined && !/^rediss?:$/.test(redis.protocol))) {
    host.warn("--redis must be an absolute URL, such as redis://user:password@localhost:6379.");
    return 2;
  }
  const database = values.database === undefined ? undefined : parseUrl(values.database);
  if (
    database === null ||
    (database !== undefined && !/^(?:postgres(?:ql)?|mysql|mariadb):$/.test(database.protocol))
  ) {
    host.warn("--database must be an absolute URL, such as postgresql://user:password@localhost/app.");
    return 2;
  }
  const url = values.url === undefined ? undefined : new URL(values.url);
  const isProduction = values.production === true || host.env.NODE_ENV === "production" || url?.protocol === "https:";
  const facts = await collect(
    host,
    { ...host.env, NODE_ENV: isProduction ? "production" : host.env.NODE_ENV },
    { url, page, isMixed: values.mixed === true, redis, database },
  );
  // Imported lazily: the parser takes a moment to load.
  const { diagnose, explainOrigin } = await import("../doctor/diagnose.ts");
  const findings = diagnose(facts);
  const origin = explainOrigin(facts);
  if (values.json === true) host.write(JSON.stringify({ findings, origin }, null, 2));
  else {
    for (const { id, where, what, remedy } of findings) host.write(`✗ ${id}  ${where} ${what}\n    ${remedy}`);
    for (const line of ["", "Origin", ...origin.map((text) => `  ${text}`), ""]) host.write(line);
    host.write(
      findings.length === 0
        ? "No problems found."
        : `${findings.length} ${findings.length === 1 ? "problem" : "problems"} found.`,
    );
  }
  return findings.length === 0 ? 0 : 1;
}

/** What is checked in addition to the files of the folder. */
interface Asked {
  readonly url: URL | undefined;
  readonly page: string | undefined;
  readonly isMixed: boolean;
  readonly redis: URL | undefined;
  readonly database: URL | undefined;
}

async function collect(host: Host, env: Facts["env"], { url, page, isMixed, redis, database }: Asked): Promise<Facts> {
  const { factsOf, readEnvironmentFiles } = await import("../doctor/collect-facts.ts");
  const { sendProbe } = await import("../doctor/send-probe.ts");
  const untracked = await readEnvironmentFiles(host.folder);
  const files = new Map([...untracked, ...(await readTexts(host.folder))]);
  const sources = {
    files,
    tracked: await trackedNames(host.folder),
    env,
    installed: new Map([
      ...(await installedVersions(host.folder, ["next", "@cardea/core"])),
      ...(await furtherCores(host.folder)),
    ]),
  };
  const { askRedis } = await import("../doctor/ask-redis.ts");
  const { askDatabase } = await import("../doctor/ask-database.ts");
  const read = factsOf({
    ...sources,
    redis: redis === undefined ? undefined : await askRedis(redis),
    database: database === undefined ? undefined : await askDatabase(database, host.folder),
  });
  if (url === undefined) return read;
  const { hasLogout } = await import("../doctor/checks/extensions.ts");
  const { hasRelatedOrigins } = await import("../doctor/checks/passkeys.ts");
  const providers = Object.entries(read.env).flatMap(([variable, issuer]) => {
    const [, name] = /^AUTH_(\w+)_ISSUER$/.exec(variable) ?? [];
    if (name === undefined || issuer === undefined || parseUrl(issuer) === null) return [];
    return [{ id: name.toLowerCase().replaceAll("_", "-"), issuer, clientId: read.env[`AUTH_${name}_ID`] }];
  });
  const found = { hasLogout: hasLogout(read), hasRelatedOrigins: hasRelatedOrigins(read) };
  return { ...read, probe: await sendProbe(url, { providers, isMixed, page, ...found }) };
}
