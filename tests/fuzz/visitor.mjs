// Walks through whole sign-ins, so that deep states are reached: now and then with one request of it distorted.

import { createAuthenticator, op, outbox, PASSWORD } from "./applications.mjs";
import { below, bytesOf, chance, mutate, mutateJson, nasty, pick, some } from "./random.mjs";
import { distort, harvest, write } from "./requests.mjs";

/** A browser, nearly: keeps cookies, sends `send`'s requests to one application, and harvests what it gets. */
class Visitor {
  cookies = new Map();

  /** @param send (application, request bytes, isExact) → answer */
  constructor(application, send) {
    this.application = application;
    this.send = send;
  }

  async request(method, target, { fields, json, headers = [] } = {}) {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const origin = this.application.origin;
    const request = {
      method,
      target: toPath(target, origin),
      headers: [
        ["Host", new URL(origin).host],
        ["Cookie", cookie],
        ["Origin", origin],
        ["Sec-Fetch-Site", "same-origin"],
      ],
    };
    request.headers.push(...headers);
    if (fields !== undefined) {
      request.body = new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)])).toString();
      request.headers.push(["Content-Type", "application/x-www-form-urlencoded"]);
    }
    if (json !== undefined) {
      request.body = bytesOf(JSON.stringify(json));
      request.headers.push(["Content-Type", "application/json"]);
    }
    const isDistorted = chance(0.12);
    const { bytes, isExact } = write(isDistorted ? distort(request) : request, !isDistorted);
    const answer = await this.send(this.application, bytes, isExact);
    if (chance(0.2)) harvest.targets = [request.target, ...harvest.targets].slice(0, 60);
    this.keep(answer);
    return answer;
  }

  keep(answer) {
    for (const line of answer.all("set-cookie")) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined) continue;
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  get(target) {
    return this.request("GET", target);
  }

  async csrf() {
    const answer = await this.get("/auth/csrf");
    const token = parse(answer.body())?.csrfToken ?? "";
    harvest.tokens = [String(token), ...harvest.tokens].slice(0, 60);
    return token;
  }

  async post(target, fields) {
    return this.request("POST", target, { fields: { csrfToken: await this.csrf(), ...fields } });
  }

  /** Fills in a form of the page, any of them, and follows what comes, for some steps. */
  async crawl(answer, steps = 4) {
    const location = answer.all("location")[0];
    if (steps === 0) return;
    if (location?.startsWith(this.application.origin)) return this.crawl(await this.get(location), steps - 1);
    const forms = [...answer.body().matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
    if (forms.length === 0) return;
    const [, action, content] = pick(forms);
    const fields = Object.fromEntries(
      [...content.matchAll(/<input[^>]*name="([^"]*)"(?:[^>]*value="([^"]*)")?/g)].map(([, name, value]) => [
        name,
        value ?? pick(["ann@example.com", nasty()]),
      ]),
    );
    return this.crawl(await this.request("POST", action.replaceAll("&amp;", "&"), { fields }), steps - 1);
  }
}

function toPath(target, origin) {
  return target.startsWith(`${origin}/`) ? target.slice(origin.length) : target;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const someAddress = () => (chance(0.9) ? `user${below(20)}@example.com` : nasty());
const callbackUrl = () => pick(["/members", "/members", "/", "//evil.example", nasty()]);

async function withProvider(visitor) {
  const email = someAddress();
  op.user = { sub: `sub${below(30)}`, name: "Ann", email, email_verified: chance(0.5) };
  if (chance(0.1)) op.user = mutateJson(op.user);
  const answer = await visitor.post("/auth/signin/op", { callbackUrl: callbackUrl() });
  const to = answer.all("location")[0] ?? "";
  if (!to.startsWith(op.issuer)) return;
  const url = await op.authorize(to).then(
    ({ url }) => url,
    () => undefined,
  );
  if (url === undefined) return;
  const { pathname, search } = new URL(url);
  harvest.targets = [`${pathname}${search}`, ...harvest.targets].slice(0, 60);
  await visitor.get(`${pathname}${search}`);
  if (chance(0.1)) await visitor.get(`${pathname}${search}`);
}

async function withPassword(visitor) {
  const password = chance(0.9) ? PASSWORD : nasty();
  await visitor.post("/auth/callback/credentials", { username: someAddress(), password, callbackUrl: callbackUrl() });
}

async function withLink(visitor, email = someAddress()) {
  outbox.clear();
  await visitor.post("/auth/signin/email", { email, callbackUrl: callbackUrl() });
  for (const url of outbox.values()) {
    harvest.targets = [toPath(url, visitor.application.origin), ...harvest.targets].slice(0, 60);
    await visitor.crawl(await visitor.get(url));
  }
}

async function withPasskey(visitor, email = someAddress()) {
  visitor.authenticator ??= createAuthenticator({ origin: visitor.application.origin });
  const action = visitor.authenticator.credentials.length > 0 && chance(0.7) ? "authenticate" : "register";
  const answer = await visitor.get(
    `/auth/webauthn-options/passkey?action=${action}&email=${encodeURIComponent(email)}`,
  );
  const options = parse(answer.body())?.options;
  if (options?.challenge === undefined) return;
  const { create, get } = visitor.authenticator;
  const data = await (action === "register" ? create({ ...options, excludeCredentials: [] }) : get(options)).catch(
    () => ({}),
  );
  const json = { csrfToken: await visitor.csrf(), action, data, callbackUrl: callbackUrl() };
  const changed = chance(0.3) ? { ...json, data: mutateJson(mutateJson(data)) } : json;
  await visitor.request("POST", "/auth/callback/passkey", {
    json: changed,
    headers: [["X-Auth-Return-Redirect", "1"]],
  });
}

/** Someone plants a user under an address by a passkey; the owner of the address then proves it. */
async function confirmAddress(visitor) {
  const email = `planted${below(1e9)}@example.com`;
  await withPasskey(visitor, email);
  const owner = new Visitor(visitor.application, visitor.send);
  await withLink(owner, email);
  const page = await owner.get("/auth/confirm-address");
  await owner.crawl(page);
  if (chance(0.5))
    await owner.post("/auth/confirm-address", { step: pick(["start-fresh-confirmed", "start-fresh", nasty()]) });
  await use(owner);
}

/** What users do. */
async function use(visitor) {
  const steps = [
    () => visitor.get("/auth/session"),
    () => visitor.get("/members"),
    () => visitor.get("/admin"),
    () => withPasskey(visitor),
    () => withProvider(visitor),
    async () => {
      const json = { csrfToken: await visitor.csrf(), data: mutateJson({ user: { name: "Bea" }, a: [1] }) };
      return visitor.request("POST", "/auth/session", { json });
    },
  ];
  for (const step of some(4, () => pick(steps))) await step();
  for (const [name, value] of visitor.cookies) {
    if (!name.includes("session-token")) harvest.cookies.set(name, value);
    else if (chance(0.5)) harvest.sessions = [{ name, value }, ...harvest.sessions].slice(0, 30);
    else await visitor.post("/auth/signout", {});
  }
  while (harvest.cookies.size > 60) harvest.cookies.delete(harvest.cookies.keys().next().value);
}

/** One journey of any kind. */
export async function walk(application, send) {
  const visitor = new Visitor(application, send);
  const ways = [
    withProvider,
    withLink,
    withPasskey,
    confirmAddress,
    ...(application.hasPasswords ? [withPassword] : []),
  ];
  if (chance(0.15)) await visitor.crawl(await visitor.get(mutate("/auth/signin")));
  await pick(ways)(visitor);
  await use(visitor);
}
