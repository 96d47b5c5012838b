// Sessions that Auth.js made: docs/from-authjs.md says which of them go on, and how.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "@auth/core/jwt";
import { type AuthConfig, createAuth } from "@cardea/core";
import { describe, expect, it } from "vitest";
import { createMemoryAdapter } from "../index.ts";
import { decodeEither, FORMER_COOKIE } from "./sessions/former-session.ts";

const secret = "a secret of 32 bytes or more, for tests";
const renamed = { sessionToken: { name: FORMER_COOKIE } };

const formerSession = (claims: object, sealedWith = secret) =>
  encode({ token: { sub: "7", name: "Ann", ...claims }, secret: sealedWith, salt: FORMER_COOKIE });

/** The session that an application finds in the cookies of a browser, and the cookies that it sets. */
async function read(config: Partial<AuthConfig>, cookie: string) {
  const { auth } = createAuth({ secret, trustHost: true, providers: [], ...config });
  const headers = new Headers();
  const session = await auth(new Request("https://app.example.com/", { headers: { cookie } }), headers);
  return { session, cookies: headers.getSetCookie() };
}

describe("a session in a cookie that Auth.js v5 made", () => {
  it("is not a session under any cookie name, because the keys differ", async () => {
    const token = await formerSession({});
    expect((await read({}, `${FORMER_COOKIE}=${token}`)).session).toBeNull();
    expect((await read({ cookies: renamed }, `${FORMER_COOKIE}=${token}`)).session).toBeNull();
  });

  it("goes on with its cookie's name and a `decode` that reads both", async () => {
    const token = await formerSession({});
    const { session } = await read({ cookies: renamed, jwt: { decode: decodeEither } }, `${FORMER_COOKIE}=${token}`);
    expect(session?.user).toMatchObject({ name: "Ann" });
  });

  it("goes on when it is split over several cookies", async () => {
    const token = await formerSession({ groups: "x".repeat(5000) });
    const cookie = `${FORMER_COOKIE}.0=${token.slice(0, 3900)}; ${FORMER_COOKIE}.1=${token.slice(3900)}`;
    const { session } = await read({ cookies: renamed, jwt: { decode: decodeEither } }, cookie);
    expect(session?.user).toMatchObject({ name: "Ann" });
  });

  it("is sealed again when it is renewed, so that no former `decode` is needed later", async () => {
    const config = { cookies: renamed, session: { updateAge: 0 } };
    const former = await formerSession({});
    const { cookies } = await read({ ...config, jwt: { decode: decodeEither } }, `${FORMER_COOKIE}=${former}`);
    const renewed = cookies.find((line) => line.startsWith(`${FORMER_COOKIE}=`))?.split(";")[0] ?? "";
    expect((await read(config, renewed)).session?.user).toMatchObject({ name: "Ann" });
  });

  it("is not a session under another secret", async () => {
    const token = await formerSession({}, "another secret of 32 bytes or more");
    const { session } = await read({ cookies: renamed, jwt: { decode: decodeEither } }, `${FORMER_COOKIE}=${token}`);
    expect(session).toBeNull();
  });
});

describe("a session in a database that Auth.js v5 made", () => {
  it("goes on with its cookie's name", async () => {
    const { adapter } = createMemoryAdapter();
    const user = await adapter.createUser({ id: "", name: "Ann", email: "ann@example.com", emailVerified: null });
    // As Auth.js makes the token: a UUID.
    const sessionToken = crypto.randomUUID();
    await adapter.createSession({ sessionToken, userId: user.id, expires: new Date(Date.now() + 60_000) });
    const { session } = await read({ adapter, cookies: renamed }, `${FORMER_COOKIE}=${sessionToken}`);
    expect(session?.user).toMatchObject({ name: "Ann" });
    expect((await read({ adapter }, `${FORMER_COOKIE}=${sessionToken}`)).session).toBeNull();
  });
});

describe("docs/from-authjs.md", () => {
  it("shows the code that is tested here", () => {
    const root = join(import.meta.dirname, "../../../..");
    const code = readFileSync(join(import.meta.dirname, "sessions/former-session.ts"), "utf8");
    expect(readFileSync(join(root, "docs/from-authjs.md"), "utf8")).toContain(`// former-session.ts\n${code}`);
  });
});
