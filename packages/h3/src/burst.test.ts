import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAuth } from "./index.ts";

const secret = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const FORMS = 20;

afterEach(() => {
  vi.restoreAllMocks();
});

/** How many requests were converted: each opens the body of its form. */
function countRequests(): () => number {
  const opened = vi.spyOn(Readable.prototype, "iterator");
  return () => opened.mock.calls.length;
}

/** An event of h3 1 with a form. */
function form() {
  const req = new IncomingMessage(new Socket());
  req.url = "/auth/signout";
  req.headers = { host: "localhost", "content-type": "application/x-www-form-urlencoded" };
  req.push("csrfToken=none");
  req.push(null);
  return { path: "/auth/signout", method: "POST", node: { req, res: new ServerResponse(req) }, context: {} };
}

describe("a burst of forms on h3 1", () => {
  it("is converted one by one, in a turn of the event loop each (decisions/045)", async () => {
    const { handler } = createAuth({ secret, logger, trustHost: true, providers: [] });
    const ask = async () => (await handler(form())).status;
    await ask();
    const made = countRequests();
    let answered = 0;
    const turns: number[] = [];
    const statuses = Promise.all(Array.from({ length: FORMS }, () => ask().finally(() => answered++)));
    let before = 0;
    while (answered < FORMS) {
      await new Promise((resolve) => setImmediate(resolve));
      turns.push(made() - before);
      before = made();
    }
    expect(new Set(await statuses)).toEqual(new Set([403]));
    expect(made()).toBe(FORMS);
    expect(Math.max(...turns)).toBeLessThanOrEqual(2);
  });
});
