import type { RequestHandler } from "express";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyToNode,
  applyWhenSent,
  type Behaviour,
  endNode,
  type RulesApplication,
  rulesConfig,
  rulesProperty,
  signOutElsewhere,
  untilSent,
} from "../../testing/src/binding-contract/response-rules.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";
import { frameworks, runApp } from "./run-app.ts";

/** An application whose middleware before and handler after the guard do anything with the headers. */
async function open(
  { express }: (typeof frameworks)[number],
  first: RequestHandler = (_req, _res, next) => next(),
  isLate = false,
) {
  const { auth, signOut } = createAuth(rulesConfig);
  let current: Behaviour | undefined;
  const app = express();
  app.use(first);
  app.use((_req, res, next) => {
    applyToNode(current?.before ?? [], res);
    if (isLate) applyWhenSent(() => current?.after ?? [], res);
    next();
  });
  app.use(auth);
  app.use(async (req, res, next) => {
    try {
      if (current?.session === "leaving") await signOut(req, res, { redirect: false });
      if (current?.session === "gone") await signOutElsewhere(req.headers.cookie);
      if (!isLate) applyToNode(current?.after ?? [], res);
      if (current !== undefined) endNode(current, res);
    } catch (error) {
      next(error);
    }
  });
  const running = await runApp(app);
  const rules: RulesApplication = {
    origin: running.origin,
    setBehaviour: (behaviour) => {
      current = behaviour;
    },
  };
  return { rules, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

/** Prevents the library from noticing when headers are sent. */
const former: RequestHandler = (_req, res, next) => {
  Object.defineProperty(res, "writeHead", { value: res.writeHead.bind(res), writable: false });
  next();
};

describe.each(frameworks)("responses of Express $version", (framework) => {
  it("keep our cookies, and what a session admitted, out of shared caches, whatever a handler does", async () => {
    await using app = await open(framework);
    await fc.assert(rulesProperty(app.rules), { numRuns: isLong ? 3000 : 50 });
  });

  it("keep them out, whatever middleware before the guard does when the headers are sent", async () => {
    await using app = await open(framework, undefined, true);
    await fc.assert(rulesProperty(app.rules, untilSent), { numRuns: isLong ? 3000 : 50 });
  });

  it("would not, if headers were set before the handler only", async () => {
    await using app = await open(framework, former);
    expect((await fc.check(rulesProperty(app.rules), { numRuns: 1000, endOnFailure: true })).failed).toBe(true);
  });
});
