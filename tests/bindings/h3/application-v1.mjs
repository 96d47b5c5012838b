// The application of the journeys on h3 1, which Nuxt 3 and 4 and Nitro 2 are built on.
import { createServer } from "node:http";
import { createAuth } from "@cardea/h3";
import { bindingConfig } from "@cardea/testing/binding-application";
import {
  createApp,
  createError,
  createRouter,
  eventHandler,
  readFormData,
  sendStream,
  setCookie,
  toNodeListener,
} from "h3-v1";

const { handler, guard, auth, signIn, signOut } = createAuth(bindingConfig(process.env));
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
let runs = 0;

const failWith = (error) => {
  throw createError({ statusCode: error.type === "CredentialsSignin" ? 401 : 503 });
};
const members = eventHandler((event) => {
  runs += 1;
  return `SECRET of ${event.context.auth?.user?.name}`;
});
const router = createRouter()
  .use("/auth/**", eventHandler(handler))
  .get(
    "/session",
    eventHandler(async (event) => Response.json(await auth(event).catch(failWith))),
  )
  .get(
    "/ran",
    eventHandler(() => String(runs)),
  )
  .get(
    "/open",
    eventHandler(() => "open"),
  )
  .use("/members", members)
  .use("/members/**", members)
  .get(
    "/stream",
    eventHandler((event) => {
      setCookie(event, "theirs", "1");
      setCookie(event, "other", "2");
      const parts = ["first\n", "last\n"];
      const body = new ReadableStream({
        pull: async (controller) => {
          await pause();
          const part = parts.shift();
          if (part === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(part));
        },
      });
      return sendStream(event, body);
    }),
  )
  .post(
    "/enter",
    eventHandler(async (event) => signIn(event, "credentials", await readFormData(event)).catch(failWith)),
  )
  .post(
    "/leave",
    eventHandler((event) => signOut(event, { redirectTo: "/session" })),
  );
const app = createApp();
app.use(eventHandler(guard));
app.use(router);
const server = createServer(toNodeListener(app)).listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: server.address().port }));
});
