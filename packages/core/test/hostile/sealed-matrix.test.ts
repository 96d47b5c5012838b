/** What was sealed for one use is accepted by no other: every writer × every reader, name, provider and secret. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../harness/sealed-app.ts";
import { CORE_USES, ofAuthjs, ofExtension, registerPasskeys, type Use } from "../harness/sealed-uses.ts";

const secretOf = (one: string) => `the ${one} secret of more than thirty-two bytes`;
const [FIRST, SECOND, THIRD] = [secretOf("first"), secretOf("second"), secretOf("third")] as const;

/** By package and file: everything that seals, with its uses. */
const USES: Readonly<Record<string, Readonly<Record<string, Use>>>> = {
  ...Object.fromEntries(Object.entries(CORE_USES).map(([file, uses]) => [`core/${file}`, uses])),
  "account/snapshot.ts": { snapshot: ofExtension("account", "undo") },
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
  "bridge-authjs/session-format.ts": { "nextauth-v4": ofAuthjs("A256GCM"), "authjs-v5": ofAuthjs("A256CBC-HS512") },
};

/** By purpose: a use of it. The purpose is part of the key. */
const PURPOSES: Readonly<Record<string, string>> = {
  session: "session",
  "csrf-token": "csrf",
  state: "pending sign-in",
  challenge: "passkey",
  "sign-in-time": "sign-in time",
  "proxy-state": "proxy state",
  "provider-form": "provider form",
  "email-token": "e-mail",
  delivered: "delivered",
  address: "address",
  identifier: "typed identifier",
  "pending-admission": "waiting",
  extension: "extension text",
};

const all = Object.values(USES).flatMap((uses) => Object.entries(uses));
const here: Place = { secrets: [FIRST, SECOND], secure: true, of: "" };

const PACKAGES = new URL("../../../", import.meta.url);
const SEALING =
  /\.seal\(|cookies\.write\(|\b(?:encrypt(?:Cookie|Claims|Text|Jwe|WithDestination)|storePending|deriveDirectKey)\(/;
/** What sealing is made of, and files that call a listed one. */
const MEANS =
  /^(?:core\/crypto\/|testing\/)|^vault\/(?:store|row)-home\.ts$|^core\/.*\/(?:requesting-browser|deliver-once|two-users)\.ts$|^extend\/(?:defined-method|pending-sign-in)\.ts$/;

/** All sources, as `package/path`, with their text. */
const SOURCES = readdirSync(PACKAGES).flatMap((name) => {
  const sources = new URL(`${name}/src/`, PACKAGES);
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  const own = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  return own.map((file) => [`${name}/${file}`, readFileSync(new URL(file, sources), "utf8")] as const);
});

/** The files that seal: those of core, and of what calls its extensions, by their names, as their folders may change. */
function sealingFiles(): readonly string[] {
  const files = SOURCES.filter(([path, text]) => SEALING.test(text) && !MEANS.test(path));
  return files.map(([path]) => path.replace(/^(?:core\/.*|extend)\//, "core/"));
}

/** The purposes that core's keys are derived for. */
function sealingPurposes(): ReadonlySet<string> {
  const core = SOURCES.filter(([path]) => /^(?:core|extend)\//.test(path));
  return new Set(core.flatMap(([, text]) => [...text.matchAll(/\bpurpose: "([\w-]+)"/g)].map(([, one = ""]) => one)));
}

beforeAll(() => registerPasskeys(here));

describe("what is sealed", () => {
  it("each file that seals is in the list, and each in the list seals", () => {
    expect(sealingFiles().toSorted()).toEqual(Object.keys(USES).toSorted());
    expect(sealingPurposes()).toEqual(new Set(Object.keys(PURPOSES)));
    expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(Object.values(PURPOSES)));
  });

  it.each(all)("%s: accepted in its own place, and in no other", async (name, use) => {
    const text = await use.write(here);
    const accepted = await Promise.all(
      all.map(async ([other, { accepts }]) => ((await accepts(here, text)) ? [other] : [])),
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
   * Bound to the scheme, by the full name; a form by its pending sign-in. Everything else is not: what no cookie holds, and the cookies of extensions, whose seal names
   * extension and cookie without its prefix. What earlier versions sealed stays readable, so that this cannot change.
   */
  const named = [
    "session",
    "csrf",
    "pending sign-in",
    "passkey",
    "e-mail",
    "sign-in time",
    "address",
    "delivered",
  ].concat("typed identifier", "provider form");
  /** Not bound to a provider: a waiting sign-in, and DPoP keys, each of which has its own entry in the store; and what is typed before one is chosen. */
  const common = ["waiting", "dpop", "typed identifier"];
  const readable = all.filter(([name]) => !name.includes("-v"));
  it.each(
    readable.flatMap(([name, use]) => places.map(([where, place, is]) => [name, where, use, place, is] as const)),
  )("%s: as expected in a place %s", async (name, where, use, place, is) => {
    const isLoose = where === "on http" ? !named.includes(name) : place.of === "2" && common.includes(name);
    const expected = is || isLoose;
    expect(await use.accepts(place, await use.write(here))).toBe(expected);
  });
});
