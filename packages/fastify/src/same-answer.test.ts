import fc from "fast-check";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { anyRequest } from "../../testing/src/binding-contract/any-request.ts";
import { handleBoth, recordingConfig } from "../../testing/src/binding-contract/same-answer.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";

const RUNS = isLong ? 2000 : 60;

describe("Fastify", () => {
  it.each([true, false])("answers like the Fetch API, with forms without a token: %s", async (hasForms) => {
    const told: string[] = [];
    const { plugin, guard } = createAuth(recordingConfig(told, hasForms));
    const app = fastify();
    await app.register(plugin);
    await app.register(async (members) => {
      members.removeAllContentTypeParsers();
      members.addContentTypeParser("*", (_request, _payload, done) => done(null));
      members.addHook("onRequest", guard);
      members.all("/*", async (_request, reply) => reply.type("text/plain; charset=utf-8").send("MEMBERS"));
    });
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    // The guard rejects fragments, which Fastify reads as a part of the query, and schemes in upper case.
    const requests = anyRequest.filter(({ target }) => /\/auth\//.test(target) || !/#|^HTTP:/.test(target));
    const property = fc.asyncProperty(requests, async (request) => {
      const [answer, expected] = await handleBoth({ origin, told }, hasForms, request);
      expect(answer).toEqual(expected);
    });
    try {
      await fc.assert(property, { numRuns: RUNS });
    } finally {
      await app.close();
    }
  });
});
