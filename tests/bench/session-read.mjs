// Reads one signed-in visitor's session in Cardea and in Auth.js, and prints how long each takes as a Markdown table.
import assert from "node:assert/strict";
import { cpus } from "node:os";
import { measureInterleaved } from "./measure-interleaved.mjs";
import { authJs, cardea, origin } from "./session-readers.mjs";

const secret = "bench-secret-of-forty-four-characters-000001";
const formerSecret = "bench-secret-of-forty-four-characters-000002";

/** About 6 kB of cookie: more than one cookie holds. */
const permissions = Array.from({ length: 130 }, (_, n) => `project-${n}:read,write,administer`);

const cases = [
  { name: "one secret", madeWith: [secret], readWith: [secret] },
  { name: "second of two secrets", madeWith: [formerSecret], readWith: [secret, formerSecret] },
  { name: "6 kB, several cookies", madeWith: [secret], readWith: [secret], claims: { permissions } },
  { name: "one secret, 16 at once", madeWith: [secret], readWith: [secret], atOnce: 16 },
];

const readings = [];
for (const each of cases) readings.push(await readIn(each));
print(readings);

/** Signs in with both libraries, checks that both read the same, and measures them. */
async function readIn({ name, madeWith, readWith, claims = {}, atOnce = 1 }) {
  const ours = await cardea({ madeWith, readWith, claims });
  const theirs = await authJs({ madeWith, readWith, claims });
  const [one, other] = [await ours.claimsOf(request(ours)), await theirs.claimsOf(request(theirs))];
  assert.deepEqual(withoutTimes(one), withoutTimes(other));
  assert.equal(await ours.cookiesSetOnRead(request(ours)), 0);
  const times = await measureInterleaved(
    [ours, theirs].map((library) => ({ call: library.read, argument: () => request(library) })),
    { atOnce },
  );
  return { name, ours: { ...ours, ...times[0] }, theirs: { ...theirs, ...times[1] } };
}

/** Both libraries find the same request but for the cookies, which are their own. */
function request({ cookieHeader }) {
  return new Request(`${origin}/dashboard?tab=1`, { headers: { host: new URL(origin).host, cookie: cookieHeader } });
}

/** The claims without those that differ from sign-in to sign-in, and without the second name that Cardea gives `picture`. */
function withoutTimes({ iat, exp, jti, image, ...claims }) {
  assert.ok(iat && exp && jti && claims.name && claims.email && claims.picture && claims.sub);
  return claims;
}

function print(rows) {
  console.log(`Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0].model.trim()}), ${today()}\n`);
  console.log("| µs a read: median (p10 to p90) | Cardea `auth(request)` | Auth.js `getToken` | Cardea's share |");
  console.log("|---|---|---|---|");
  for (const { name, ours, theirs } of rows) {
    console.log(`| ${name} | ${describe(ours)} | ${describe(theirs)} | ${ours.share.toFixed(3)} |`);
  }
  console.log("\n| session cookie: bytes of names and values (cookies) | Cardea | Auth.js |\n|---|---|---|");
  for (const { name, ours, theirs } of rows.filter((row) => !row.name.includes("at once"))) {
    console.log(`| ${name} | ${describeCookies(ours)} | ${describeCookies(theirs)} |`);
  }
  console.log("\n`Set-Cookie` headers of a read with nothing due, Cardea: 0");
}

function describe({ median, p10, p90 }) {
  return `${median.toFixed(1)} (${p10.toFixed(1)} to ${p90.toFixed(1)})`;
}

function describeCookies({ sessionCookies }) {
  const bytes = sessionCookies.reduce((sum, [name, value]) => sum + name.length + 1 + value.length, 0);
  return `${bytes} (${sessionCookies.length})`;
}

function today() {
  return new Date().toISOString().slice(0, 10);
}
