// Fifty sign-ins of one user at the same moment, as of a load test or of a program that many machines share: in two processes, on one Redis.
import { attempts } from "@cardea/attempts";
import { createAuth } from "@cardea/core";
import { sessions, sessionsOf } from "@cardea/sessions";
import { createBrowser } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openPatientStore } from "./servers/open-patient-store.ts";
import { installedServers, startRedis } from "./servers/start-redis.ts";

const ORIGIN = "https://app.example.com";
const redis = installedServers().includes("redis-server") ? await startRedis() : undefined;
const closing: (() => void)[] = [];

afterAll(async () => {
  for (const close of closing) close();
  await redis?.close();
});

/** One process of an application, in which everybody's password is right. */
function startProcess(prefix: string, perUser: number | undefined) {
  const { store, close } = openPatientStore(redis?.url ?? "", { prefix });
  closing.push(close);
  const problems: string[] = [];
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    store,
    extensions: [
      sessions(perUser === undefined ? {} : { limit: { perUser } }),
      attempts({ limits: { signin: "1000/1m/account" } }),
    ],
    logger: { error: (error) => void problems.push(String(error)), warn: () => {}, debug: () => {} },
    providers: [
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { username: {}, password: {} },
        authorize: ({ username }) => ({ id: String(username), name: String(username) }),
      },
    ],
  });
  const { handlers } = auth;
  const answer = (request: Request) => (request.method === "GET" ? handlers.GET(request) : handlers.POST(request));
  return { auth, problems, newBrowser: () => createBrowser(answer, { origin: ORIGIN }) };
}

/** Fetches the token of the form, and returns the step that is taken at the same moment as the others. */
async function prepare({ newBrowser }: ReturnType<typeof startProcess>) {
  const browser = newBrowser();
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  return async (): Promise<boolean> => {
    const body = new URLSearchParams({ csrfToken, username: "ann", password: "right" });
    const headers = { "X-Auth-Return-Redirect": "1" };
    const answer = await browser.fetch("/auth/callback/password", { method: "POST", body, headers });
    const { url }: { url: string } = await answer.json();
    return !url.includes("error=");
  };
}

describe.skipIf(redis === undefined)("fifty sign-ins of one user at the same moment", () => {
  it.each([undefined, 10])("all succeed, and all sessions that count are listed (limit: %s)", async (limit) => {
    const processes = [0, 1].map(() => startProcess(`fifty-${limit}:`, limit));
    const steps = await Promise.all(Array.from({ length: 25 }, () => processes.map(prepare)).flat());
    const results = await Promise.all(steps.map((step) => step()));
    expect([results.filter((isIn) => isIn).length, processes.flatMap(({ problems }) => problems)]).toEqual([50, []]);
    for (const { auth } of processes)
      await expect.poll(async () => (await sessionsOf(auth).list("ann")).length).toBe(limit ?? 50);
  });
});
