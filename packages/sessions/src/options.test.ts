import { describe, expect, it } from "vitest";
import { sessions } from "./index.ts";

/** Options as a program without types gives them. */
const given = (options: object) => () => sessions(options as never);

describe("sessions()", () => {
  it.each([
    [{ limit: { perUser: 3, exceed: "Refuse" } }, "exceed"],
    [{ limit: { peruser: 3 } }, "peruser"],
    [{ atRest: "hash" }, "atRest"],
    [{ revocation: { onstale: "deny" } }, "onstale"],
    [{ devices: { ip: true } }, "ip"],
    [{ Absolute: "8h" }, "Absolute"],
  ])("refuses %j, which would not mean what it looks like", (options, name) => {
    expect(given(options)).toThrow(`\`${name}\``);
  });
});
