// One process of an application behind a proxy, for the test of a botnet: it signs in as it is told.

import { attempts } from "@cardea/attempts";
import { createAuth } from "@cardea/core";
import { createBrowser } from "@cardea/testing";
import { openPatientStore } from "../../packages/store-redis/src/servers/open-patient-store.ts";

const ORIGIN = "https://app.example.com";

/** Tries to sign in to Ann's account, each from an address of its own. */
export interface Tries {
  readonly password: string;
  readonly addresses: readonly string[];
  /** What the browser has, from an earlier sign-in. */
  readonly cookie: string;
}

/** What came of them. */
export interface Outcome {
  readonly in: number;
  readonly refused: number;
  /** How many passwords were checked. */
  readonly checked: number;
  /** The cookies of the last browser. */
  readonly cookie: string;
}

const [url = ""] = process.argv.slice(2);
let checked = 0;
const { handlers } = createAuth({
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  logger: { error: () => {}, warn: () => {}, debug: () => {} },
  store: openPatientStore(url).store,
  extensions: [attempts({ client: { hops: 1 } })],
  providers: [
    {
      id: "password",
      name: "Password",
      type: "credentials",
      credentials: { username: {}, password: {} },
      authorize: ({ password }) => {
        checked++;
        return password === "right" ? { id: "ann", name: "Ann" } : null;
      },
    },
  ],
});
const answer = (request: Request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));

async function run({ password, addresses, cookie }: Tries): Promise<Outcome> {
  const browser = createBrowser(answer, { origin: ORIGIN });
  for (const pair of cookie.split("; ")) if (pair !== "") browser.cookies.set(`${pair}; Path=/; Secure`);
  const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
  const before = checked;
  let [isIn, refused] = [0, 0];
  for (const address of addresses) {
    const body = new URLSearchParams({ csrfToken, username: "ann", password });
    const headers = { "X-Auth-Return-Redirect": "1", "X-Forwarded-For": address };
    const done = await browser.fetch("/auth/callback/password", { method: "POST", body, headers });
    if (done.status === 429) refused++;
    else if (!(await done.json()).url.includes("error=")) isIn++;
  }
  const cookies = browser.cookies.list().filter(({ name }) => !name.includes("session-token"));
  const kept = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return { in: isIn, refused, checked: checked - before, cookie: kept };
}

process.on("message", async (tries: Tries) => process.send?.(await run(tries)));
process.send?.("ready");
