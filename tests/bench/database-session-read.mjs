// Reads a session from a SQLite file in Cardea and in Auth.js, counts what each asks of the database, and prints how long each
// takes as a Markdown table.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cpus } from "node:os";
import { Auth } from "@auth/core";
import { PrismaAdapter as AuthJsAdapter } from "@auth/prisma-adapter";
import { PrismaAdapter as CardeaAdapter } from "@cardea/adapter-prisma";
import { createAuth } from "@cardea/core";
import { inThisProcess, measureInterleaved } from "./measure-interleaved.mjs";
import { countQueries, createSessionDatabase } from "./session-database.mjs";

const origin = "https://app.example.com";
const secret = "bench-secret-of-forty-four-characters-000001";
const month = 30 * 24 * 60 * 60 * 1000;
const provider = { id: "op", type: "oidc", issuer: "https://op.example.com", clientId: "id", clientSecret: "secret" };
const options = { secret, trustHost: true, basePath: "/auth", providers: [provider] };

/** Cardea: `auth(request)`, the session of a request. */
function cardea(client) {
  const { auth } = createAuth({ ...options, adapter: CardeaAdapter(client) });
  return { cookieName: "__Host-cardea.session-token", read: auth };
}

/** Auth.js: what its `auth()` does for database sessions, a request to its own `session` endpoint and the JSON of the answer. */
function authJs(client) {
  const config = { ...options, adapter: AuthJsAdapter(client) };
  const read = async (request) => (await Auth(request, config)).json();
  return { cookieName: "__Secure-authjs.session-token", read };
}

const libraries = [
  { name: "Cardea `auth(request)`", path: "/dashboard?tab=1", create: cardea },
  { name: "Auth.js `Auth(request)` and its JSON", path: "/auth/session", create: authJs },
];
const cases = [
  { name: "a session", token: "known" },
  { name: "a session, 16 at once", token: "known", atOnce: 16 },
  { name: "an unknown token", token: "unknown" },
];

const database = await createSessionDatabase();
const token = await addSession(database.open());
const contenders = libraries.map((library) => ({ ...library, ...library.create(database.open()) }));
const [one, other] = await Promise.all(contenders.map((each) => each.read(requestOf(each, token))));
assert.deepEqual(one, other);
assert.equal(one.user.email, "ann@example.com");
for (const each of contenders) assert.equal(await each.read(requestOf(each, "unknown")), null);

const counts = [];
for (const { name, path, create } of libraries) {
  const counted = await countQueries(database.open(), (client) => {
    const { cookieName, read } = create(client);
    return () => read(requestOf({ path, cookieName }, token));
  });
  counts.push({ name, ...counted });
}

const rows = [];
for (const { name, token: which, atOnce = 1 } of cases) {
  const value = which === "known" ? token : randomUUID();
  const together = (each) => ({
    call: (requests) => Promise.all(requests.map((request) => each.read(request))),
    prepare: () => Array.from({ length: atOnce }, () => requestOf(each, value)),
  });
  const times = await measureInterleaved(contenders.map(together).map(inThisProcess));
  rows.push({ name, times });
}
await database.close();
print();

async function addSession(client) {
  const user = await client.user.create({ data: { name: "Ann Example", email: "ann@example.com" } });
  // As many as a small site has, so that the index is not a single page.
  const others = Array.from({ length: 2000 }, () => row(randomUUID(), user.id));
  const mine = randomUUID();
  await client.session.createMany({ data: [...others, row(mine, user.id)] });
  return mine;
}

function row(sessionToken, userId) {
  return { sessionToken, userId, expires: new Date(Math.floor(Date.now() / 1000) * 1000 + month) };
}

function requestOf({ path, cookieName }, value) {
  return new Request(`${origin}${path}`, {
    headers: { host: new URL(origin).host, cookie: `${cookieName}=${value}` },
  });
}

function print() {
  const when = new Date().toISOString().slice(0, 10);
  console.log(`\nNode ${process.versions.node}, ${cpus().length} cores (${cpus()[0].model.trim()}), ${when}\n`);
  console.log(
    "| a read of a database session, nothing due | calls of the Prisma client | SQL statements they become |",
  );
  console.log("|---|---|---|");
  for (const { name, calls, statements } of counts) console.log(`| ${name} | ${calls} | ${statements} |`);
  console.log(`\n| µs of CPU time | ${libraries.map(({ name }) => name).join(" | ")} | ratio |`);
  console.log("|---|---|---|---|");
  for (const { name, times } of rows) {
    const cells = times.map(({ median }) => median.toFixed(0));
    console.log(`| ${name} | ${cells.join(" | ")} | ${times[1].ratio.toFixed(2)} |`);
  }
}
