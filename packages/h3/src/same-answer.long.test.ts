import { createServer } from "node:http";
import fc from "fast-check";
import { createApp, createRouter, eventHandler, toNodeListener } from "h3-v1";
import { describe, expect, it } from "vitest";
import { anyRequest } from "../../testing/src/binding-contract/any-request.ts";
import { handleBoth, recordingConfig } from "../../testing/src/binding-contract/same-answer.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";

/** h3 1 does not route the absolute form, and reads a fragment as a part of the path: so does its guard, which the Fetch API does not. */
const routed = anyRequest.filter(({ target }) => target.startsWith("/") && !target.includes("#"));

const RUNS = isLong ? 2000 : 60;

describe("h3 1", () => {
  it.each([true, false])("answers like the Fetch API, with forms without a token: %s", async (hasForms) => {
    const told: string[] = [];
    const { handler, guard } = createAuth(recordingConfig(told, hasForms));
    const router = createRouter().use("/auth/**", eventHandler(handler));
    const app = createApp().use(router).use(eventHandler(guard));
    const members = () => new Response("MEMBERS", { headers: { "content-type": "text/plain; charset=utf-8" } });
    const server = createServer(toNodeListener(app.use(eventHandler(members))));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${Object(server.address()).port}`;
    const property = fc.asyncProperty(routed, async (request) => {
      const [answer, expected] = await handleBoth({ origin, told }, hasForms, request);
      expect(answer).toEqual(expected);
    });
    try {
      await fc.assert(property, { numRuns: RUNS });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
