/** Codes of makers that share no code with each other, nor but for the first with the check, are right, and only those of their time. */
import { execFileSync } from "node:child_process";
import { totpCode } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { codeOf, enrol, startApplication } from "../test/open-application.ts";

/** Of OATH Toolkit, in C. Set by tools/test.mjs; a run of single files takes the one on PATH, and fails without. */
const OATHTOOL = process.env.OATHTOOL_PATH ?? "oathtool";
const without = Boolean(process.env.CARDEA_TEST_WITHOUT_OATHTOOL);

type Maker = (secret: string, seconds: number) => string | Promise<string>;

const MAKERS: Readonly<Record<string, Maker>> = {
  "otpauth 9": codeOf,
  "@cardea/testing": (secret, seconds) => totpCode(secret, seconds * 1000),
  oathtool: (secret, seconds) =>
    execFileSync(OATHTOOL, ["--totp", "--base32", `--now=@${seconds}`, secret], { encoding: "utf8" }).trim(),
};

describe("codes made by", () => {
  it.for(Object.entries(MAKERS))("%s", async ([name, make], { skip }) => {
    skip(name === "oathtool" && without, "oathtool is not installed");
    const app = startApplication({ require: () => "always" });
    const { secret } = await enrol(app, app.newBrowser());
    // Ten steps apart, at the first and at the last second of a step.
    for (const seconds of [300, 29, 301, 29]) {
      app.clock.advance({ seconds });
      const ann = app.newBrowser();
      await ann.signIn();
      const early = await make(secret, app.now() + 60);
      expect((await ann.send("/auth/factor/totp", { code: early })).status, "not yet").toBe(401);
      const code = await make(secret, app.now());
      const { status } = await ann.send("/auth/factor/totp", { code });
      expect([code, status]).toEqual([code, 200]);
      app.clock.advance({ seconds: 301 });
    }
  });
});
