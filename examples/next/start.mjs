// Starts the demo: the built application, and beside it an OpenID Provider and a mail server that play the parts of a user
// else's. An application of your own is started by `next start`, with these variables in its environment.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { startSmtpSink } from "@cardea/testing/smtp-sink";
import { prepareDatabase } from "./prepare-database.mjs";

const closers = [];
let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void end());

try {
  const port = await findFreePort(parsePort(process.env.PORT || "3000"));
  const url = `http://localhost:${port}`;
  await startNext(port, await prepareSurroundings(url, port));
  await answers(url);
  if (!isEnding) console.log(`The demo is at ${url} (Ctrl+C ends it)`);
} catch (error) {
  if (!isEnding) console.error(`The demo does not start. ${error.message}`);
  await end(isEnding ? 0 : 1);
}

/** Everything around the application; resolves to the environment that tells it. */
async function prepareSurroundings(url, port) {
  const databaseUrl = process.env.DATABASE_URL || `file:${import.meta.dirname}/data/blue-room.db`;
  await prepareDatabase(databaseUrl);
  const origins = [url, `http://127.0.0.1:${port}`];
  const clientSecret = randomBytes(32).toString("base64url");
  const redirectUris = origins.map((origin) => `${origin}/api/auth/callback/local`);
  const postLogoutRedirectUris = origins.map((origin) => `${origin}/api/auth/signedout/local`);
  const provider = await startOidcProvider({
    clients: [{ clientId: "blue-room", clientSecret, name: "The Blue Room", redirectUris, postLogoutRedirectUris }],
    rotateRefreshTokens: true,
  });
  closers.push(() => provider.close());
  const sink = await startSmtpSink();
  closers.push(() => sink.close());
  return {
    AUTH_SECRET: process.env.AUTH_SECRET || randomBytes(32).toString("base64url"),
    AUTH_URL: url,
    AUTH_LOCAL_ISSUER: provider.issuer,
    AUTH_LOCAL_ID: provider.clientId,
    AUTH_LOCAL_SECRET: provider.clientSecret,
    SMTP_URL: sink.url,
    DATABASE_URL: databaseUrl,
    DEMO_INBOX_URL: await showMails(sink.mails),
  };
}

/** Mails stay in this process; the application reads them here, for its inbox. */
async function showMails(mails) {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(mails));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

async function startNext(port, env) {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  // This machine only: the demo's password is no secret.
  const child = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  closers.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  child.once("exit", () => void (isEnding || end(1)));
}

/** Resolves when the application answers. */
async function answers(url) {
  for (let tries = 0; tries < 300 && !isEnding; tries++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await wait(100);
  }
  throw new Error("The application did not answer for half a minute. Is it built?");
}

/** The first port that no one has taken, from the one given; 0 is any. */
async function findFreePort(first) {
  for (let port = first; port < first + 20; port++) {
    const server = createServer().listen(port, "127.0.0.1");
    const [event] = await Promise.race([
      once(server, "listening").then(() => ["listening"]),
      once(server, "error"),
    ]).catch((error) => [error]);
    const free = server.address()?.port;
    server.close();
    if (event === "listening") return free;
  }
  throw new Error(`Port ${first} and those after it are taken.`);
}

function parsePort(given) {
  if (/^\d{1,5}$/.test(given) && Number(given) < 65536) return Number(given);
  throw new Error(`PORT is "${given}"; it takes a number from 0 (any free port) to 65535.`);
}

async function end(code = 0) {
  if (isEnding) return;
  isEnding = true;
  for (const close of closers.reverse()) await close();
  process.exit(code);
}
