import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bridge } from "@cardea/bridge-authjs";
import { decode, encode } from "@cardea/core/jwt";
import { type CookieBinding, decryptCookie, encryptCookie } from "../../../packages/core/src/crypto/sealed-claims.ts";
import { nameToken, readSessionName, readTokenChecks } from "../../../packages/core/src/protocol/session-token.ts";

export const FOLDER: string = import.meta.dirname;
const SECRET = "the secret that all samples were sealed with, for tests";

/** One format, as the lists have it. */
export interface Format {
  readonly name: string;
  readonly holds: string;
  /** The version that wrote it first. */
  readonly writtenSince: string;
  /** The last version that reads it; null where no end is planned. */
  readonly readUntil: string | null;
}

/** What one version wrote, by format. */
export type Samples = Readonly<Record<string, string>>;

export function readFormats(list: string): readonly Format[] {
  return JSON.parse(readFileSync(join(FOLDER, `${list}.json`), "utf8")).formats;
}

/** The samples of each version that wrote some. */
export function readSamples(): ReadonlyMap<string, Samples> {
  const folder = join(FOLDER, "samples");
  return new Map(
    readdirSync(folder).map((name) => [
      name.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, name), "utf8")),
    ]),
  );
}

/** Long enough: the samples are replayed for years. */
const LIFETIME = 100 * 365 * 24 * 60 * 60;

const claims = { sub: "7", name: "Ann", email: "ann@example.com", picture: null };
const facts = { sid: "0123456789abcdefghijkl", at: 1_700_000_000, e: 2, f: [["pwd", 1_700_000_000]] };
const checks = ["sessions", "second-factor"];
const checked = { ...claims, cardea: { ...facts, c: checks } };
const fields = { one: "1", two: "zwei ✓" };

const NAME = "__Host-cardea.session-token";

const bindingOf = (purpose: CookieBinding["purpose"]): CookieBinding => ({
  secrets: [SECRET],
  purpose,
  salt: `__Host-cardea.${purpose}`,
  provider: "example",
});

/** What writes a sample now, and what reads one; null where it cannot be read. */
export interface Codec {
  write(): Promise<string>;
  read(sample: string): Promise<unknown>;
  readonly expected: unknown;
}

function sealed(purpose: CookieBinding["purpose"]): Codec {
  return {
    write: async () => encryptCookie(fields, bindingOf(purpose), LIFETIME),
    read: async (sample) => decryptCookie(sample, bindingOf(purpose)),
    expected: fields,
  };
}

function bridged(version: "authjs-v5" | "nextauth-v4", name: string): Codec {
  const [format] = bridge({ accept: [version] }).sessionFormats ?? [];
  return {
    write: async () => (await format?.seal?.({ ...claims, cardea: facts }, name, LIFETIME, [SECRET])) ?? "",
    read: async (sample) => (await format?.open(sample, name, [SECRET])) ?? null,
    expected: { ...claims, cardea: facts },
  };
}

export const CODECS: Readonly<Record<string, Codec>> = {
  session: {
    write: () => encode({ token: { ...claims, cardea: facts }, secret: SECRET, salt: NAME, maxAge: LIFETIME }),
    read: (sample) => decode({ token: sample, secret: ["a newer secret", SECRET], salt: NAME }),
    expected: { ...claims, cardea: facts },
  },
  "session-checks": {
    write: () => encode({ token: checked, secret: SECRET, salt: NAME, maxAge: LIFETIME }),
    read: (sample) => decode({ token: sample, secret: ["a newer secret", SECRET], salt: NAME }),
    expected: checked,
  },
  "csrf-token": sealed("csrf-token"),
  state: sealed("state"),
  challenge: sealed("challenge"),
  "sign-in-time": sealed("sign-in-time"),
  "proxy-state": sealed("proxy-state"),
  "provider-form": sealed("provider-form"),
  "email-token": sealed("email-token"),
  delivered: sealed("delivered"),
  address: sealed("address"),
  identifier: sealed("identifier"),
  "pending-admission": sealed("pending-admission"),
  extension: sealed("extension"),
  "authjs-v5": bridged("authjs-v5", "__Secure-authjs.session-token"),
  "nextauth-v4": bridged("nextauth-v4", "__Secure-next-auth.session-token"),
  "database-session": {
    write: async () => nameToken("0".repeat(64), facts),
    read: async (sample) => readSessionName(sample),
    expected: { sid: facts.sid, at: facts.at, e: facts.e },
  },
  "database-session-checks": {
    write: async () => nameToken("0".repeat(64), facts, checks),
    read: async (sample) => ({ ...readSessionName(sample), checks: readTokenChecks(sample) }),
    expected: { sid: facts.sid, at: facts.at, e: facts.e, checks },
  },
};
