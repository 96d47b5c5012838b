import { Readable } from "node:stream";
import fc from "fast-check";
import fastify, { type FastifyReply } from "fastify";
import { describe, expect, it } from "vitest";
import {
  applySteps,
  applyWhenSent,
  type Behaviour,
  endNode,
  rulesConfig,
  rulesProperty,
  type Step,
  signOutElsewhere,
  untilSent,
} from "../../testing/src/binding-contract/response-rules.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";

/** Fastify appends cookies, and replaces other headers. */
const applyTo = (list: readonly Step[], reply: FastifyReply): void =>
  applySteps(list, {
    set: (name, value) => reply.removeHeader(name).header(name, value),
    append: (name, value) => reply.header(name, [reply.getHeader(name) ?? [], value].flat().map(String)),
    remove: (name) => reply.removeHeader(name),
  });

function endReply(behaviour: Behaviour, reply: FastifyReply): unknown {
  const { end } = behaviour;
  if (end === "throw") throw new Error("the handler failed");
  if (end === "redirect") return reply.redirect("/", 302);
  if (end === "not-modified") return reply.code(304).send();
  if (end === "stream") return reply.send(Readable.from(["first", "last"]));
  if (end === "send") return reply.send("last");
  // What was set through the reply is left behind, as documented by Fastify.
  reply.hijack();
  for (const [name, value = ""] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
  return endNode(behaviour, reply.raw);
}

async function open(first: (reply: FastifyReply) => void = () => undefined, isLate = false) {
  const { guard, signOut } = createAuth(rulesConfig);
  let current: Behaviour | undefined;
  const app = fastify();
  app.addHook("onRequest", async (_request, reply) => {
    first(reply);
    applyTo(current?.before ?? [], reply);
    if (isLate) applyWhenSent(() => current?.after ?? [], reply.raw);
  });
  app.addHook("onRequest", guard);
  app.get("/", async (request, reply) => {
    if (current === undefined) return reply.send();
    if (current.session === "leaving") await signOut(request, reply, { redirect: false });
    if (current.session === "gone") await signOutElsewhere(request.headers.cookie);
    if (!isLate) applyTo(current.after, reply);
    endReply(current, reply);
    return reply;
  });
  const setBehaviour = (behaviour: Behaviour) => {
    current = behaviour;
  };
  const rules = { origin: await app.listen({ port: 0, host: "127.0.0.1" }), setBehaviour };
  return { rules, [Symbol.asyncDispose]: () => app.close() };
}

describe("responses of Fastify", () => {
  it("keep our cookies, and what a session admitted, out of shared caches, whatever a handler does", async () => {
    await using app = await open();
    await fc.assert(rulesProperty(app.rules), { numRuns: isLong ? 3000 : 50 });
  });

  it("keep them out, whatever a hook before the guard does when the headers are sent", async () => {
    await using app = await open(undefined, true);
    await fc.assert(rulesProperty(app.rules, untilSent), { numRuns: isLong ? 3000 : 50 });
  });

  it("would not, if headers were set before the handler only", async () => {
    await using app = await open(({ raw }) => {
      Object.defineProperty(raw, "writeHead", { value: raw.writeHead.bind(raw), writable: false });
    });
    expect((await fc.check(rulesProperty(app.rules), { numRuns: 1000, endOnFailure: true })).failed).toBe(true);
  });
});
