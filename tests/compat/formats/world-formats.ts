import { totpCode } from "@cardea/testing";
import { findDevice, rememberDevice } from "../../../packages/attempts/src/devices.ts";
import { dpopKeyOf } from "../../../packages/core/src/oauth/dpop-key.ts";
import { keepTokens, takeTokens } from "../../../packages/logout/src/kept-tokens.ts";
import { scrypt } from "../../../packages/providers-password/src/hash/scrypt.ts";
import { findPending, keepPending } from "../../../packages/providers-password/src/pending.ts";
import { checkRecoveryCode, renewRecoveryCodes } from "../../../packages/second-factor/src/recovery.ts";
import { isRemembered, rememberBrowser } from "../../../packages/second-factor/src/remembered.ts";
import { beginTotp, checkTotp, confirmTotp } from "../../../packages/second-factor/src/totp.ts";
import { readEntries, writeEntries } from "../../../packages/sessions/src/entry.ts";
import { cookieHome } from "../../../packages/vault/src/cookie-home.ts";
import { seekLease } from "../../../packages/vault/src/lease.ts";
import { openText, sealText } from "../../../packages/vault/src/sealing.ts";
import { NO_TOKENS } from "../../../packages/vault/src/tokens.ts";
import { type Application, SECRET, type World } from "./world.ts";

/** One format: what leaves it behind, and what reads it, with what `write` gave. */
interface Recorded {
  readonly name: string;
  /** What is kept beside the state, such as a code that only the user has. */
  write(application: Application): Promise<string>;
  read(application: Application, given: string): Promise<unknown>;
  readonly expected: unknown;
}

const USER = "ann@example.com";
const PLACE = { provider: "op", account: "1815", column: "access_token" };
const SID = "0123456789abcdefghijkl";
const TOKENS = { ...NO_TOKENS, accessToken: "access", refreshToken: "refresh" };
const ENTRIES = [
  { kind: "end", of: "sid", id: SID, until: 2_000_000_000, why: "sign-out" },
  { kind: "count", of: "epoch", id: "7", until: 2_000_000_000, value: 3 },
] as const;

const GRANTED = {
  account: { provider: "op", type: "oidc", providerAccountId: "1815" },
  tokens: { id_token: "an ID token", access_token: "access" },
  userId: "7",
  sid: SID,
  facts: { sid: SID, at: 1_700_000_000, e: 0, f: [], idp: { provider: "op", sub: "1815" } },
} as const;

const userIdOf = async ({ adapter }: Application) => (await adapter.getUserByEmail?.(USER))?.id ?? "";

async function askForLink({ browser, links }: Application): Promise<string> {
  const page = await browser.navigate("/auth/signin");
  await browser.submit(page, { fields: { email: USER } });
  return links.at(-1) ?? "";
}

/** The public part of the key that a provider's tokens are bound to. */
function boundKeyOf({ within }: Application): Promise<string> {
  return within("vault", async ({ store }) => {
    const owner = { application: {}, secrets: [SECRET], store };
    const { publicKey } = await dpopKeyOf(owner, { id: "op", clientId: "client" });
    return String((await crypto.subtle.exportKey("jwk", publicKey)).x);
  });
}

const userOf = async ({ browser }: Application) => (await (await browser.fetch("/auth/session")).json())?.user?.email;

/** In this order: what comes later may rely on what comes before. */
export const RECORDED: readonly Recorded[] = [
  {
    name: "row: Session, hashed, and its user",
    write: async (application) => {
      await application.browser.navigate(await askForLink(application));
      return "";
    },
    read: userOf,
    expected: USER,
  },
  {
    name: "row: VerificationToken",
    write: askForLink,
    read: async (application, link) => {
      application.browser.cookies.clear();
      await application.browser.submit(await application.browser.navigate(link)).catch(() => undefined);
      return userOf(application);
    },
    expected: USER,
  },
  {
    name: "core: a code of an e-mail",
    write: async (application) => {
      const page = await application.browser.navigate("/auth/signin");
      const { url } = await application.browser.submit(page, { fields: { email: USER } });
      return JSON.stringify({ url, code: application.codes.at(-1) });
    },
    read: async (application, given) => {
      const { url, code } = JSON.parse(given);
      const session = application.browser.cookies.list().find(({ name }) => name.endsWith("session-token"));
      application.browser.cookies.set(`${session?.name}=; Path=/; Secure; Max-Age=0`);
      if ((await userOf(application)) !== undefined) throw new Error("The former session is still there.");
      await application.browser.submit(await application.browser.navigate(url), { fields: { code } });
      return userOf(application);
    },
    expected: USER,
  },
  {
    name: "core: the key of bound tokens",
    write: boundKeyOf,
    read: async (application, given) => (await boundKeyOf(application)) === given,
    expected: true,
  },
  {
    name: "vault: the lease of an account",
    write: async ({ within }) => {
      await within("vault", async (t) => (await (await seekLease(t, "account")).take())?.release("hash"));
      return "";
    },
    read: ({ within }) => within("vault", async (t) => (await (await seekLease(t, "account")).take())?.unanswered),
    expected: { hash: "hash", times: 1 },
  },
  {
    name: "vault: a sealed column",
    write: ({ within }) => within("vault", (t) => sealText(t, "a token", PLACE)),
    read: ({ within }, sealed) => within("vault", (t) => openText(t, sealed, PLACE)),
    expected: "a token",
  },
  {
    name: "vault: tokens in cookies",
    write: async ({ within }) => {
      await within("vault", (t) => cookieHome(t, SID, PLACE, true).swap({ tokens: NO_TOKENS, text: null }, TOKENS));
      return "";
    },
    read: ({ within }) => within("vault", async (t) => (await cookieHome(t, SID, PLACE, true).read()).tokens),
    expected: { accessToken: "access", refreshToken: "refresh" },
  },
  {
    name: "second-factor: an app that is being set up",
    write: async (application) => {
      const userId = await userIdOf(application);
      return application.within("second-factor", async (t) =>
        JSON.stringify(await beginTotp(t, userId, "Example", USER)),
      );
    },
    read: async (application, given) => {
      const { sealed: setup, secret } = JSON.parse(given);
      const code = await totpCode(secret);
      const userId = await userIdOf(application);
      const added = await application.within("second-factor", (t) =>
        confirmTotp(t, userId, { setup, code, label: null }),
      );
      return added !== null;
    },
    expected: true,
  },
  {
    name: "row: Credential, an app",
    write: async (application) => {
      const userId = await userIdOf(application);
      return application.within("second-factor", async (t) => {
        const { sealed: setup, secret } = await beginTotp(t, userId, "Example", USER);
        // Of the step before this one: the code of the time that is recorded is still unused.
        const code = await totpCode(secret, Date.now() - 30_000);
        await confirmTotp(t, userId, { setup, code, label: "Phone" });
        return secret;
      });
    },
    read: async (application, secret) => {
      const [userId, code] = [await userIdOf(application), await totpCode(secret)];
      return application.within("second-factor", (t) => checkTotp(t, userId, code));
    },
    expected: true,
  },
  {
    name: "row: Credential, recovery codes",
    write: async (application) => {
      const userId = await userIdOf(application);
      const codes = await application.within("second-factor", (t) => renewRecoveryCodes(t, userId));
      return codes?.[0] ?? "";
    },
    read: async (application, code) => {
      const userId = await userIdOf(application);
      return application.within("second-factor", async (t) => (await checkRecoveryCode(t, userId, code))?.left);
    },
    expected: 9,
  },
  {
    name: "row: Credential, a password",
    write: () => scrypt().hash("correct horse battery staple"),
    read: async (_application, hash) =>
      scrypt().matches(hash) && (await scrypt().verify("correct horse battery staple", hash)),
    expected: true,
  },
  {
    name: "password: a link that was sent",
    write: ({ within }) =>
      within("password", (t) =>
        keepPending(t, { kind: "reset", email: USER, at: Date.now(), callbackUrl: "/inside" }, 3600),
      ),
    read: ({ within }, token) => within("password", async (t) => (await findPending(t, "reset", token))?.pending),
    expected: { kind: "reset", email: USER, callbackUrl: "/inside" },
  },
  {
    name: "logout: what the end of a session takes",
    write: async ({ within }) => {
      await within("logout", (t) => keepTokens(GRANTED, t, []));
      return "";
    },
    read: ({ within }) => within("logout", (t) => takeTokens(t, SID)),
    expected: { idToken: "an ID token" },
  },
  {
    name: "attempts: a known device",
    write: async ({ within }) => {
      await within("attempts", (t) => rememberDevice(t, "account", USER));
      return "";
    },
    read: ({ within }) => within("attempts", async (t) => typeof (await findDevice(t, "account", USER))),
    expected: "string",
  },
  {
    name: "sessions: entries of the log",
    write: async () => writeEntries(ENTRIES),
    read: async (_application, text) => readEntries(text),
    expected: ENTRIES,
  },
  {
    // The last: each change of what a user signs in with ends it.
    name: "second-factor: a remembered browser",
    write: async (application) => {
      const userId = await userIdOf(application);
      await application.within("second-factor", (t) => rememberBrowser(t, userId, 30));
      return "";
    },
    read: async (application) => {
      const userId = await userIdOf(application);
      return application.within("second-factor", (t) => isRemembered(t, userId));
    },
    expected: true,
  },
];

/** Records what this version leaves behind. */
export async function recordWorld(application: Application): Promise<World> {
  const given: Record<string, string> = {};
  for (const { name, write } of RECORDED) given[name] = await write(application);
  return { at: new Date().toISOString(), ...application.state(), given };
}
