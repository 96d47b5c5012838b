import { createHmac } from "node:crypto";
import { hash as nodeRsArgon2 } from "@node-rs/argon2";
import bcryptjs from "bcryptjs";
import { hashPassword as betterAuthHash } from "better-auth/crypto";
import { FirebaseScrypt } from "firebase-scrypt";
import { describe, expect, it } from "vitest";
import { argon2, argon2id } from "../argon2.ts";
import { bcrypt, wordpress } from "../bcrypt.ts";
import { aspnetV3 } from "./aspnet.ts";
import { betterAuthScrypt } from "./better-auth.ts";
import { firebaseHash, firebaseScrypt } from "./firebase.ts";
import type { HashFormat } from "./format.ts";
import { pbkdf2 } from "./pbkdf2.ts";
import { phpass } from "./phpass.ts";
import { scrypt } from "./scrypt.ts";

const SECRET = "correct horse battery staple ü";

/** The example of https://github.com/firebase/scrypt, whose password is `user1password`. */
const FIREBASE = {
  signerKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
  saltSeparator: "Bw==",
  rounds: 8,
  memCost: 14,
};

interface Vector {
  readonly format: HashFormat;
  readonly password: string;
  readonly hash: () => string | Promise<string>;
  /** One check takes seconds: the wrong ones are left out. */
  readonly dear?: true;
}

/** Made by the real libraries where npm has them, else published; the source is in the name. */
const VECTORS: Readonly<Record<string, Vector>> = {
  "bcrypt, by bcryptjs 3.0.3": { format: bcrypt(), password: SECRET, hash: () => bcryptjs.hash(SECRET, 4) },
  "bcrypt $2a$, by jBCrypt's test vectors": {
    format: bcrypt(),
    password: "abcdefghijklmnopqrstuvwxyz",
    hash: () => "$2a$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC",
  },
  "Argon2id, by @node-rs/argon2 2.2.1": {
    format: argon2(),
    password: SECRET,
    hash: () => nodeRsArgon2(SECRET, { memoryCost: 1024, timeCost: 1 }),
  },
  "Argon2i, by the reference implementation's tests": {
    format: argon2(),
    password: "password",
    hash: () => "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8",
  },
  "scrypt, by better-auth 1.7.25": {
    format: betterAuthScrypt(),
    password: "ﬁle of \u00c5ngstr\u00f6m, long",
    hash: () => betterAuthHash("ﬁle of \u00c5ngstr\u00f6m, long"),
  },
  "scrypt, by firebase-scrypt 2.2.0": {
    format: firebaseScrypt(FIREBASE),
    password: SECRET,
    hash: async () => {
      const salt = "42xEC+ixf3L2lw==";
      return firebaseHash({ salt, passwordHash: await new FirebaseScrypt(FIREBASE).hash(SECRET, salt) });
    },
  },
  "scrypt of Firebase, by the README of github.com/firebase/scrypt": {
    format: firebaseScrypt(FIREBASE),
    password: "user1password",
    hash: () =>
      firebaseHash({
        salt: "42xEC+ixf3L2lw==",
        passwordHash: "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
      }),
  },
  "PBKDF2 of Django, by its tests of hashers": {
    format: pbkdf2(),
    dear: true,
    password: "lètmein",
    hash: () => "pbkdf2_sha256$1500000$seasalt$P4UiMPVduVWIL/oS1GzH+IofsccjJNM5hUTikBvi5to=",
  },
  "ASP.NET Core Identity v3, SHA-512, by its PasswordHasherTest": {
    format: aspnetV3(),
    password: "my password",
    hash: () =>
      "AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==",
  },
  "ASP.NET Core Identity v3, SHA-1, by its PasswordHasherTest": {
    format: aspnetV3(),
    password: "my password",
    hash: () => "AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M",
  },
  "ASP.NET Core Identity v3, SHA-256, by its PasswordHasherTest": {
    format: aspnetV3({ iterations: 250_000 }),
    password: "my password",
    hash: () =>
      "AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=",
  },
  "WordPress 6.8, by bcryptjs over the HMAC of wp_hash_password()": {
    format: wordpress(),
    password: SECRET,
    hash: async () => {
      const mac = createHmac("sha384", "wp-sha384").update(SECRET).digest("base64");
      return `$wp${(await bcryptjs.hash(mac, 4)).replace("$2b$", "$2y$")}`;
    },
  },
  "bcrypt $2y$, by password_hash() of PHP 8.2.36": {
    format: bcrypt(),
    password: SECRET,
    hash: () => "$2y$05$fJDi4DsOWHxC0yBRfGgxWu8owUCaoVD0vR2H9vBrFwcYY0ROvmPPK",
  },
  "WordPress 6.8, by password_hash() of PHP 8.2.36 over its HMAC": {
    format: wordpress(),
    password: SECRET,
    hash: () => "$wp$2y$05$Jqbgqkqfm1g97OtiR8oZ1upcSb1Gx0alSkhWoTp63Da.GXISuSrLS",
  },
  "phpass, by the PasswordHash of WordPress 6.1.9 in Debian 12 on PHP 8.2.36": {
    format: phpass(),
    password: SECRET,
    hash: () => "$P$BqUZ7iPlkIG5rojb2ge20P3.4cjcQY/",
  },
  "WordPress before 6.8, by the same": {
    format: wordpress(),
    password: SECRET,
    hash: () => "$P$BqUZ7iPlkIG5rojb2ge20P3.4cjcQY/",
  },
  "PBKDF2 of Django, by the PBKDF2PasswordHasher of Django 3.2.25 in Debian 12": {
    format: pbkdf2(),
    password: SECRET,
    hash: () => "pbkdf2_sha256$20000$seasaltseasaltseasalt$HNu5yhPaTiYiwZzg40ljBG9/3TvWVZCPDnMZKartb1I=",
  },
  "phpass, by its test program": {
    format: phpass(),
    password: "test12345",
    hash: () => "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
  },
  "WordPress before 6.8, by phpass's test program": {
    format: wordpress(),
    password: "test12345",
    hash: () => "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
  },
  "scrypt, by RFC 7914 §12": {
    format: scrypt(),
    password: "pleaseletmein",
    hash: () =>
      `$scrypt$ln=14,r=8,p=1$${Buffer.from("SodiumChloride").toString("base64").replaceAll("=", "")}$${Buffer.from(
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887",
        "hex",
      )
        .toString("base64")
        .replaceAll("=", "")}`,
  },
};

describe("formats", () => {
  it.each(Object.entries(VECTORS))("%s", async (_, { format, password, hash, dear }) => {
    const text = await hash();
    expect(format.matches(text)).toBe(true);
    expect(await format.verify(password, text)).toBe(true);
    if (dear === true) return;
    expect(await format.verify(`${password}x`, text)).toBe(false);
    expect(await format.verify("", text)).toBe(false);
    const last = text.at(-4) === "A" ? "B" : "A";
    const changed = `${text.slice(0, -4)}${last}${text.slice(-3)}`;
    expect(format.matches(changed) && (await format.verify(password, changed))).toBe(false);
    for (const cut of [text.slice(1), "", `${text}\n`, `x${text}`])
      expect(format.matches(cut) && (await format.verify(password, cut))).toBe(false);
  });
});

describe("limits of formats", () => {
  it("do not accept what would be dearer than what was measured", () => {
    const text = "pbkdf2_sha256$1500000$seasalt$P4UiMPVduVWIL/oS1GzH+IofsccjJNM5hUTikBvi5to=";
    expect([pbkdf2().matches(text), pbkdf2({ iterations: 1_499_999 }).matches(text)]).toEqual([true, false]);
    const dear = `$2b$13$${"a".repeat(53)}`;
    expect([bcrypt().matches(dear), bcrypt({ cost: 13 }).matches(dear)]).toEqual([false, true]);
    expect(scrypt().matches(`$scrypt$ln=24,r=8,p=1$${"a".repeat(22)}$${"a".repeat(43)}`)).toBe(false);
    expect(argon2().matches(`$argon2id$v=19$m=9999999,t=2,p=1$${"a".repeat(22)}$${"a".repeat(43)}`)).toBe(false);
  });

  it.each(["sha1", "sha256"])("of Django: a hash as long as its digest (%s)", (digest) => {
    const textOf = (bytes: number) => `pbkdf2_${digest}$1000$seasalt$${Buffer.alloc(bytes).toString("base64")}`;
    const accepted = Array.from({ length: 100 }, (_, bytes) => bytes).filter((bytes) =>
      pbkdf2().matches(textOf(bytes)),
    );
    expect(accepted).toEqual([digest === "sha1" ? 20 : 32]);
  });

  it.each([
    [0, 20],
    [1, 32],
    [2, 64],
  ])("of ASP.NET: two blocks of the digest (%d)", (digest, size) => {
    const textOf = (length: number) => {
      const bytes = Buffer.alloc(13 + 16 + length);
      bytes.writeUInt8(1, 0);
      bytes.writeUInt32BE(digest, 1);
      bytes.writeUInt32BE(1000, 5);
      bytes.writeUInt32BE(16, 9);
      return bytes.toString("base64");
    };
    const accepted = Array.from({ length: 220 }, (_, length) => length).filter((n) => aspnetV3().matches(textOf(n)));
    expect([accepted.at(0), accepted.at(-1)]).toEqual([16, 2 * size]);
  });

  it("of bcrypt: 72 bytes, and up to a NUL", () => {
    const { isTruncated } = bcrypt();
    expect(isTruncated?.("a".repeat(72))).toBe(false);
    expect(isTruncated?.("a".repeat(73))).toBe(true);
    expect(isTruncated?.("ü".repeat(37))).toBe(true);
    expect(isTruncated?.("a\0b")).toBe(true);
    expect(wordpress().isTruncated?.("a".repeat(80)) ?? false).toBe(false);
  });

  it.each<[string, () => unknown]>([
    ["N", () => scrypt({ N: 1000 })],
    ["N", () => scrypt({ N: 2 ** 24, r: 64 })],
    ["memoryCost", () => argon2id({ memoryCost: 4 })],
    ["cost", () => bcrypt({ cost: 3 })],
    ["signerKey", () => firebaseScrypt({ ...FIREBASE, signerKey: "" })],
    ["memCost", () => firebaseScrypt({ ...FIREBASE, memCost: 30 })],
  ])("refuse a wrong %s at start", (name, make) => {
    expect(make).toThrow(name);
  });

  it.each([scrypt({ N: 2 ** 10 }), argon2id({ memoryCost: 1024, timeCost: 1 })])(
    "new hashes are salted, current, and read by their own format",
    async (hasher) => {
      const [one, other] = await Promise.all([hasher.hash(SECRET), hasher.hash(SECRET)]);
      expect(one).not.toBe(other);
      expect([hasher.matches(one), hasher.isCurrent(one), await hasher.verify(SECRET, one)]).toEqual([
        true,
        true,
        true,
      ]);
      const sample = await hasher.sample();
      expect([hasher.matches(sample), await hasher.verify("not the password", sample)]).toEqual([true, false]);
    },
  );

  it.each([
    bcrypt({ cost: 4 }),
    wordpress({ cost: 4 }),
    pbkdf2({ iterations: 1000 }),
    betterAuthScrypt(),
    phpass(),
    aspnetV3(),
    firebaseScrypt(FIREBASE),
  ])("samples belong to their format", async (format) => {
    const sample = await format.sample();
    expect([format.matches(sample), await format.verify("not the password", sample)]).toEqual([true, false]);
  });
});
