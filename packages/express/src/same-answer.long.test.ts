import type { ErrorRequestHandler, RequestHandler } from "express";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyRequest } from "../../testing/src/binding-contract/any-request.ts";
import { type Compared, handleBoth, recordingConfig } from "../../testing/src/binding-contract/same-answer.ts";
import { sendRaw } from "../../testing/src/binding-contract/send-raw.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";
import { frameworks, runApp } from "./run-app.ts";

const RUNS = isLong ? 2000 : 60;

describe.each(frameworks)("Express $version", ({ express }) => {
  async function start(hasForms: boolean, ...before: readonly RequestHandler[]) {
    const told: string[] = [];
    const { router, auth } = createAuth(recordingConfig(told, hasForms));
    const app = express();
    for (const parser of before) app.use(parser);
    app.use("/auth", router);
    app.use(auth, (_req, res) => void res.type("text/plain").send("MEMBERS"));
    const running = await runApp(app);
    const compared: Compared = { origin: `http://127.0.0.1:${running.port}`, told };
    return { ...compared, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
  }

  it.each([true, false])("answers like the Fetch API, with forms without a token: %s", async (hasForms) => {
    await using app = await start(hasForms);
    const property = fc.asyncProperty(anyRequest, async (request) => {
      const [answer, expected] = await handleBoth(app, hasForms, request);
      expect(answer).toEqual(expected);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  const parsers = {
    json: express.json(),
    form: express.urlencoded({ extended: true }),
    text: express.text({ type: () => true }),
  };

  it.each(Object.keys(parsers))(
    "answers a body of any shape that a parser has read, and runs no error handler: %s",
    async (kind) => {
      const failures: unknown[] = [];
      const told: string[] = [];
      const app = express();
      app.use(Object(parsers)[kind], createAuth(recordingConfig(told, true)).router);
      app.use(((error, _req, res, _next) => {
        // Parsers reject malformed bodies themselves.
        if (error.type === undefined) failures.push(error);
        res.status(400).end();
      }) satisfies ErrorRequestHandler);
      await using running = await runApp(app);
      const origin = `http://127.0.0.1:${running.port}`;
      const property = fc.asyncProperty(nested, async ([type, body]) => {
        const headers = { "Content-Type": type };
        const { status } = await sendRaw(origin, { target: "/auth/callback/form", method: "POST", headers, body });
        expect([status === 302 || status === 400 || status === 413, failures]).toEqual([true, []]);
      });
      await fc.assert(property, { numRuns: RUNS });
    },
  );
});

/** Bodies that are nested up to what a parser accepts, with their media type. */
const nested = fc
  .tuple(fc.constantFrom(["[", "]"], ['{"name":', "}"]), fc.integer({ min: 1, max: 16 }), fc.boolean(), fc.jsonValue())
  .map(([[open = "", close = ""], exponent, isJson, value]): [string, string] => {
    const depth = Math.min(2 ** exponent, Math.floor(90_000 / (open.length + close.length)));
    return isJson
      ? ["application/json", `${open.repeat(depth)}${JSON.stringify(value)}${close.repeat(depth)}`]
      : [
          "application/x-www-form-urlencoded",
          `name${"[a]".repeat(Math.min(depth, 60))}=${encodeURIComponent(JSON.stringify(value))}`,
        ];
  });
