import { describe, expect, it, vi } from "vitest";
import { Password } from "./index.ts";

/** Options as a program without types gives them. */
const given = (options: object) => () => Password(options as never);

describe("Password()", () => {
  it.each([
    [{ pages: { reset: "/\t/evil.example" } }, "reset"],
    [{ pages: { reset: "https://evil.example/reset" } }, "reset"],
    [{ pages: { forgot: "/forgot" } }, "forgot"],
    [{ breached: true }, "breached"],
    [{ rule: { minimum: 20 } }, "minimum"],
    [{ register: { verify: "later" } }, "verify"],
  ])("refuses %j, which would not mean what it looks like", (options, name) => {
    expect(given(options)).toThrow(`\`${name}\``);
  });

  it.each([
    [{}, undefined, ["password-no-mail"]],
    [{ mail: () => {} }, undefined, []],
    [{ register: false } as const, undefined, []],
    [{}, "development", []],
  ])("warns that users cannot register without `mail`: %j, NODE_ENV %s", (options, env, codes) => {
    vi.stubEnv("NODE_ENV", env);
    const { warnings = [] } = Password(options).extension ?? {};
    vi.unstubAllEnvs();
    expect(Object.values(warnings).map((warning) => warning.split(":")[0])).toEqual(codes);
  });
});
