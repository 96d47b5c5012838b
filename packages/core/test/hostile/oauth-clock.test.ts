import { createClock } from "@cardea/testing";
import { describe, it } from "vitest";
import { type Case, installClock, setUp } from "../harness/harness.ts";
import { attempt, expectNoSignIn, expectSignedIn } from "../harness/oauth-journeys.ts";

/** A case whose provider's clock is off by so many seconds. */
function withSkew(seconds: number): Case {
  const clock = installClock();
  const theirs = createClock(clock.now() + seconds * 1000);
  return setUp({ op: { now: theirs.now } });
}

describe("the provider's clock", () => {
  it.each([0, 45, -45, 60])("H330 R29 signs in when the provider's clock is %i seconds off", async (seconds) => {
    const c = withSkew(seconds);
    await expectSignedIn(c, await attempt(c));
  });

  it.each([61, 600, -600])("H330 R29 refuses when the provider's clock is %i seconds off", async (seconds) => {
    const c = withSkew(seconds);
    await expectNoSignIn(c, await attempt(c));
  });

  it("H330 takes a token of a clock that is ahead though it says from when on it counts", async () => {
    for (const [seconds, isTaken] of [
      [45, true],
      [60, true],
      [61, false],
    ] as const) {
      const c = withSkew(0);
      c.op.script = { idToken: { claims: { set: { nbf: Math.floor(Date.now() / 1000) + seconds } } } };
      const visit = await attempt(c);
      if (isTaken) await expectSignedIn(c, visit);
      else await expectNoSignIn(c, visit);
    }
  });

  it("H330 takes a token that was dated back by five minutes, as Microsoft Entra does", async () => {
    const c = withSkew(-45);
    c.op.script = { idToken: { claims: { shift: { iat: -300, exp: 3600 } } } };
    await expectSignedIn(c, await attempt(c));
  });
});
