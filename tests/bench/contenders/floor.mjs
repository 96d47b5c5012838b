// The floor: what the work takes when it is written by hand for one application, on node:crypto, without options, callbacks, pages,
// errors worth reading, or a thought for anything but the steps that the standards ask for.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { month, origin, providerFetch, secret, user } from "../application.mjs";

const SESSION = "__Host-floor.session-token";
const CSRF = "__Host-floor.csrf-token";
const STATE = "__Host-floor.state";
const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Lax";
const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM" })).toString("base64url");
const aad = Buffer.from(header);
const noStore = { "cache-control": "private, no-cache, no-store", "content-type": "application/json" };
const keyFor = (purpose) => Buffer.from(hkdfSync("sha256", secret, purpose, `floor ${purpose}`, 32));
const keys = { session: keyFor("session"), csrf: keyFor("csrf"), state: keyFor("state") };
const now = () => Math.floor(Date.now() / 1000);

function seal(claims, key, lifetime) {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(aad);
  const text = JSON.stringify({ ...claims, iat: now(), exp: now() + lifetime });
  const sealed = cipher.update(text, "utf8", "base64url") + cipher.final("base64url");
  return `${header}..${iv.toString("base64url")}.${sealed}.${cipher.getAuthTag().toString("base64url")}`;
}

function open(token, key) {
  const [head, , iv, sealed, tag] = token.split(".");
  if (head !== header || tag === undefined) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), { authTagLength: 16 });
    decipher.setAAD(aad).setAuthTag(Buffer.from(tag, "base64url"));
    const claims = JSON.parse(decipher.update(sealed, "base64url", "utf8") + decipher.final("utf8"));
    return claims.exp > now() ? claims : null;
  } catch {
    return null;
  }
}

function cookiesOf(request) {
  const cookies = new Map();
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  return cookies;
}

function sessionToken(cookies) {
  const whole = cookies.get(SESSION);
  if (whole !== undefined) return whole;
  let token = "";
  for (let n = 0; cookies.has(`${SESSION}.${n}`); n += 1) token += cookies.get(`${SESSION}.${n}`);
  return token;
}

function sessionCookies(token) {
  if (token.length <= 3900) return [`${SESSION}=${token}; Max-Age=${month}; ${ATTRIBUTES}`];
  const parts = token.match(/.{1,3900}/g);
  return parts.map((part, n) => `${SESSION}.${n}=${part}; Max-Age=${month}; ${ATTRIBUTES}`);
}

const claimsOfUser = (extra) => ({
  sub: user.id,
  name: user.name,
  email: user.email,
  picture: user.image,
  jti: randomBytes(16).toString("hex"),
  ...extra,
});
const exposed = ({ name, email, picture, exp }) => ({
  user: { name, email, image: picture },
  expires: new Date(exp * 1000).toISOString(),
});

function respond(status, body, cookies = [], location = undefined) {
  const headers = new Headers(noStore);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  if (location !== undefined) headers.set("location", location);
  return new Response(body, { status, headers });
}

/** The fields of a form whose token is that of the cookie; null for any other. */
async function checkedForm(request, cookies) {
  if (request.headers.get("origin") !== origin) return null;
  const fields = new URLSearchParams(await request.text());
  const kept = open(cookies.get(CSRF) ?? "", keys.csrf);
  const given = Buffer.from(fields.get("csrfToken") ?? "");
  const expected = Buffer.from(kept?.token ?? "");
  return given.length === expected.length && given.length > 0 && timingSafeEqual(given, expected) ? fields : null;
}

function csrf(request) {
  const kept = open(cookiesOf(request).get(CSRF) ?? "", keys.csrf);
  if (kept !== null) return respond(200, JSON.stringify({ csrfToken: kept.token }));
  const token = randomBytes(32).toString("hex");
  const cookie = `${CSRF}=${seal({ token }, keys.csrf, 86_400)}; ${ATTRIBUTES}`;
  return respond(200, JSON.stringify({ csrfToken: token }), [cookie]);
}

async function startOAuth(request) {
  if ((await checkedForm(request, cookiesOf(request))) === null) return respond(403, "null");
  const [state, verifier] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  const url = new URL("https://op.example.com/authorize");
  const parameters = {
    client_id: "id",
    response_type: "code",
    scope: "profile",
    redirect_uri: `${origin}/auth/callback/op`,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const cookie = `${STATE}=${seal({ state, verifier }, keys.state, 900)}; Max-Age=900; ${ATTRIBUTES}`;
  return respond(302, null, [cookie], url.href);
}

async function finishOAuth(request, extra) {
  const { searchParams } = new URL(request.url);
  const pending = open(cookiesOf(request).get(STATE) ?? "", keys.state);
  if (pending === null || pending.state !== searchParams.get("state")) return respond(302, null, [], "/auth/error");
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: searchParams.get("code"),
    code_verifier: pending.verifier,
    redirect_uri: `${origin}/auth/callback/op`,
  });
  const authorization = `Basic ${Buffer.from("id:a-client-secret-0123456789").toString("base64")}`;
  const tokens = await (
    await providerFetch("https://op.example.com/token", { method: "POST", body, headers: { authorization } })
  ).json();
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  const profile = await (await providerFetch("https://op.example.com/userinfo", { headers: bearer })).json();
  const token = seal(
    { ...claimsOfUser(extra), sub: profile.id, name: profile.name, email: profile.email },
    keys.session,
    month,
  );
  return respond(302, null, [...sessionCookies(token), `${STATE}=; Max-Age=0; ${ATTRIBUTES}`], origin);
}

/** The contender; `adapter` for sessions in a database, `claims` beside those of the user, `renew` writes the session on each read. */
export async function createFloor({ adapter, claims = {}, renew = false } = {}) {
  const read = async (request) => {
    const token = sessionToken(cookiesOf(request));
    if (adapter === undefined) {
      const opened = token === "" ? null : open(token, keys.session);
      return opened === null ? null : exposed(opened);
    }
    const row = token === "" ? null : await adapter.getSessionAndUser(token);
    if (row === null || row.session.expires <= new Date()) return null;
    if (renew) await adapter.updateSession({ sessionToken: token, expires: new Date(Date.now() + month * 1000) });
    const { name, email, image } = row.user;
    return { user: { name, email, image }, expires: row.session.expires.toISOString() };
  };
  const session = async (request) => {
    const body = JSON.stringify(await read(request));
    if (!renew) return respond(200, body);
    const token = sessionToken(cookiesOf(request));
    const cookies =
      adapter === undefined
        ? sessionCookies(seal(open(token, keys.session), keys.session, month))
        : sessionCookies(token);
    return respond(200, body, cookies);
  };
  const signIn = async (request) => {
    if ((await checkedForm(request, cookiesOf(request))) === null) return respond(403, "null");
    if (adapter === undefined)
      return respond(302, null, sessionCookies(seal(claimsOfUser(claims), keys.session, month)), origin);
    const sessionToken = randomBytes(32).toString("hex");
    await adapter.createSession({ sessionToken, userId: user.id, expires: new Date(Date.now() + month * 1000) });
    return respond(302, null, sessionCookies(sessionToken), origin);
  };
  const signOut = async (request) => {
    const cookies = cookiesOf(request);
    if ((await checkedForm(request, cookies)) === null) return respond(403, "null");
    if (adapter !== undefined) await adapter.deleteSession(sessionToken(cookies));
    return respond(
      302,
      null,
      [SESSION, CSRF].map((name) => `${name}=; Max-Age=0; ${ATTRIBUTES}`),
      origin,
    );
  };
  const routes = {
    "GET /auth/csrf": csrf,
    "GET /auth/session": session,
    "POST /auth/signin/op": startOAuth,
    "GET /auth/callback/op": (request) => finishOAuth(request, claims),
    "POST /auth/callback/credentials": signIn,
    "POST /auth/signout": signOut,
  };
  const handle = async (request) =>
    routes[`${request.method} ${/^[^?]*/.exec(request.url.slice(origin.length))[0]}`](request);
  return { read, handle };
}
