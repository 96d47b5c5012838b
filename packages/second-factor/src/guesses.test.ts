/** Guesses of a code from many addresses: few are looked at (RFC 4226 §7.3, ASVS 6.6.3). The long form runs in `npm run test:all`. */
import { attempts } from "@cardea/attempts";
import { describe, expect, it } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { codeOf, enrol, ORIGIN, startApplication } from "../test/open-application.ts";
import { secondFactor } from "./index.ts";

const GUESSES = isLong ? 1_000_000 : 200;
const ADDRESSES = isLong ? 1_000 : 50;
const INTERVALS = 2;
const AT_ONCE = 50;

const always = { require: () => "always" as const };

describe.each([
  ["its own limit", []],
  ["@cardea/attempts", [attempts({ client: { hops: 1 } })]],
] as const)("guesses of a code, with %s", (_name, others) => {
  it(`of ${GUESSES} from ${ADDRESSES} addresses five are looked at in five minutes, and the owner's device has a budget of its own`, {
    timeout: 7_200_000,
  }, async () => {
    // Its store is made with the clock of the test: the long form takes longer than an interval.
    const app = startApplication(always, { extensions: [secondFactor(always), ...others] });
    const owner = app.newBrowser();
    const { secret } = await enrol(app, owner);
    await owner.send("/auth/signout");
    app.clock.advance({ seconds: 600 });
    let lookedAt = 0;
    for (let interval = 0; interval < INTERVALS; interval++) {
      const stranger = app.newBrowser();
      await stranger.signIn();
      const { csrfToken } = await (await stranger.browser.fetch("/auth/csrf")).json();
      const cookie = stranger.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
      const guess = async (n: number) => {
        const headers = {
          cookie: cookie.join("; "),
          "content-type": "application/x-www-form-urlencoded",
          "x-auth-return-redirect": "1",
          "x-forwarded-for": `10.${n % 250}.${Math.floor(n / 250) % Math.ceil(ADDRESSES / 250)}.1`,
        };
        // Never a code: one that is right by chance would end the test.
        const body = new URLSearchParams({ csrfToken, code: `x${n}` });
        const answer = await app.handle(new Request(`${ORIGIN}/auth/factor/totp`, { method: "POST", headers, body }));
        if (answer.status === 401) lookedAt++;
        else expect(answer.status).toBe(429);
      };
      const each = GUESSES / INTERVALS;
      for (let n = 0; n < each; n += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => guess(n + i)));
      expect(lookedAt).toBeLessThanOrEqual(5 * (interval + 1));
      expect(stranger.hasSession()).toBe(false);
      if (interval === INTERVALS - 1) break;
      // Of two intervals beside each other the limits of @cardea/attempts may let fewer through.
      app.clock.advance({ seconds: 601 });
    }
    console.info(
      `guesses of a code: ${GUESSES} from ${ADDRESSES} addresses in ${INTERVALS} intervals, ${lookedAt} looked at`,
    );
    expect(lookedAt, "the limit ends").toBeGreaterThan(5);
    await owner.signIn();
    const answer = await owner.send("/auth/factor/totp", { code: codeOf(secret, app.now()) });
    // Only @cardea/attempts knows devices; without it the owner waits as well, and gets in afterwards.
    if (others.length > 0) return expect(answer.status).toBe(200);
    expect(answer.status).toBe(429);
    app.clock.advance({ seconds: 301 });
    expect((await owner.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
  });
});
