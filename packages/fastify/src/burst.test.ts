import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import fastify from "fastify";
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

/** A form as Node.js hands it over, and its response. */
function form() {
  const req = new IncomingMessage(new Socket());
  const headers = { host: "localhost", "content-type": "application/x-www-form-urlencoded" };
  Object.assign(req, { method: "POST", url: "/auth/signout", headers, httpVersionMajor: 1, httpVersionMinor: 1 });
  req.push("csrfToken=none");
  req.push(null);
  return { req, res: new ServerResponse(req) };
}

/** How many requests are made in each turn of the event loop, until all are answered. */
async function turnsOf(forms: readonly { readonly res: ServerResponse }[], made: () => number): Promise<number[]> {
  const turns: number[] = [];
  let before = 0;
  do {
    await new Promise((resolve) => setImmediate(resolve));
    turns.push(made() - before);
    before = made();
  } while (!forms.every(({ res }) => res.writableEnded));
  return turns;
}

describe("a burst of forms", () => {
  it("is converted one by one, in a turn of the event loop each (decisions/045)", async () => {
    const app = fastify();
    await app.register(createAuth({ secret, logger, trustHost: true, providers: [] }).plugin);
    await app.ready();
    const first = form();
    app.routing(first.req, first.res);
    await vi.waitFor(() => expect(first.res.writableEnded).toBe(true), { timeout: 20_000 });
    const made = countRequests();
    const forms = Array.from({ length: FORMS }, form);
    for (const { req, res } of forms) app.routing(req, res);
    const turns = await turnsOf(forms, made);
    expect(made()).toBe(FORMS);
    expect(Math.max(...turns)).toBeLessThanOrEqual(2);
    expect(forms.every(({ res }) => res.statusCode === 403)).toBe(true);
  });
});
