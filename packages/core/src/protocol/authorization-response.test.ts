import { describe, expect, it } from "vitest";
import { parseAuthorizationResponse } from "./authorization-response.ts";

const parse = (query: string) => parseAuthorizationResponse(new URLSearchParams(query));

describe("parseAuthorizationResponse()", () => {
  it("reads a code and its state, and keeps the parameters that it does not know", () => {
    const response = parse("code=C&state=S&iss=https%3A%2F%2Fop.example.com&x=1");
    expect(response).toMatchObject({ kind: "code", state: "S" });
    expect(response.kind === "code" && Object.fromEntries(response.params)).toEqual({
      code: "C",
      state: "S",
      iss: "https://op.example.com",
      x: "1",
    });
  });

  it.each(["code", "state", "iss", "error", "error_description", "error_uri", "session_state"])(
    "rule 1: refuses a repeated %s, the same value included",
    (name) => {
      const response = parse(`code=C&state=S&iss=I&${name}=1&${name}=1`);
      expect(response).toMatchObject({ kind: "invalid" });
    },
  );

  it("rule 1: takes neither of two states", () => {
    expect(parse("code=C&state=S&state=EVIL")).toMatchObject({ kind: "invalid", state: null });
  });

  it("rule 1: keeps the one state beside a repeated code, so that its sign-in can be ended", () => {
    expect(parse("code=C&code=D&state=S")).toMatchObject({ kind: "invalid", state: "S" });
  });

  it("rule 1: does not mind a repeated parameter that means nothing", () => {
    expect(parse("code=C&state=S&x=1&x=2")).toMatchObject({ kind: "code" });
  });

  it("rule 2: is an error with `error`, whatever else is there", () => {
    expect(parse("error=server_error&error_description=down&code=C&state=S")).toEqual({
      kind: "error",
      state: "S",
      error: "server_error",
      description: "down",
    });
  });

  it("rule 2: is an error with an empty `error`, too", () => {
    expect(parse("error=&code=C&state=S")).toMatchObject({ kind: "error", error: "", description: "" });
  });

  it("rule 2: has no state where the provider sent none", () => {
    expect(parse("error=server_error")).toMatchObject({ kind: "error", state: null });
  });

  it.each(["access_token", "id_token", "token_type", "refresh_token", "vp_token", "response"])(
    "rule 3: refuses %s beside the code, empty or not, and keeps the state so that the sign-in ends",
    (name) => {
      for (const value of ["", "x", "bearer"]) {
        expect(parse(`code=C&state=S&${name}=${value}`)).toMatchObject({ kind: "invalid", state: "S" });
        expect(parse(`error=access_denied&state=S&${name}=${value}`)).toMatchObject({ kind: "error" });
      }
    },
  );

  it("rule 3: minds no parameter that providers add to a code", () => {
    const added = "scope=openid&authuser=0&hd=x&prompt=none&session_state=s&device_id=d&expires_in=600&type=code_v2";
    expect(parse(`code=C&state=S&${added}`)).toMatchObject({ kind: "code" });
  });

  it.each([
    ["state missing", "code=C"],
    ["state empty", "code=C&state="],
    ["code missing", "state=S"],
    ["code empty", "code=&state=S"],
    ["both missing", ""],
    ["code with NUL", "code=a%00b&state=S"],
    ["code with a line break", "code=a%0Ab&state=S"],
    ["code with DEL", "code=a%7Fb&state=S"],
    ["code beyond ASCII", "code=%C3%A9&state=S"],
    ["state with NUL", "code=C&state=%00"],
  ])("rule 4: refuses %s", (_, query) => {
    expect(parse(query)).toMatchObject({ kind: "invalid" });
  });

  it.each(["code", "state"])("rule 4: takes a %s of 8192 characters and none longer", (name) => {
    const other = name === "code" ? "state" : "code";
    expect(parse(`${name}=${"x".repeat(8191)}&${other}=1`).kind).toBe("code");
    expect(parse(`${name}=${"x".repeat(8192)}&${other}=1`).kind).toBe("code");
    expect(parse(`${name}=${"x".repeat(8193)}&${other}=1`).kind).toBe("invalid");
  });

  it("rule 4: takes every visible ASCII character and the space (RFC 6749 appendix A.11)", () => {
    const visible = Array.from({ length: 0x7f - 0x20 }, (_, n) => String.fromCharCode(0x20 + n)).join("");
    expect(parse(new URLSearchParams({ code: visible, state: "S" }).toString()).kind).toBe("code");
  });

  it("knows no parameter by the name of an inherited member", () => {
    expect(parse("__proto__=x&constructor=y&toString=z")).toMatchObject({ kind: "invalid" });
  });
});
