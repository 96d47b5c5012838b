/** Every use of sealing, as a browser and a provider meet it: who makes a text, and whether a text is accepted in its place. Test-only. */
import { createHash, hkdfSync } from "node:crypto";
import { memoryStore, type Store } from "@cardea/core/adapters";
import { decode } from "@cardea/core/jwt";
import { createAuthenticator, type RequestOptions, type SoftwareAuthenticator } from "@cardea/testing";
import { base64url, CompactEncrypt } from "jose";
import { type App, type AppOptions, type Cookies, cookiesOf, openApp, type Place } from "./sealed-app.ts";

/** One use. What identifies the text is fixed. */
export interface Use {
  write(place: Place): Promise<string>;
  accepts(place: Place, text: string): Promise<boolean>;
}

/** The cookie of a response whose name starts so; the suffix is what follows. */
function cookieIn(app: App, response: Response | Cookies, name: string): { value: string; suffix: string } {
  const cookies = response instanceof Response ? cookiesOf(response) : response;
  const full = app.cookie(name);
  const [found] = Object.entries(cookies).filter(([one]) => one.startsWith(full));
  if (found === undefined) throw new Error(`No cookie ${full} was set.`);
  return { value: found[1], suffix: found[0].slice(full.length) };
}

const SESSION = "cardea.session-token";
const isSignedIn = (app: App, response: Response) => app.cookie(SESSION) in cookiesOf(response);
const urlOf = async (response: Response) => new URL(((await response.json()) as { url: string }).url);

/** Signs in with the password of a place. */
const signIn = (app: App, { of }: Place) => app.post(`/auth/callback/password${of}`, {});

async function sessionOf(app: App, place: Place): Promise<Cookies> {
  const name = app.cookie(SESSION);
  return { [name]: cookieIn(app, await signIn(app, place), SESSION).value };
}

/** A sign-in with a provider, as far as the redirect. */
async function begin(app: App, provider: string, session: Cookies = {}) {
  const response = await app.post(`/auth/signin/${provider}`, {}, session);
  const state = (await urlOf(response)).searchParams.get("state") ?? "";
  const { value, suffix } = cookieIn(app, response, "cardea.state");
  return { state, value, suffix };
}

/** A whole sign-in with a provider. */
async function signInWith(app: App, provider: string): Promise<Response> {
  const { state, value, suffix } = await begin(app, provider);
  return app.get(`/auth/callback/${provider}?code=c&state=${state}`, { [app.cookie(`cardea.state${suffix}`)]: value });
}

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `visitor-${addresses}@example.com`;
};

/** By text: what it was written with. A pending sign-in is consumed once, so that each has its own secrets. */
function remembering<T>() {
  const known = new Map<string, T>();
  const remember = (text: string, value: T) => {
    known.set(text, value);
    return text;
  };
  return { known, remember };
}

const session: Use = {
  write: async (place) => {
    const app = openApp(place);
    return cookieIn(app, await signIn(app, place), SESSION).value;
  },
  accepts: async (place, text) => {
    const app = openApp(place);
    const salt = app.cookie(SESSION);
    const found: { user?: { name?: string } } | null = await (await app.get("/auth/session", { [salt]: text })).json();
    const claims = await decode({ token: text, secret: [...place.secrets], salt });
    const own: readonly unknown[] = [undefined, `ann${place.of}`];
    return (found !== null && own.includes(found.user?.name)) || (claims !== null && own.includes(claims.sub));
  },
};

const csrf: Use = {
  write: async (place) => {
    const app = openApp(place);
    return cookieIn(app, await app.get("/auth/csrf"), "cardea.csrf-token").value;
  },
  /** It is replaced where it is not accepted. The other place has another session. */
  accepts: async (place, text) => {
    const app = openApp(place);
    const cookies = place.of === "" ? {} : await sessionOf(app, place);
    const name = app.cookie("cardea.csrf-token");
    return !(name in cookiesOf(await app.get("/auth/csrf", { ...cookies, [name]: text })));
  },
};

const states = remembering<{ readonly state: string; readonly suffix: string }>();
const pendingSignIn: Use = {
  write: async (place) => {
    const { value, ...rest } = await begin(openApp(place), `op${place.of}`);
    return states.remember(value, rest);
  },
  accepts: async (place, text) => {
    const app = openApp(place);
    const { state, suffix } = states.known.get(text) ?? (await begin(app, `op${place.of}`));
    const cookies = { [app.cookie(`cardea.state${suffix}`)]: text };
    return isSignedIn(app, await app.get(`/auth/callback/op${place.of}?code=c&state=${state}`, cookies));
  },
};

const deliveries = remembering<{ readonly state: string; readonly suffix: string; readonly session: Cookies }>();
const delivered: Use = {
  write: async (place) => {
    const app = openApp(place);
    const { state, value, suffix } = await begin(app, `op${place.of}`);
    const sent = { [app.cookie(`cardea.state${suffix}`)]: value };
    const response = await app.get(`/auth/callback/op${place.of}?code=c&state=${state}`, sent);
    const session = { [app.cookie(SESSION)]: cookieIn(app, response, SESSION).value };
    return deliveries.remember(cookieIn(app, response, "cardea.state").value, { state, suffix, session });
  },
  /** The second delivery leads where the first did, and signs no one in. */
  accepts: async (place, text) => {
    const app = openApp(place);
    const known = deliveries.known.get(text) ?? { ...(await begin(app, `op${place.of}`)), session: {} };
    const cookies = { ...known.session, [app.cookie(`cardea.state${known.suffix}`)]: text };
    const response = await app.get(`/auth/callback/op${place.of}?code=c&state=${known.state}`, cookies);
    return (
      response.status === 302 && !isSignedIn(app, response) && !response.headers.get("location")?.includes("error=")
    );
  },
};

/** The authenticators of two users, each of whom is known to one provider. */
const authenticators = new Map<string, SoftwareAuthenticator>();

/** Registers both, before the first passkey is asked for. */
export async function registerPasskeys(place: Place): Promise<void> {
  for (const of of ["", "2"]) {
    const app = openApp({ ...place, of });
    const authenticator = createAuthenticator();
    const path = `/auth/webauthn-options/passkey${of}?action=register&email=${newAddress()}`;
    const asked = await app.get(path);
    const { options } = await asked.json();
    const { value, suffix } = cookieIn(app, asked, "cardea.challenge");
    const data = await authenticator.create(options);
    const cookies = { [app.cookie(`cardea.challenge${suffix}`)]: value };
    const done = await app.post(`/auth/callback/passkey${of}`, { action: "register", data }, cookies);
    if (!isSignedIn(app, done)) throw new Error(`The passkey was not registered: ${await done.text()}`);
    authenticators.set(of, authenticator);
  }
}

const challenges = remembering<{ readonly options: RequestOptions; readonly suffix: string }>();
async function askForPasskey(app: App, { of }: Place) {
  const asked = await app.get(`/auth/webauthn-options/passkey${of}?action=authenticate`);
  const { options }: { options: RequestOptions } = await asked.json();
  return { options, ...cookieIn(app, asked, "cardea.challenge") };
}

const passkey: Use = {
  write: async (place) => {
    const { value, ...rest } = await askForPasskey(openApp(place), place);
    return challenges.remember(value, rest);
  },
  accepts: async (place, text) => {
    const app = openApp(place);
    const { options, suffix } = challenges.known.get(text) ?? (await askForPasskey(app, place));
    const data = await authenticators.get(place.of)?.get(options);
    const cookies = { [app.cookie(`cardea.challenge${suffix}`)]: text };
    const answer = await app.post(`/auth/callback/passkey${place.of}`, { action: "authenticate", data }, cookies);
    return isSignedIn(app, answer);
  },
};

/** Every link has the same token, so that only the seal tells whose mark or data a text is. */
const openLinks = (place: Place) => openApp(place, { token: "q7Zt3xVb9LwK2mR8sYc5dHf1gJ4nPq6T" });

const marks = remembering<string>();
const email: Use = {
  write: async (place) => {
    const app = openLinks(place);
    const { value, suffix } = cookieIn(app, (await app.requestLink(newAddress())).cookies, "cardea.state");
    return marks.remember(value, suffix);
  },
  /** A browser without the mark gets a page with a button. */
  accepts: async (place, text) => {
    const app = openLinks(place);
    const { link, cookies } = await app.requestLink(newAddress());
    const suffixes = [cookieIn(app, cookies, "cardea.state").suffix, marks.known.get(text) ?? []].flat();
    const marked = suffixes.map((suffix) => [app.cookie(`cardea.state${suffix}`), text]);
    return isSignedIn(app, await app.get(link.href, Object.fromEntries(marked)));
  },
};

const signInTime: Use = {
  write: async (place) => {
    const app = openApp(place);
    return cookieIn(app, await signIn(app, place), "cardea.sign-in-time").value;
  },
  /** Who signed in lately may add a passkey. */
  accepts: async (place, text) => {
    const app = openApp(place);
    const cookies = { ...(await sessionOf(app, place)), [app.cookie("cardea.sign-in-time")]: text };
    return (await app.get(`/auth/webauthn-options/passkey${place.of}?action=register`, cookies)).ok;
  },
};

const OWNER = "owner@example.com";
const address: Use = {
  write: async (place) => {
    const app = openApp(place);
    const { link, cookies } = await app.requestLink(OWNER);
    return cookieIn(app, await app.get(link.href, cookies), "cardea.address").value;
  },
  accepts: async (place, text) => {
    const app = openApp(place);
    const page = await app.get("/auth/confirm-address", { [app.cookie("cardea.address")]: text });
    return (await page.text()).includes(OWNER);
  },
};

const TYPED = "typed@example.com";
const typedIdentifier: Use = {
  write: async (place) => {
    const app = openApp(place);
    return cookieIn(app, await app.post("/auth/signin", { identifier: TYPED }), "cardea.identifier").value;
  },
  accepts: async (place, text) => {
    const page = await openApp(place).get("/auth/signin", { [openApp(place).cookie("cardea.identifier")]: text });
    return (await page.text()).includes(TYPED);
  },
};

const OWN = { plan: "team" };
const ownData: Use = {
  write: async (place) =>
    (await openLinks(place).requestLink(newAddress(), OWN)).link.searchParams.get("context") ?? "",
  /** The token of a link is stored with its own data: without them the link is void. */
  accepts: async (place, text) => {
    const app = openLinks(place);
    const { link, cookies } = await app.requestLink(newAddress(), OWN);
    link.searchParams.set("context", text);
    return isSignedIn(app, await app.get(link.href, cookies));
  },
};

/** A sign-in that a session started, at a provider that answers with a form. */
async function beginPosting(app: App, place: Place) {
  const session = cookiesOf(await signIn(app, place));
  const { state, value, suffix } = await begin(app, `posting${place.of}`, session);
  const pending = { [app.cookie(`cardea.state${suffix}`)]: value };
  return { state, pending, all: { ...session, ...pending } };
}

const postings = remembering<Cookies>();
const providerForm: Use = {
  write: async (place) => {
    const app = openApp(place);
    const { state, pending, all } = await beginPosting(app, place);
    const path = `/auth/callback/posting${place.of}`;
    const answer = await app.postFromElsewhere(path, `code=c&state=${state}`, pending);
    const url = new URL(answer.headers.get("location") ?? "x:");
    return postings.remember(url.searchParams.get("posted") ?? "", all);
  },
  accepts: async (place, text) => {
    const app = openApp(place);
    const cookies = postings.known.get(text) ?? (await beginPosting(app, place)).all;
    return isSignedIn(app, await app.get(`/auth/callback/posting${place.of}?posted=${text}`, cookies));
  },
};

const proxyState: Use = {
  write: async (place) => (await begin(openApp(place), `proxied${place.of}`)).state,
  accepts: async (place, text) => {
    const proxy = openApp(place, { origin: "https://proxy.example.com" });
    const answer = await proxy.get(`/auth/callback/proxied${place.of}?code=c&state=${text}`);
    return new URL(answer.headers.get("location") ?? "x:").host === "app.example.com";
  },
};

/** A store that shows what is written under keys that start so, and has only a given text there. */
function storeOf(prefix: string, text: string | null, written: (value: string) => void = () => undefined): Store {
  const store = memoryStore({ instances: 1 });
  return {
    ...store,
    get: async (key) => (key.startsWith(prefix) && text !== null ? text : store.get(key)),
    set: async (key, value, options) => {
      if (key.startsWith(prefix)) written(value);
      return store.set(key, value, options);
    },
  };
}

/** What an application wrote under such a key while something was done. */
async function written(prefix: string, run: (store: Store) => Promise<void>): Promise<string> {
  let text = "";
  await run(
    storeOf(prefix, null, (value) => {
      text = value;
    }),
  );
  return text;
}

/** The key of the proofs of a sign-in. */
async function proofKey(place: Place, options: AppOptions): Promise<string | undefined> {
  const app = openApp(place, options);
  await signInWith(app, `bound${place.of}`);
  return app.proofs[0];
}

const DPOP = "cardea:dpop:";
const proofKeys = remembering<string | undefined>();
const dpop: Use = {
  write: async (place) => {
    let key: string | undefined;
    const text = await written(DPOP, async (store) => {
      key = await proofKey(place, { store });
    });
    return proofKeys.remember(text, key);
  },
  // Whatever the entry of this provider is called, it holds the text.
  accepts: async (place, text) => {
    const key = await proofKey(place, { store: storeOf(DPOP, text) });
    return key !== undefined && key === proofKeys.known.get(text);
  },
};

/** Signs in where a second proof is asked for; the cookie of the sign-in that waits. */
async function interrupt(place: Place, store: Store) {
  const app = openApp(place, { store, gated: true });
  return cookieIn(app, await signInWith(app, `op${place.of}`), "cardea.factor.");
}

async function waits(place: Place, store: Store, waiting: { value: string; suffix: string }): Promise<boolean> {
  const app = openApp(place, { store, gated: true });
  const cookies = { [app.cookie(`cardea.factor.${waiting.suffix}`)]: waiting.value };
  return (await app.get("/auth/gate", cookies)).json();
}

const PENDING = "cardea:pending:";
const waitingOf = remembering<{ value: string; suffix: string }>();
const kept: Use = {
  write: async (place) => {
    let cookie = { value: "", suffix: "" };
    const text = await written(PENDING, async (store) => {
      cookie = await interrupt(place, store);
    });
    return waitingOf.remember(text, cookie);
  },
  /** In the other place it is under the entry of another sign-in. */
  accepts: async (place, text) => {
    const store = storeOf(PENDING, text);
    const known = place.of === "" ? waitingOf.known.get(text) : undefined;
    return waits(place, store, known ?? (await interrupt(place, store)));
  },
};

const common = memoryStore({ instances: 1 });
const waiting: Use = {
  write: async (place) => (await interrupt(place, common)).value,
  accepts: (place, text) => waits(place, common, { value: text, suffix: "1abcdefgh" }),
};

/** A text that an extension seals, or a cookie of it: `cookie x` is the use of the cookie `x`. */
export const ofExtension = (id: string, use: string): Use => {
  const open = (place: Place) => openApp(place, { extension: `${id}${place.of}` });
  const name = use.startsWith("cookie ") ? `cardea.${use.slice("cookie ".length)}` : undefined;
  return {
    write: async (place) => {
      const app = open(place);
      const answer = await app.get(`/auth/seal?${new URLSearchParams({ use })}`);
      return name === undefined ? answer.json() : cookieIn(app, answer, name).value;
    },
    accepts: async (place, text) => {
      const app = open(place);
      const query = new URLSearchParams(name === undefined ? { use, text } : { use });
      return (await app.get(`/auth/open?${query}`, name === undefined ? {} : { [app.cookie(name)]: text })).json();
    },
  };
};

/** A session as Auth.js seals it. How these are read is tested with the bridge. */
export const ofAuthjs = (enc: "A256GCM" | "A256CBC-HS512"): Use => ({
  write: async ({ secrets: [secret = ""], secure }) => {
    const name = `${secure ? "__Secure-" : ""}authjs.session-token`;
    const [salt, info, bytes] =
      enc === "A256GCM"
        ? (["", "NextAuth.js Generated Encryption Key", 32] as const)
        : ([name, `Auth.js Generated Encryption Key (${name})`, 64] as const);
    const key = new Uint8Array(hkdfSync("sha256", secret, salt, info, bytes));
    const thumbprint = JSON.stringify({ k: base64url.encode(key), kty: "oct" });
    const kid = bytes === 64 ? { kid: createHash("sha512").update(thumbprint).digest("base64url") } : {};
    const claims = new TextEncoder().encode(JSON.stringify({ sub: "ann", exp: 9_999_999_999 }));
    return new CompactEncrypt(claims).setProtectedHeader({ alg: "dir", enc, ...kid }).encrypt(key);
  },
  accepts: async () => false,
});

/** What core seals, by the source file that seals it. */
export const CORE_USES = {
  "prepare-token.ts": { session },
  "csrf.ts": { csrf },
  "pending.ts": { "pending sign-in": pendingSignIn, passkey, "e-mail": email, delivered },
  "sign-in-time.ts": { "sign-in time": signInTime },
  "pending-address.ts": { address },
  "identifier.ts": { "typed identifier": typedIdentifier },
  "link-context.ts": { "own data": ownData },
  "pending-sign-in.ts": { "proxy state": proxyState },
  "provider-answer.ts": { "provider form": providerForm },
  "dpop-key.ts": { dpop },
  "kept-sign-in.ts": { kept },
  "factor-cookie.ts": { waiting },
  "create-tools.ts": {
    "extension text": ofExtension("any", "text"),
    "extension cookie": ofExtension("any", "cookie text"),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Use>>>>;
