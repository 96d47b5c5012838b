import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BindingUnderTest } from "@cardea/testing/binding-contract";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { findFreePort } from "./free-port.ts";
import { type Program, startApplication } from "./start-application.ts";

/** An application of the journeys, on a framework. */
export interface Application extends BindingUnderTest {
  /** The package, and the version of the framework. */
  readonly name: string;
  /** Why it does not run here and now. */
  readonly skipped?: string | undefined;
}

const folder = import.meta.dirname;

function served(name: string, program: Omit<Program, "folder">, framework = name): Application {
  return {
    name,
    start: (env) => startApplication({ folder, ...program }, env),
    lacks: { loader: `${framework} has no loaders` },
  };
}

/** The server of SvelteKit takes its origin from the proxy in front of it, and must be told its port. */
function svelte(name: string, place: string, node?: string): Application {
  const proxy = { PROTOCOL_HEADER: "x-forwarded-proto", HOST_HEADER: "x-forwarded-host" };
  return {
    name,
    start: async (env) => {
      const own = { HOST: "127.0.0.1", PORT: String(await findFreePort()), ...proxy };
      const program = { folder: join(folder, place), command: ["dist"], env: own };
      return startApplication(node === undefined ? program : { ...program, node }, env);
    },
    headers: { "x-forwarded-proto": "http" },
  };
}

/** SvelteKit 3 needs a newer Node than the oldest that is supported. */
const NODE_24 = join(folder, "sveltekit-3/node_modules/node24/bin/node");

/** What the tests before a release run on as well: one version of each framework in the short form. */
const inLongForm = (application: Application, missing?: string): Application => ({
  ...application,
  skipped: isLong ? missing : "part of the long form",
});

/** Every framework adapter but that of Next.js, whose journeys are in tests/e2e/. */
export const APPLICATIONS: readonly Application[] = [
  served("@cardea/express on Express 5", { command: ["express/application.mjs"] }),
  inLongForm(
    served("@cardea/express on Express 4", {
      command: ["express/application.mjs"],
      env: { BINDING_EXPRESS: "express4" },
    }),
  ),
  served("@cardea/hono on Hono 4", { command: ["hono/application.mjs"] }),
  served("@cardea/fastify on Fastify 5", { command: ["fastify/application.mjs"] }),
  served("@cardea/h3 on h3 2", { command: ["h3/application.mjs"] }),
  inLongForm(served("@cardea/h3 on h3 1", { command: ["h3/application-v1.mjs"] })),
  svelte("@cardea/sveltekit on SvelteKit 2", "sveltekit"),
  inLongForm(
    svelte("@cardea/sveltekit on SvelteKit 3", "sveltekit-3", NODE_24),
    existsSync(NODE_24) ? undefined : "its Node is for Linux on x64",
  ),
];
