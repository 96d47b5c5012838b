import { parseArgs } from "node:util";
import type { Facts } from "../doctor/facts.ts";
import { readTexts, trackedNames } from "../files/git.ts";
import { furtherCores, installedVersions } from "../files/installed-versions.ts";
import type { Host } from "../host.ts";
import { parseUrl } from "../parse-url.ts";
import type { Command } from "./command.ts";

/** `cardea doctor`: looks for faults in the application of this folder, and names each with its remedy. */
export const doctorCommand: Command = {
  usage: "[--url URL [--mixed]] [--redis URL] [--production] [--json]",
  summary: "names faults of a set-up, each with its remedy",
  options: [
    "  --url URL     asks the running application as well, such as https://app.example.com/api/auth, and the issuers",
    "                of its environment. Without it no request is sent",
    "  --mixed       Auth.js runs beside it: checks that the bridge shares sessions and that one side answers the actions",
    "  --redis URL   asks the Redis or Valkey of the store how it is set, such as redis://localhost:6379; writes nothing there",
    "  --production  judges as in production; default with NODE_ENV=production or an https URL",
    "  --json        prints the findings as JSON",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: "string" },
      mixed: { type: "boolean" },
      redis: { type: "string" },
      production: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  if (values.mixed === true && values.url === undefined) {
    host.warn("--mixed needs --url: it looks at who answers.");
    return 2;
  }
  if (values.url !== undefined && parseUrl(values.url) === null) {
    host.warn(`--url needs a whole URL, such as https://app.example.com/api/auth; this is not one: ${values.url}`);
    return 2;
  }
  const redis = values.redis === undefined ? undefined : parseUrl(values.redis);
  if (redis === null || (redis !== undefined && !/^rediss?:$/.test(redis.protocol))) {
    host.warn("--redis needs a whole URL, such as redis://user:password@localhost:6379.");
    return 2;
  }
  const url = values.url === undefined ? undefined : new URL(values.url);
  const isProduction = values.production === true || host.env.NODE_ENV === "production" || url?.protocol === "https:";
  const facts = await collect(
    host,
    { ...host.env, NODE_ENV: isProduction ? "production" : host.env.NODE_ENV },
    { url, isMixed: values.mixed === true, redis },
  );
  // The parser takes a moment to load, which no other command needs.
  const { diagnose, explainOrigin } = await import("../doctor/diagnose.ts");
  const findings = diagnose(facts);
  const origin = explainOrigin(facts);
  if (values.json === true) host.write(JSON.stringify({ findings, origin }, null, 2));
  else {
    for (const { id, where, what, remedy } of findings) host.write(`✗ ${id}  ${where} ${what}\n    ${remedy}`);
    for (const line of ["", "Origin", ...origin.map((text) => `  ${text}`), ""]) host.write(line);
    host.write(
      findings.length === 0
        ? "No faults found."
        : `${findings.length} ${findings.length === 1 ? "fault" : "faults"} found.`,
    );
  }
  return findings.length === 0 ? 0 : 1;
}

/** What is asked besides the files of the folder. */
interface Asked {
  readonly url: URL | undefined;
  readonly isMixed: boolean;
  readonly redis: URL | undefined;
}

async function collect(host: Host, env: Facts["env"], { url, isMixed, redis }: Asked): Promise<Facts> {
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
  const read = factsOf({ ...sources, redis: redis === undefined ? undefined : await askRedis(redis) });
  if (url === undefined) return read;
  const issuers = Object.entries(read.env).flatMap(([name, value]) =>
    /^AUTH_\w+_ISSUER$/.test(name) && value !== undefined && parseUrl(value) !== null ? [value] : [],
  );
  return { ...read, probe: await sendProbe(url, issuers, fetch, isMixed) };
}
