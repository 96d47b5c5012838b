// The application of the journeys on Fastify, beside @fastify/cookie.
import { Readable } from "node:stream";
import { createAuth } from "@cardea/fastify";
import { bindingConfig } from "@cardea/testing/binding-application";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import fastify from "fastify";

const { plugin, guard, auth, signIn, signOut } = createAuth(bindingConfig(process.env));
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
let runs = 0;

const app = fastify();
await app.register(cookie);
await app.register(formbody);
app.addHook("onRequest", guard);
await app.register(plugin);
app.setErrorHandler((error, _request, reply) => {
  if (error.type === "CredentialsSignin") return reply.code(401).send();
  return reply.code(error.statusCode ?? 503).send();
});
app.get("/session", async (request, reply) => {
  // A string that is null would be an answer without a body.
  reply.type("application/json");
  return JSON.stringify(await auth(request, reply));
});
app.get("/ran", async () => String(runs));
app.get("/open", async () => "open");
const members = async (request) => {
  runs += 1;
  return `SECRET of ${request.auth?.user?.name}`;
};
app.all("/members", members);
app.all("/members/*", members);
app.get("/stream", async (_request, reply) => {
  reply.setCookie("theirs", "1").setCookie("other", "2");
  const parts = async function* () {
    yield "first\n";
    await pause();
    yield "last\n";
  };
  return reply.send(Readable.from(parts()));
});
app.post("/enter", async (request, reply) => {
  await signIn(request, reply, "credentials", request.body);
  return reply;
});
app.post("/leave", async (request, reply) => {
  await signOut(request, reply, { redirectTo: "/session" });
  return reply;
});
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(JSON.stringify({ port: app.server.address().port }));
