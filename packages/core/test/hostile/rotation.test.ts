import { describe, expect, it } from "vitest";
import {
  BASE,
  type Case,
  COOKIE,
  cookieHeader,
  expectRefused,
  installClock,
  ORIGIN,
  PASSWORD,
  setUp,
} from "../harness/harness.ts";

const OLD = "canary-old-secret-of-more-than-thirty-two-bytes";
const NEW = "canary-new-secret-of-more-than-thirty-two-bytes";

function withSecret(...secret: string[]): Case {
  const c = setUp({ config: { secret, session: { updateAge: 3600 } } });
  for (const one of secret) c.plant(one);
  return c;
}

async function sessionAt(c: Case, cookie: string) {
  const answer = await c.send(`${BASE}/session`, { headers: { cookie } });
  return { status: answer.status, session: await answer.json(), lines: answer.headers.getSetCookie() };
}

describe("secret rotation", () => {
  it("H335 a session outlives the rotation, and is sealed again when it is due", async () => {
    const clock = installClock();
    const before = withSecret(OLD);
    await before.signIn();
    const rotating = withSecret(NEW, OLD);
    const cookie = cookieHeader(before.browser);
    expect(await sessionAt(rotating, cookie)).toMatchObject({ session: { user: { name: "ann" } }, lines: [] });
    clock.advance({ hours: 1 });
    const { lines } = await sessionAt(rotating, cookie);
    const renewed = lines.map((line) => line.split(";")[0]).join("; ");
    expect(renewed).toMatch(new RegExp(`^${COOKIE.session}=ey`));
    expect((await sessionAt(withSecret(NEW), renewed)).session).toMatchObject({ user: { name: "ann" } });
    expect((await sessionAt(withSecret(OLD), renewed)).session).toBe(null);
  });

  it("H335 a sign-in that began before the rotation ends after it", async () => {
    const before = withSecret(OLD);
    const start = await before.post(`${BASE}/signin/op`, { callbackUrl: "/dash" });
    const { url } = await before.op.authorize(start.redirectsTo ?? "");
    const rotating = setUp({ config: { providers: before.config.providers, secret: [NEW, OLD] } });
    const answer = await rotating.send(url.href, { headers: { cookie: cookieHeader(before.browser) } });
    expect(answer.headers.get("location")).toBe(`${ORIGIN}/dash`);
  });

  it("H335 a form that was open during the rotation is accepted", async () => {
    const before = withSecret(OLD);
    const csrfToken = await before.csrfToken();
    const headers = { cookie: cookieHeader(before.browser) };
    const body = new URLSearchParams({ csrfToken, username: "ann", password: PASSWORD });
    const path = `${BASE}/callback/credentials`;
    const answer = await withSecret(NEW, OLD).send(path, { method: "POST", headers, body });
    expect(answer.headers.get("location")).toBe(ORIGIN);
    expectRefused(await withSecret(NEW).send(path, { method: "POST", headers, body }));
  });

  it("H338 when the old secret is gone, its sessions are gone, quietly", async () => {
    const before = withSecret(OLD);
    await before.signIn();
    const after = withSecret(NEW);
    const { status, session, lines } = await sessionAt(after, cookieHeader(before.browser));
    expect([status, session]).toEqual([200, null]);
    // For this configuration it is the cookie of another application on the host.
    expect(lines).toEqual([]);
    expect(after.logs.filter(({ level }) => level !== "debug").length).toBeLessThanOrEqual(1);
  });

  it("H338 the order of the old secrets does not matter, and the first one seals", async () => {
    const before = withSecret(OLD);
    await before.signIn();
    const cookie = cookieHeader(before.browser);
    const third = "canary-third-secret-of-more-than-thirty-two-bytes";
    for (const secrets of [
      [NEW, third, OLD],
      [NEW, OLD, third],
      [OLD, NEW],
      [OLD, OLD],
    ]) {
      expect((await sessionAt(withSecret(...secrets), cookie)).session).toMatchObject({ user: { name: "ann" } });
    }
  });
});
