// What is wrong with an answer.

import { ADMIN_MARK, logged, MARK, op } from "./applications.mjs";
import { SCRIPT } from "./random.mjs";

const OWN_COOKIE = /^(?:__Host-|__Secure-)?cardea\./;

/** The sessions that were given out: the bytes of their tokens, since a last character can have several spellings. */
const issued = new Set();
const bytesOf = (token) =>
  token
    .split(".")
    .map((part) => Buffer.from(part, "base64url").toString("hex"))
    .join(".");

/** Whether the request holds a session that was given out, whole or in chunks. */
function hasSession(request) {
  const whole = [...request.matchAll(/session-token=([^;,\s]*)/g)].map(([, value]) => value);
  const chunks = [...request.matchAll(/session-token\.\d=([^;,\s]*)/g)].map(([, value]) => value);
  // What the fuzzer adds or repeats may stand before and after the chunks that were given out together.
  const joined = chunks.flatMap((_, from) =>
    chunks.slice(from).map((_, more) => chunks.slice(from, from + more + 1).join("")),
  );
  return [...whole, ...joined].some((value) => issued.has(bytesOf(value)) || issued.has(bytesOf(decode(value))));
}

function decode(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** How often the run came to what lies deep: one that never does shows nothing. */
export const reached = {
  sessions: 0,
  "content with a session": 0,
  "confirm-address": 0,
  passkeys: 0,
  "redirects to sign in": 0,
};

function noteDepth(request, { text, status, all }) {
  if (all("set-cookie").some((line) => /session-token=[^;]/.test(line))) {
    reached.sessions += 1;
    if (request.startsWith("POST /auth/callback/passkey")) reached.passkeys += 1;
  }
  if (status === 200 && text.includes(MARK)) reached["content with a session"] += 1;
  if (status === 200 && request.includes("/auth/confirm-address ") && text.includes('name="step"'))
    reached["confirm-address"] += 1;
  if (status === 302 && all("location")[0]?.includes("/auth/signin?callbackUrl=")) reached["redirects to sign in"] += 1;
}

/** What is wrong with the answer to the bytes of a request; undefined where nothing is. */
export function faultOf(application, request, isExact, answer) {
  const { text, status, timedOut } = answer;
  const mayHaveSession = hasSession(request);
  remember(answer);
  noteDepth(request, answer);
  if (status >= 500) return `status ${status}`;
  if (isExact && timedOut) return "no answer";
  if (text.includes(ADMIN_MARK) || (application.mark !== undefined && text.includes(application.mark)))
    return "let through to what is for no one";
  if (text.includes(MARK) && !mayHaveSession) return "let through without a session";
  if (/^content-type: text\/html/im.test(text) && text.includes(SCRIPT)) return "a script in a page";
  const cookies = answer.all("set-cookie");
  if (cookies.some((line) => !OWN_COOKIE.test(line) && application.isNext !== true)) return "a foreign cookie";
  // The redirect by which Next.js itself tidies up a path.
  if (application.isNext && status === 308) return undefined;
  return answer
    .all("location")
    .map((one) => faultOfLocation(application, request, one))
    .find(Boolean);
}

function remember(answer) {
  const values = answer.all("set-cookie").flatMap((line) => /session-token(?:\.\d)?=([^;]+)/.exec(line)?.[1] ?? []);
  for (const value of [...values, values.join("")]) issued.add(bytesOf(decode(value)));
}

function faultOfLocation({ hasOrigin, origin }, request, location) {
  if (/[\0-\x20\\\x7f-\xff]/.test(location)) return `raw characters in ${JSON.stringify(location)}`;
  const to = URL.canParse(location, origin) ? new URL(location, origin).origin : location;
  if (to === origin || to === new URL(op.issuer).origin) return undefined;
  // An application that believes the host is answered accordingly.
  const believes =
    !hasOrigin && (!/^host: localhost\r/im.test(request) || /^(?:x-)?forwarded|^[a-z]+ [^/]/im.test(request));
  return believes ? undefined : `leads to ${to}`;
}

/** How often the log had a line of each type; what is no error of ours is a fault. */
export const logTypes = new Map();
export function faultOfLog() {
  const foreign = [];
  for (const error of logged.splice(0)) {
    const type = error?.type ?? error?.name ?? String(error);
    logTypes.set(type, (logTypes.get(type) ?? 0) + 1);
    if (typeof error?.type !== "string") foreign.push(error);
  }
  return foreign.length === 0 ? undefined : `logged ${foreign.map((error) => error?.stack ?? error).join("\n")}`;
}
