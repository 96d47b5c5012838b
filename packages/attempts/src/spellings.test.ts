import { createAuth } from "@cardea/core";
import { memoryStore, type Store } from "@cardea/core/adapters";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { openPatientStore } from "../../store-redis/src/servers/open-patient-store.ts";
import { installedServers, startRedis } from "../../store-redis/src/servers/start-redis.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { attempts } from "./attempts.ts";

const COUNT = isLong ? 10_000 : 100;
const LETTERS = "anndelacruz";
const DOMAIN = "example.com";

/** As many different spellings of one address as there are letters, read as bits, and widths of the space around: 2,048 times 6. */
function spellingOf(n: number): string {
  const capitals = [...LETTERS].map((letter, bit) => ((n >> bit) & 1 ? letter.toUpperCase() : letter)).join("");
  const spaces = n >> LETTERS.length;
  // In full width, letters are other characters.
  const wide = n % 3 === 0 ? capitals.replace(/[a-e]/g, (letter) => String.fromCodePoint(wideOf(letter))) : capitals;
  return `${" ".repeat(spaces)}${wide.slice(0, 3)}.${wide.slice(3)}@${DOMAIN}${" ".repeat(n % 2)}`;
}

const wideOf = (letter: string) => letter.charCodeAt(0) + 0xfee0;

/** An application in which no password is right. */
function createApplication(store: Store) {
  let checked = 0;
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    extensions: [attempts()],
    store,
    providers: [
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { username: {}, password: {} },
        authorize: () => {
          checked++;
          return null;
        },
      },
    ],
  });
  const handle = (request: Request) => (request.method === "GET" ? handlers.GET(request) : handlers.POST(request));
  return { browser: createBrowser(handle, { origin: "https://app.example.com" }), checked: () => checked };
}

async function tryEach(store: Store, names: Iterable<string>): Promise<number> {
  const { browser, checked } = createApplication(store);
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  for (const username of names) {
    const body = new URLSearchParams({ csrfToken, username, password: "wrong" });
    await browser.fetch("/auth/callback/password", { method: "POST", body });
  }
  return checked();
}

async function takeForOne(store: Store): Promise<void> {
  const spellings = new Set(Array.from({ length: COUNT }, (_, n) => spellingOf(n)));
  expect(spellings.size).toBe(COUNT);
  expect(await tryEach(store, spellings)).toBe(10);
  const others = [`anndelacruz@${DOMAIN}`, `ann.delacruz+1@${DOMAIN}`, "ann.delacruz@example.org"];
  expect(await tryEach(store, others)).toBe(others.length);
}

/** The long form sends ten thousand forms. */
const timeout = 600_000;

describe("thousands of spellings of one address", () => {
  it("are one account, in memory", { timeout }, () => takeForOne(memoryStore({ instances: 1 })));

  it.skipIf(!installedServers().includes("redis-server"))("are one account, in Redis", { timeout }, async () => {
    const server = await startRedis();
    // A busy machine is not an outage, in which this process would count for itself.
    const { store, close } = openPatientStore(server.url);
    try {
      await takeForOne(store);
    } finally {
      close();
      await server.close();
    }
  });
});
