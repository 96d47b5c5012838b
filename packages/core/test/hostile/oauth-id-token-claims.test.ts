import { describe, expect, it } from "vitest";
import { assertRows } from "../../../testing/src/long-form.ts";
import { installClock, ORIGIN, recordOf, setUp } from "../harness/harness.ts";
import {
  attempt,
  begin,
  comeBack,
  expectAcceptedToken,
  expectNoSignIn,
  expectRefusedToken,
  expectSignedIn,
  pendingCookies,
  start,
} from "../harness/oauth-journeys.ts";

describe("oidc id_token: the claims", () => {
  it.each([["https://op.example.com1"], ["https://op.example.com/"], [["https://op.example.com"]], [""], [null], [7]])(
    "H133 refuses the issuer %o",
    async (iss) => {
      await expectRefusedToken({ claims: { set: { iss } } });
    },
  );

  it.each([["cid1"], [[]], [null], [""], ["CID"], [["cid1"]], [{ cid: true }], [[["cid"]]]])(
    "H134 refuses the audience %o",
    async (aud) => {
      await expectRefusedToken({ claims: { set: { aud } } });
    },
  );

  it.each(["iss", "aud", "exp", "iat", "sub", "nonce"])(
    "H134 H137 H138 H140 H141 refuses a token without %s",
    async (name) => {
      await expectRefusedToken({ claims: { remove: [name] } });
    },
  );

  /** OIDC Core §3.1.3.7, rules 3 to 5. */
  it("H135 refuses every token that is not for this client, and further audiences that nothing vouches for", async () => {
    const audiences = [["cid"], ["api", "cid"], ["cid", "api", "cid2"], ["api"], ["cid", 7], []];
    const rows = audiences.flatMap((aud) =>
      ["cid", "api", "", null, ["cid"], undefined].flatMap((azp) =>
        [undefined, ["api"], ["api", "cid2"]].map((trusted) => ({ aud, azp, trusted })),
      ),
    );
    const isSound = ({ aud, azp, trusted }: (typeof rows)[number]) => {
      const others = aud.filter((entry) => entry !== "cid");
      const isNamed = azp === undefined && others.every((entry) => trusted?.some((one) => one === entry));
      return aud.includes("cid") && !aud.includes(7) && (azp === "cid" || isNamed);
    };
    const groupOf = (row: (typeof rows)[number]) => JSON.stringify([row.aud, isSound(row)]);
    await assertRows(rows, groupOf, async (row) => {
      const { aud, azp, trusted } = row;
      const claims = { set: { aud, ...(azp === undefined ? {} : { azp }) } };
      const c = setUp(trusted === undefined ? {} : { provider: { audiences: trusted } });
      await (isSound(row) ? expectAcceptedToken : expectRefusedToken)({ claims }, c);
    });
  });

  it("H135 verifies the signature and every claim of a token with configured audiences", async () => {
    const aud = ["cid", "api"];
    const provider = { audiences: ["api"] };
    await expectAcceptedToken({ claims: { set: { aud } } }, setUp({ provider }));
    await expectRefusedToken({ claims: { set: { aud } }, sign: "other-key" }, setUp({ provider }));
    for (const claims of [
      { nonce: "x" },
      { iss: "https://op.example.com1" },
      { sub: "" },
      { exp: 1 },
      { at_hash: "x" },
    ])
      await expectRefusedToken({ claims: { set: { aud, ...claims } } }, setUp({ provider }));
    for (const header of [{ typ: "logout+jwt" }, { alg: "none" }, { crit: ["x"] }])
      await expectRefusedToken({ claims: { set: { aud } }, header: { set: header } }, setUp({ provider }));
  });

  it("H137 refuses a token 31 seconds after its end, and takes one 5 seconds after", async () => {
    await expectAcceptedToken({ claims: { shift: { exp: -300 - 5 } } });
    await expectRefusedToken({ claims: { shift: { exp: -300 - 31 } } });
  });

  it("H137 has 30 seconds of tolerance for the end of a token, not one more", async () => {
    installClock();
    await expectAcceptedToken({ claims: { shift: { exp: -300 - 29 } } });
    await expectRefusedToken({ claims: { shift: { exp: -300 - 30 } } });
  });

  it.each([["1800000000"], [null], [{}], [true]])("H137 H138 refuses the time %o", async (time) => {
    await expectRefusedToken({ claims: { set: { exp: time } } });
    await expectRefusedToken({ claims: { set: { iat: time } } });
  });

  it("H140 refuses a nonce that is another, a list, empty or of an earlier sign-in", async () => {
    await expectRefusedToken({ claims: { append: { nonce: "1" } } });
    for (const nonce of [[], "", null, 7]) await expectRefusedToken({ claims: { set: { nonce } } });
    const c = setUp();
    const earlier = (await begin(c)).searchParams.get("nonce") ?? "";
    c.browser.cookies.clear();
    await expectRefusedToken({ claims: { set: { nonce: earlier } } }, c);
    await expectRefusedToken({ claims: { set: { nonce: [earlier] } } });
  });

  it("H140 refuses a nonce where none was asked for", async () => {
    const c = setUp({ op: { pkce: "required" }, provider: { checks: ["pkce"] } });
    const url = await begin(c);
    expect(url.searchParams.has("nonce")).toBe(false);
    c.op.script = { idToken: { claims: { set: { nonce: "x" } } } };
    await expectNoSignIn(c, await comeBack(c, url));
  });

  it("H140 takes a token without nonce only where the provider's own checks name neither nonce nor PKCE", async () => {
    const without = { claims: { remove: ["nonce"] } } as const;
    for (const checks of [["state"], ["none"]] as const) {
      const c = setUp({ provider: { checks } });
      expect((await begin(c)).searchParams.get("nonce")).toMatch(/^[\w-]{43}$/);
      await expectAcceptedToken(without, c);
      for (const nonce of [[], "", null, 7, "another"]) {
        await expectRefusedToken({ claims: { set: { nonce } } }, setUp({ provider: { checks } }));
      }
    }
    for (const checks of [
      undefined,
      [],
      ["nonce"],
      ["state", "nonce"],
      ["pkce", "nonce"],
      ["none", "nonce"],
    ] as const) {
      await expectRefusedToken(without, setUp({ provider: { checks } }));
    }
    // PKCE is on, but the server does not say that it checks it: the nonce was asked for instead.
    const c = setUp({ provider: { checks: ["pkce", "state"] } });
    c.op.script = { metadata: { remove: ["code_challenge_methods_supported"] } };
    await expectRefusedToken(without, c);
  });

  it.each([[""], [7], [{}], [null], [["1815"]]])("H141 refuses the subject %o", async (sub) => {
    await expectRefusedToken({ claims: { set: { sub } } });
  });

  it("H144 refuses a hash of another access token", async () => {
    await expectRefusedToken({ claims: { set: { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" } } });
    await expectRefusedToken({ claims: { set: { at_hash: null } } });
    await expectAcceptedToken({ claims: { remove: ["at_hash"] } });
  });

  it.each(["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"] as const)(
    "H144 knows the hash of the access token under %s",
    async (signatureAlgorithm) => {
      await expectAcceptedToken({}, setUp({ op: { signatureAlgorithm } }));
      await expectRefusedToken({ claims: { append: { at_hash: "x" } } }, setUp({ op: { signatureAlgorithm } }));
    },
  );

  it.each(["logout+jwt", "at+jwt", "application/at+jwt", "x+jwt", ""])("H145 refuses a JWT of type %s", async (typ) => {
    await expectRefusedToken({ header: { set: { typ } } });
  });

  it("H145 refuses a logout token that says it is nothing of the kind", async () => {
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    await expectRefusedToken({ claims: { set: { events } } });
  });

  it.each([["eyJhbGciOiJub25lIn0"], ["a.b"], ["a.b.c.d"], ["..."], ["not a token"], [7], [{}], [["x"]], [null]])(
    "H123 refuses %o in place of an ID token",
    async (replaceWith) => {
      await expectRefusedToken({ replaceWith });
    },
  );

  it("H148 refuses userinfo of another subject", async () => {
    for (const change of [{ append: { sub: "1" } }, { set: { sub: "evil" } }, { remove: ["sub"] }]) {
      const c = setUp({ provider: { idToken: false } });
      c.op.script = { userinfo: { patch: change } };
      await expectNoSignIn(c, await attempt(c));
    }
  });

  it.each([false, "false", "true", true, null, 1])(
    "H150 does not vouch for an e-mail address whose email_verified is %o",
    async (verified) => {
      const users: object[] = [];
      const signIn = ({ user }: { user: object }) => users.push(user) > 0;
      const c = setUp({ config: { callbacks: { signIn } } });
      c.op.user = { sub: "1815", email: "ada@example.com", email_verified: verified };
      await expectSignedIn(c, await attempt(c));
      // Whether an address is proven matters where accounts are linked; without a database nothing claims it.
      expect(users).toEqual([{ id: "1815", name: null, email: "ada@example.com", image: null }]);
    },
  );
});

describe("oidc id_token: the provider's metadata", () => {
  it.each([
    "https://evil.example",
    "https://op.example.com/",
    "https://OP.example.com",
    "https://op.example.com:443",
    "",
  ])("H152 refuses metadata of the issuer %o before anybody is sent anywhere", async (issuer) => {
    const c = setUp();
    c.op.script = { metadata: { set: { issuer } } };
    const visit = await start(c);
    expect(visit.redirectsTo).toContain(`${ORIGIN}/api/auth/signin?error=OAuthSignin`);
    expect(pendingCookies(c)).toEqual([]);
    expect(recordOf(visit).logs).toHaveLength(1);
  });

  it.each([[undefined], [["plain"]], [[]], ["S256"], [null]])(
    "H153 never relies on PKCE alone, nor on plain, where %o is announced",
    async (methods) => {
      const metadata =
        methods === undefined
          ? { remove: ["code_challenge_methods_supported"] }
          : { set: { code_challenge_methods_supported: methods } };
      const c = setUp({ provider: { checks: ["pkce"] } });
      c.op.script = { metadata };
      const query = (await begin(c)).searchParams;
      expect(query.get("code_challenge_method")).toBe("S256");
      expect(query.get("state")).toMatch(/^[\w-]{43}$/);
      expect(query.get("nonce")).toMatch(/^[\w-]{43}$/);
    },
  );

  it("H153 needs no nonce where S256 is announced and the provider asks for PKCE alone", async () => {
    const c = setUp({ op: { pkce: "required" }, provider: { checks: ["pkce"] } });
    const url = await begin(c);
    expect([url.searchParams.has("state"), url.searchParams.has("nonce")]).toEqual([true, false]);
    await expectSignedIn(c, await comeBack(c, url));
  });
});
