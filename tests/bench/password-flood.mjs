/**
 * How long GET `session` takes while 200 users sign in with a password at the same moment, each with a hash at the default of
 * `@cardea/providers-password`. Three processes: a server with Express, one that reads the session at a steady rate, and this one, which
 * sends the sign-ins. A read is timed from when it is sent; those that its process sends late are counted. Needs
 * built packages.
 *
 *   node password-flood.mjs --seconds 10
 *   setsid -w sh -c 'echo -20 > /proc/self/autogroup && node password-flood.mjs'
 *                                     as root on Linux, on a machine that does something else meanwhile: before all other sessions
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CookieJar } from "./browser.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    serve: { type: "string" },
    read: { type: "string" },
    cookie: { type: "string" },
  },
});

const SIGN_INS = 200;
/** One GET `session` begins every so many milliseconds, whether the former ones are answered or not. */
const EVERY_MS = 5;
/** So many connections are open for reads; more are opened when all of them wait. */
const CONNECTIONS = 50;
/** So many forms are refused before anything is measured. */
const FORMS = 500;
/** A read that is sent this much later than its time, in milliseconds, tells of the process that reads. */
const LATE_MS = 5;
const EMAIL = "ann@example.com";
const PASSWORD = "purple monkey sings";

if (values.serve !== undefined) await serve(values.serve);
else if (values.read !== undefined) await readFor(Number(values.read), values.cookie);
else for (const strategy of ["jwt", "database"]) await measure(strategy);

/** The server, in a process of its own. */
async function serve(strategy) {
  const { memoryStore } = await import("@cardea/core/adapters");
  const { createAuth } = await import("@cardea/express");
  const { Password, passwordsOf, scrypt } = await import("@cardea/providers-password");
  const { createMemoryAdapter } = await import("@cardea/testing");
  const { default: express } = await import("express");
  const ann = { id: "ann", name: "Ann", email: EMAIL, emailVerified: new Date(0), image: null };
  const { adapter } = createMemoryAdapter({ keepIds: true, seed: { users: [ann] } });
  const instance = createAuth({
    secret: "a secret of more than thirty-two bytes for the bench",
    trustHost: true,
    adapter,
    store: memoryStore({ instances: 1 }),
    session: { strategy },
    providers: [Password({ breached: false })],
    logger: { error: () => undefined, warn: () => undefined },
  });
  await passwordsOf(instance).import("ann", await scrypt().hash(PASSWORD));
  let longest = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const app = express().use("/auth", instance.router);
  const server = app.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
  // A connection that it ended meanwhile would fail a read.
  server.keepAliveTimeout = 600_000;
  process.once("disconnect", () => process.exit(0));
  process.on("message", (order) => {
    if (order === "end") process.exit(0);
    if (order === "tell") process.send(longest);
    longest = 0;
  });
}

/** Reads the session until it is told to stop, in a process of its own. */
async function readFor(port, cookie) {
  // As a proxy has them. A new one is accepted after the 200 of those who sign in.
  const free = Array.from({ length: CONNECTIONS }, () => connection(port));
  for (const read of free) await read({ path: "/auth/session", cookie });
  const answers = [];
  let late = 0;
  let next = performance.now();
  const timer = setInterval(() => {
    for (; next <= performance.now(); next += EVERY_MS) {
      if (performance.now() - next > LATE_MS) late++;
      // On a connection that waits for nothing: it would otherwise wait for the answer to another read.
      answers.push(timed(free.pop() ?? connection(port), cookie));
    }
  }, 1);
  const timed = async (send, own) => {
    const begun = performance.now();
    const { status, text } = await send({ path: "/auth/session", cookie: own });
    const ms = performance.now() - begun;
    free.push(send);
    if (status !== 200 || !text.includes(EMAIL)) throw new Error("A read lost its user.");
    return ms;
  };
  process.send("reading");
  await once(process, "message");
  clearInterval(timer);
  process.send({ times: await Promise.all(answers), late });
  await once(process, "message");
  process.exit(0);
}

async function measure(strategy) {
  const server = start(["--serve", strategy]);
  const [{ port }] = await once(server, "message");
  const base = `http://127.0.0.1:${port}/auth`;
  const jar = new CookieJar();
  const { csrfToken } = await jar.keep(await fetch(`${base}/csrf`)).json();
  const csrf = jar.header();
  const body = new URLSearchParams({ csrfToken, email: EMAIL, password: PASSWORD }).toString();
  const first = await fetch(`${base}/callback/password`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: csrf, "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  const session = jar.keep(first) && jar.header();
  const check = await (await fetch(`${base}/session`, { headers: { cookie: session } })).json();
  if (check?.user?.email !== EMAIL) throw new Error("No one is signed in, so that nothing would be measured.");

  // The server has run for a while.
  const warm = connection(port);
  for (let n = 0; n < FORMS; n++) await warm({ path: "/auth/callback/password", cookie: csrf, body: "csrfToken=none" });
  warm.end();
  await readDuring(server, port, session, () => wait(2000));
  const quiet = await readDuring(server, port, session, () => wait(1000 * Number(values.seconds)));
  let statuses = [];
  let took = 0;
  const busy = await readDuring(server, port, session, async () => {
    const senders = Array.from({ length: SIGN_INS }, () => connection(port));
    await Promise.all(senders.map((send) => send.opened));
    const begun = performance.now();
    // As a program, so that a full server says so by its status.
    const answers = await Promise.all(
      senders.map((send) => send({ path: "/auth/callback/password", cookie: csrf, body })),
    );
    took = (performance.now() - begun) / 1000;
    statuses = answers.map(({ status }) => status);
    for (const send of senders) send.end();
  });
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(`${strategy} sessions; load ${load.join(" ")}`);
  console.log(`  without sign-ins:        GET session ${describe(quiet)}`);
  console.log(`  ${SIGN_INS} sign-ins in ${took.toFixed(1)} s: GET session ${describe(busy)}`);
  console.log(`  answers to them: ${countBy(statuses)}`);
  server.send("end");
  await once(server, "exit");
}

/** Starts another process of this program; nothing is measured once one failed. */
function start(options) {
  const child = fork(import.meta.filename, options);
  child.once("exit", (code) => {
    if (code !== 0) process.exit(1);
  });
  return child;
}

function countBy(all) {
  const counts = new Map();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(", ");
}

/** Reads at a steady rate until something is done. */
async function readDuring(server, port, cookie, work) {
  const reader = start(["--read", String(port), "--cookie", cookie]);
  await once(reader, "message");
  server.send("begin");
  await work();
  server.send("tell");
  const [turn] = await once(server, "message");
  reader.send("stop");
  const [read] = await once(reader, "message");
  reader.send("end");
  await once(reader, "exit");
  return { ...read, turn };
}

function describe({ times, late, turn }) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms (${sorted.length} reads, ${late} sent late); longest turn of the server ${turn.toFixed(1)} ms`;
}

/** A connection for one request at a time, written and read by hand: Node's client takes as long as the server. */
function connection(port) {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  let text = "";
  let done;
  let fail;
  socket.on("error", (error) => fail(error));
  socket.setEncoding("latin1").on("data", (part) => {
    text += part;
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
    if (head === -1 || text.length < head + 4 + length) return;
    const answer = { status: Number(text.slice(9, 12)), text: text.slice(head + 4) };
    text = "";
    done(answer);
  });
  const send = ({ path, cookie, body }) =>
    new Promise((resolve, reject) => {
      done = resolve;
      fail = reject;
      const lines = [`host: 127.0.0.1:${port}`, `cookie: ${cookie}`, "x-auth-return-redirect: 1"];
      if (body !== undefined)
        lines.push("content-type: application/x-www-form-urlencoded", `content-length: ${body.length}`);
      socket.write(
        `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`,
      );
    });
  return Object.assign(send, { opened: once(socket, "connect"), end: () => socket.destroy() });
}
