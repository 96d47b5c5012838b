/** The contract of framework adapters: user journeys against a built application on a real server. */
import type { Awaitable } from "@cardea/core/adapters";
import { createCheck } from "./adapter-contract/check.ts";
import type { ContractFramework } from "./adapter-contract/contract-test.ts";
import { guardJourneys } from "./binding-contract/guard.ts";
import type { BindingGaps, BindingUnderTest, Journey, RunningBinding, Site } from "./binding-contract/journey.ts";
import { mountJourneys } from "./binding-contract/mount.ts";
import { type Outside, startOutside } from "./binding-contract/outside.ts";
import { requestJourneys } from "./binding-contract/requests.ts";
import { sendTo } from "./binding-contract/send.ts";
import { sendRaw } from "./binding-contract/send-raw.ts";
import { sessionJourneys } from "./binding-contract/sessions.ts";
import { signInJourneys } from "./binding-contract/sign-in.ts";
import { createBrowser } from "./browser.ts";

export type { BindingGaps, BindingUnderTest, RunningBinding } from "./binding-contract/journey.ts";

/** The part of a test framework that this contract needs. */
export interface BindingContractFramework extends ContractFramework {
  /** Runs once after all journeys, including failed ones. */
  afterAll(body: () => Awaitable<void>): unknown;
}

const areas: Readonly<Record<string, readonly Journey[]>> = {
  actions: mountJourneys,
  sessions: sessionJourneys,
  "sign-in and sign-out": signInJourneys,
  guard: guardJourneys,
  requests: requestJourneys,
};

/** The name of a journey, and the framework feature it needs. */
export interface BindingJourney {
  /** The name in reports. */
  readonly name: string;
  /** The journey is not defined for a framework that lacks this feature. */
  readonly needs?: keyof BindingGaps;
}

/** All journeys by area, in order of execution. */
export const bindingJourneys: Readonly<Record<string, readonly BindingJourney[]>> = Object.fromEntries(
  Object.entries(areas).map(([area, journeys]) => [
    area,
    journeys.map(({ name, needs }) => ({ name, ...(needs && { needs }) })),
  ]),
);

const SECRET = "a secret of more than thirty-two bytes for tests";

/**
 * Defines the journeys that an application on every framework adapter must pass (docs/testing.md#framework-adapters).
 *
 * The application uses `bindingConfig()` of `@cardea/testing/binding-application` and has these routes, below its prefix:
 *
 * 1. `/session`: the session read in a handler, as JSON.
 * 2. `/members` and all paths below it, with every method, protected by the guard: `SECRET of <name>`, as text.
 * 3. `/ran`: how often the handler of `/members` ran, as JSON.
 * 4. `/open`: any response.
 * 5. `/stream`, behind the guard: the cookies `theirs=1` and `other=2`, then `first` and later `last`, streamed.
 * 6. `/loaded`: HTML with `<b>name</b>`, or `<b>visitor</b>`, from a loader.
 * 7. POST `/enter`: `signIn("credentials", form)` in server code. POST `/leave`: `signOut` with the field `redirectTo`.
 *
 * @param framework `describe`, `it`, `expect` and `afterAll` of the test framework.
 * @param binding How to start the application, its URLs, and the features that the framework lacks.
 */
export function bindingContract(framework: BindingContractFramework, binding: BindingUnderTest): void {
  const { equal } = createCheck((actual) => framework.expect(actual));
  const opened: Opened[] = [];
  let shared: Promise<Opened> | undefined;
  const openShared = () => {
    shared ??= start(binding, {}, opened);
    return shared;
  };
  for (const [area, journeys] of Object.entries(areas)) {
    framework.describe(area, () => {
      for (const { name, env, run } of journeys.filter((journey) => !isLacking(binding, journey))) {
        framework.it(name, async () => {
          const { site } = await (env === undefined ? openShared() : start(binding, env, opened));
          await run(site, equal);
        });
      }
    });
  }
  framework.afterAll(async () => {
    for (const { app, outside } of opened) await Promise.all([app.stop(), outside.close()]);
  });
}

/** Journeys for missing features are not defined, so that reports show them as absent and not as passed. */
const isLacking = ({ lacks = {} }: BindingUnderTest, { needs }: Journey): boolean =>
  needs !== undefined && lacks[needs] !== undefined;

interface Opened {
  readonly app: RunningBinding;
  readonly outside: Outside;
  readonly site: Site;
}

async function start(
  binding: BindingUnderTest,
  env: Readonly<Record<string, string>>,
  opened: Opened[],
): Promise<Opened> {
  const outside = await startOutside();
  const app = await binding.start({ AUTH_SECRET: SECRET, BINDING_OUTSIDE: outside.url, ...env });
  const { prefix = "", basePath = "/auth", headers: proxied = {} } = binding;
  const send = sendTo(new URL(app.origin).port, proxied);
  const raw: Site["raw"] = ({ headers, ...request }) =>
    sendRaw(app.origin, { ...request, headers: { ...proxied, ...headers } });
  const site: Site = {
    origin: app.origin,
    base: basePath,
    prefix,
    outside,
    output: app.output,
    open: (origin = app.origin) =>
      createBrowser(origin === app.origin ? send : behindProxy(send, origin), {
        origin,
        routes: { [outside.url]: outside.provider.handler },
        follow: "all",
      }),
    raw,
    countRuns: async () => Number(await (await send(new Request(`${app.origin}${prefix}/ran`))).text()),
  };
  const result = { app, outside, site };
  opened.push(result);
  return result;
}

/** A proxy that forwards the address that the browser sees. */
function behindProxy(send: ReturnType<typeof sendTo>, origin: string): (request: Request) => Promise<Response> {
  const { host, protocol } = new URL(origin);
  return (request) => {
    request.headers.set("x-forwarded-host", host);
    request.headers.set("x-forwarded-proto", protocol.slice(0, -1));
    return send(request);
  };
}
