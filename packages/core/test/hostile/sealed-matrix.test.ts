/** What was sealed for one use is accepted by no other: every writer × every reader, name, provider and secret. */
import { readdirSync, readFileSync } from "node:fs";
import { memoryStore, type Store } from "@cardea/core/adapters";
import { sealJwe } from "@cardea/core/extend";
import { decode, encode } from "@cardea/core/jwt";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { deriveKey as deriveFormerKey } from "../../../bridge-authjs/src/derive-key.ts";
import { resolveConfig } from "../../src/config/resolve-config.ts";
import { createFlowContext } from "../../src/context/create-context.ts";
import { findCsrfPair, issueCsrfToken } from "../../src/cookies/csrf.ts";
import { type PendingKind, readPending, storePending } from "../../src/cookies/pending.ts";
import { readSignInTime, rememberSignInTime } from "../../src/cookies/sign-in-time.ts";
import type { Purpose } from "../../src/crypto/direct-jwe.ts";
import { createRequestTools } from "../../src/extensions/create-tools.ts";
import { type KeptSignIn, openKept, sealKept } from "../../src/extensions/kept-sign-in.ts";
import { addWaitingCookie, findWaitingCookie } from "../../src/extensions/waiting-cookie.ts";
import { openFromLink, sealForLink } from "../../src/flows/email/link-context.ts";
import { isRequestingBrowser, rememberEmailSignIn } from "../../src/flows/email/requesting-browser.ts";
import { dpopKeyOf } from "../../src/flows/oauth/dpop-key.ts";
import { consumePendingSignIn, newPendingSignIn, storePendingSignIn } from "../../src/flows/oauth/pending-sign-in.ts";
import { forwardByProxy, newState } from "../../src/flows/oauth/redirect-proxy.ts";
import type { FlowContext } from "../../src/model/context.ts";
import { jwtStrategy } from "../../src/session/jwt-strategy.ts";
import { findPendingAddress, storePendingAddress } from "../../src/users/pending-address.ts";

const [FIRST, SECOND, THIRD] = ["first", "second", "third"].map(
  (one) => `the ${one} secret of more than thirty-two bytes`,
);

/** Where a text is written or read. */
interface Place {
  readonly secrets: readonly (string | undefined)[];
  readonly secure: boolean;
  /** Suffix of the ids of providers and extensions. */
  readonly of: string;
}

const memory = createMemoryAdapter({
  keepIds: true,
  seed: { users: [{ id: "ann", name: "Ann", email: "ann@example.com", emailVerified: null, image: null }] },
});
const oauth = { type: "oauth", authorization: "https://op.example.com/a", token: "https://op.example.com/t" } as const;

/** The context of a request with these cookies. */
function contextOf({ secrets, secure, of }: Place, cookies: Readonly<Record<string, string>> = {}): FlowContext {
  const op = {
    ...oauth,
    id: `op${of}`,
    name: "Op",
    clientId: "cid",
    clientSecret: "a client secret",
    profile: () => ({ id: "1" }),
  };
  const { config } = resolveConfig(
    {
      secret: secrets.filter((one) => one !== undefined),
      adapter: memory.adapter,
      providers: [
        { ...op, userinfo: "https://op.example.com/u", redirectProxyUrl: "https://proxy.example.com/auth" },
        { id: `mail${of}`, name: "Mail", type: "email", sendVerificationRequest: () => undefined },
      ],
      redirectProxyOrigins: ["https://app.example.com", "http://app.example.com"],
      logger: { error: () => undefined, warn: () => undefined },
    },
    {},
    "/auth",
  );
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
  return createFlowContext(config, `${secure ? "https" : "http"}://app.example.com`, new Headers({ cookie }));
}

function providerOf<K extends "oauth" | "email">(context: FlowContext, kind: K) {
  for (const provider of context.config.providers.values()) {
    if (provider.kind === kind) return provider as Extract<typeof provider, { kind: K }>;
  }
  throw new Error("There is no such provider.");
}

/** The value of the cookie that was just set. */
function written({ jar }: FlowContext): string {
  const value = jar.list().at(-1)?.value;
  if (value === undefined) throw new Error("No cookie was set.");
  return value;
}

/** One use of sealing: makes a text, and says whether a text is accepted in its place. What identifies the text is fixed. */
interface Use {
  write(place: Place): Promise<string>;
  accepts(place: Place, text: string): Promise<boolean>;
}

const isOne = (value: unknown) => value !== null && value !== undefined;

const challenge: PendingKind<Readonly<Record<string, string>>> = {
  cookie: "webauthnChallenge",
  purpose: "challenge",
  write: (value) => value,
  parse: (value) => value,
};

/** A cookie whose name ends in the hash of its secret: under that name, whatever the place. */
async function pendingName(place: Place, store: (context: FlowContext) => Promise<unknown>): Promise<string> {
  const context = contextOf(place);
  await store(context);
  return context.jar.list().at(-1)?.name ?? "";
}

/** A cookie of an extension, or a value that it seals. */
const ofExtension = (id: string, use: string): Use => {
  const toolsOf = (place: Place, cookies?: Readonly<Record<string, string>>) =>
    createRequestTools(contextOf(place, cookies), `${id}${place.of}`, () => undefined);
  if (!use.startsWith("cookie ")) {
    return {
      write: (place) => toolsOf(place).seal({ a: "b" }, use, 60),
      accepts: async (place, text) => isOne(await toolsOf(place).open(text, use)),
    };
  }
  const name = use.slice("cookie ".length);
  return {
    async write(place) {
      const context = contextOf(place);
      await createRequestTools(context, `${id}${place.of}`, () => undefined).cookies.write(name, { a: "b" }, 60);
      return written(context);
    },
    accepts: async (place, text) =>
      isOne(await toolsOf(place, { [`${place.secure ? "__Host-" : ""}cardea.${name}`]: text }).cookies.read(name)),
  };
};

/** By text: what comes back with it. A pending sign-in is consumed once, so that each has its own `state`. */
const states = new Map<string, string>();
const dpopKeys = new Map<string, string | undefined>();

/** The key of a provider in a store, as its public coordinate. */
async function dpopKeyIn(store: Store, place: Place): Promise<string | undefined> {
  const { secrets } = contextOf(place).config;
  const provider = { id: `op${place.of}`, clientId: "cid" };
  const { publicKey } = await dpopKeyOf({ application: {}, secrets, store }, provider);
  return (await crypto.subtle.exportKey("jwk", publicKey)).x;
}

const kept = { ...{ extension: "x", adds: false, attempt: undefined, mark: null } };

/** By file: everything that seals, with its uses. */
const USES: Readonly<Record<string, Readonly<Record<string, Use>>>> = {
  "core/session/prepare-token.ts": {
    session: {
      write: (place) => {
        const { config, cookies } = contextOf(place);
        return encode({ token: { sub: `ann${place.of}` }, secret: config.secrets, salt: cookies.sessionToken.salt });
      },
      accepts: async (place, text) => {
        const { cookies, config } = contextOf(place);
        const { name, salt } = cookies.sessionToken;
        const found = await jwtStrategy.find(contextOf(place, { [name]: text }));
        const claims = await decode({ token: text, secret: config.secrets, salt });
        return found?.userId === `ann${place.of}` || claims?.sub === `ann${place.of}`;
      },
    },
  },
  "core/cookies/csrf.ts": {
    csrf: {
      write: async (place) => {
        const context = contextOf(place);
        await issueCsrfToken(context, place.of);
        return written(context);
      },
      accepts: async (place, text) => {
        const { name } = contextOf(place).cookies.csrfToken;
        return isOne(await findCsrfPair(contextOf(place, { [name]: text }), ({ session }) => session === place.of));
      },
    },
  },
  "core/cookies/pending.ts": {
    "pending sign-in": {
      write: async (place) => {
        const context = contextOf(place);
        const state = crypto.randomUUID();
        const pending = newPendingSignIn(
          state,
          { callbackUrl: "/", startedIn: undefined, reauthentication: undefined, context: undefined },
          { pkce: true, nonce: true },
        );
        await storePendingSignIn(context, providerOf(context, "oauth"), pending);
        states.set(written(context), state);
        return written(context);
      },
      accepts: async (place, text) => {
        const state = states.get(text) ?? "another";
        const ceremony = { provider: { id: "x" }, secret: state };
        const name = await pendingName(place, (context) =>
          storePending(context, { ...challenge, cookie: "state" }, ceremony, {}),
        );
        const context = contextOf(place, { [name]: text });
        return consumePendingSignIn(context, providerOf(context, "oauth"), state).then(
          () => true,
          () => false,
        );
      },
    },
    passkey: {
      write: async (place) => {
        const context = contextOf(place);
        await storePending(context, challenge, { provider: { id: `passkey${place.of}` }, secret: "c" }, { a: "b" });
        return written(context);
      },
      accepts: async (place, text) => {
        const ceremony = { provider: { id: `passkey${place.of}` }, secret: "c" };
        const name = await pendingName(place, (context) => storePending(context, challenge, ceremony, {}));
        return isOne(await readPending(contextOf(place, { [name]: text }), challenge, ceremony));
      },
    },
    "e-mail": {
      write: async (place) => {
        const context = contextOf(place);
        await rememberEmailSignIn(context, providerOf(context, "email"), "token");
        return written(context);
      },
      accepts: async (place, text) => {
        const names = place.secrets.map((secret) =>
          pendingName({ ...place, secrets: [secret] }, (context) =>
            rememberEmailSignIn(context, providerOf(context, "email"), "token"),
          ),
        );
        const cookies = Object.fromEntries((await Promise.all(names)).map((name) => [name, text]));
        const context = contextOf(place, cookies);
        return isRequestingBrowser(context, providerOf(context, "email"), "token");
      },
    },
  },
  "core/cookies/sign-in-time.ts": {
    "sign-in time": {
      write: async (place) => {
        const context = contextOf(place);
        const asking = { ...context.config, providers: new Map([["p", { kind: "webauthn", maxSignInAge: 60 }]]) };
        // Of the provider nothing else is read.
        await rememberSignInTime({ ...context, config: asking } as unknown as FlowContext, `ann${place.of}`, 5);
        return written(context);
      },
      accepts: async (place, text) => {
        const { name } = contextOf(place).cookies.signInTime;
        return isOne(await readSignInTime(contextOf(place, { [name]: text }), `ann${place.of}`));
      },
    },
  },
  "core/users/pending-address.ts": {
    address: {
      write: async (place) => {
        const context = contextOf(place);
        const owner = await memory.adapter.getUser?.("ann");
        if (!owner) throw new Error("There is no user.");
        const proof = { email: "ann@example.com", provenAt: new Date(), callbackUrl: "/", context: undefined };
        await storePendingAddress(context, providerOf(context, "email"), owner, proof);
        return written(context);
      },
      accepts: async (place, text) => {
        const { name } = contextOf(place).cookies.address;
        return isOne(await findPendingAddress(contextOf(place, { [name]: text })));
      },
    },
  },
  "core/flows/email/link-context.ts": {
    "own data": {
      write: async (place) => {
        const context = contextOf(place);
        return (await sealForLink(context, providerOf(context, "email"), "token", { a: "b" })).context ?? "";
      },
      accepts: async (place, text) => {
        const context = contextOf(place);
        return isOne(await openFromLink(context, providerOf(context, "email"), { token: "token", context: text }));
      },
    },
  },
  "core/flows/oauth/redirect-proxy.ts": {
    "proxy state": {
      write: (place) => newState(contextOf(place), providerOf(contextOf(place), "oauth")),
      accepts: async (place, text) => {
        const context = { ...contextOf(place), baseUrl: "https://proxy.example.com/auth" };
        return isOne(await forwardByProxy(context, providerOf(context, "oauth"), new URLSearchParams({ state: text })));
      },
    },
  },
  "core/flows/oauth/dpop-key.ts": {
    dpop: {
      write: async (place) => {
        let text = "";
        const set: Store["set"] = async (_, value) => {
          text = value;
          return true;
        };
        const key = await dpopKeyIn({ ...memoryStore(), set }, place);
        dpopKeys.set(text, key);
        return text;
      },
      // Whatever the entry of this provider is called, it holds the text.
      accepts: async (place, text) => {
        const store: Store = { ...memoryStore(), get: async () => text, set: async () => true };
        const known = dpopKeys.get(text);
        return (await dpopKeyIn(store, place)) === known && known !== undefined;
      },
    },
  },
  "core/extensions/kept-sign-in.ts": {
    kept: {
      write: (place) => {
        const context = contextOf(place);
        const identity = { kind: "oauth", account: { provider: "op" } };
        // No more of it is read here.
        const candidate = { callbackUrl: context.origin };
        const sealed = { ...kept, identity, candidate, expires: context.now() + 60 } as unknown as KeptSignIn;
        return sealKept(context, sealed, `entry${place.of}`);
      },
      accepts: async (place, text) => isOne(await openKept(contextOf(place), text, `entry${place.of}`)),
    },
  },
  "core/extensions/waiting-cookie.ts": {
    waiting: {
      write: async (place) => {
        const context = contextOf(place);
        await addWaitingCookie(context, contextOf(place).config.session.maxAge);
        return written(context);
      },
      accepts: async (place, text) => {
        const name = `${place.secure ? "__Host-" : ""}cardea.factor.1abcdefgh`;
        return isOne(await findWaitingCookie(contextOf(place, { [name]: text }), null));
      },
    },
  },
  "core/extensions/create-tools.ts": {
    "extension text": ofExtension("any", "text"),
    "extension cookie": ofExtension("any", "cookie text"),
  },
  "attempts/devices.ts": {
    device: ofExtension("attempts", "cookie device"),
    "factor device": ofExtension("attempts", "cookie factor-device"),
  },
  "logout/kept-tokens.ts": { "kept tokens": ofExtension("logout", "session") },
  "logout/leave.ts": {
    "signed out": ofExtension("logout", "cookie signed-out"),
    "leave cookie": ofExtension("logout", "cookie leave"),
    leave: ofExtension("logout", "leave"),
  },
  "providers-password/flows/register.ts": { register: ofExtension("password", "cookie register") },
  "providers-password/flows/reset.ts": { reset: ofExtension("password", "cookie reset") },
  "providers-password/flows/typed-address.ts": { typed: ofExtension("password", "cookie typed") },
  "providers-webauthn/prove-user.ts": { "passkey question": ofExtension("passkey", "passkey challenge") },
  "second-factor/totp.ts": {
    "totp setup": ofExtension("second-factor", "totp setup"),
    "totp secret": ofExtension("second-factor", "totp secret"),
  },
  "second-factor/remembered.ts": { "remembered browser": ofExtension("second-factor", "cookie browser") },
  "vault/sealing.ts": { column: ofExtension("vault", "tokens") },
  "vault/cookie-home.ts": {
    "vault cookie": ofExtension("vault", "cookie vault.0"),
    "vault cookie, second part": ofExtension("vault", "cookie vault.1"),
  },
  "bridge-authjs/session-format.ts": Object.fromEntries(
    (["nextauth-v4", "authjs-v5"] as const).map((version) => [
      version,
      {
        write: async ({ secrets, secure }) => {
          const name = `${secure ? "__Secure-" : ""}authjs.session-token`;
          const key = await deriveFormerKey(version, secrets[0] ?? "", name);
          return sealJwe(JSON.stringify({ sub: "ann", exp: 9_999_999_999 }), key);
        },
        // How these are read is tested with the bridge.
        accepts: async () => false,
      },
    ]),
  ),
};

/** A purpose that no use has does not compile. */
const PURPOSES = {
  session: "session",
  "csrf-token": "csrf",
  state: "pending sign-in",
  challenge: "passkey",
  "sign-in-time": "sign-in time",
  "proxy-state": "proxy state",
  "email-token": "e-mail",
  address: "address",
  "pending-admission": "waiting",
  extension: "extension text",
} as const satisfies Record<Purpose, string>;

const all = Object.values(USES).flatMap((uses) => Object.entries(uses));
const here: Place = { secrets: [FIRST, SECOND], secure: true, of: "" };

const PACKAGES = new URL("../../../", import.meta.url);
const SEALING =
  /\.seal\(|cookies\.write\(|\b(?:seal(?:Cookie|Claims|Text|Jwe|Destination)|storePending|deriveDirectKey)\(/;
/** What sealing is made of, and files that call a listed one. */
const MEANS =
  /^(?:core\/crypto\/|testing\/)|^vault\/(?:store|row)-home\.ts$|^core\/(?:flows\/oauth\/pending-sign-in|flows\/email\/requesting-browser|extensions\/own-way)\.ts$/;

/** The files that seal, as `package/path`. */
function sealingFiles(): readonly string[] {
  return readdirSync(PACKAGES).flatMap((name) => {
    const sources = new URL(`${name}/src/`, PACKAGES);
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
    const own = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    const seals = own.filter((file) => SEALING.test(readFileSync(new URL(file, sources), "utf8")));
    return seals.map((file) => `${name}/${file}`).filter((file) => !MEANS.test(file));
  });
}

describe("what is sealed", () => {
  it("each file that seals is in the list, and each in the list seals", () => {
    expect(sealingFiles().toSorted()).toEqual(Object.keys(USES).toSorted());
    expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(Object.values(PURPOSES)));
  });

  it.each(all)("%s: accepted in its own place, and in no other", async (name, use) => {
    const accepted = await Promise.all(
      all.map(async ([other, { accepts }]) => ((await accepts(here, await use.write(here))) ? [other] : [])),
    );
    expect(accepted.flat()).toEqual(name.includes("-v") ? [] : [name]);
  });

  const places: readonly [string, Place, boolean][] = [
    ["that has the same secrets in another order", { ...here, secrets: [SECOND, FIRST] }, true],
    ["that has the secret as the last of three", { ...here, secrets: [THIRD, SECOND, FIRST] }, true],
    ["that has only the former secret", { ...here, secrets: [SECOND] }, false],
    ["on http", { ...here, secure: false }, false],
    ["of another provider, extension, session or entry", { ...here, of: "2" }, false],
  ];
  /**
   * Bound to the scheme, by the full name. Everything else is not: what no cookie holds, and the cookies of extensions, whose seal names
   * extension and cookie without its prefix. What earlier versions sealed stays readable, so that this cannot change.
   */
  const named = ["session", "csrf", "pending sign-in", "passkey", "e-mail", "sign-in time", "address"];
  /** Not bound to a provider: a waiting sign-in, and DPoP keys, each of which has its own entry in the store. */
  const common = ["waiting", "dpop"];
  const readable = all.filter(([name]) => !name.includes("-v"));
  it.each(
    readable.flatMap(([name, use]) => places.map(([where, place, is]) => [name, where, use, place, is] as const)),
  )("%s: as expected in a place %s", async (name, where, use, place, is) => {
    const isLoose = where === "on http" ? !named.includes(name) : place.of === "2" && common.includes(name);
    const expected = is || isLoose;
    expect(await use.accepts(place, await use.write(here))).toBe(expected);
  });
});
