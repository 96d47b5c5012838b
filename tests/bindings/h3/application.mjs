// The application of the journeys on h3 2.
import { createAuth } from "@cardea/h3";
import { bindingConfig } from "@cardea/testing/binding-application";
import { H3, HTTPError, serve, setCookie } from "h3";

const { handler, guard, auth, signIn, signOut } = createAuth(bindingConfig(process.env));
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
let runs = 0;

const failWith = (error) => {
  throw new HTTPError({ status: error.type === "CredentialsSignin" ? 401 : 503 });
};
const members = (event) => {
  runs += 1;
  return `SECRET of ${event.context.auth?.user?.name}`;
};
const app = new H3();
app.use(guard);
app.all("/auth/**", handler);
app.get("/session", async (event) => Response.json(await auth(event).catch(failWith)));
app.get("/ran", () => String(runs));
app.get("/open", () => "open");
app.all("/members/**", members);
app.get("/stream", (event) => {
  setCookie(event, "theirs", "1");
  setCookie(event, "other", "2");
  const parts = ["first\n", "last\n"];
  return new ReadableStream({
    pull: async (controller) => {
      await pause();
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
});
app.post("/enter", async (event) => signIn(event, "credentials", await event.req.formData()).catch(failWith));
app.post("/leave", (event) => signOut(event, { redirectTo: "/session" }));
const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(JSON.stringify({ port: Number(new URL(server.url).port) }));
