import { afterEach, describe, expect, it, vi } from "vitest";
import type { AuthResult } from "../model/result.ts";
import { toResponse } from "./to-response.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** As some servers replace `Response`: it keeps the headers that it is given, and sending it changes them. */
class KeepingResponse {
  readonly #given: Headers | Record<string, string>;

  constructor(_body: unknown, { headers }: { readonly headers: Headers | Record<string, string> }) {
    this.#given = headers;
  }

  get headers(): Headers {
    return this.#given instanceof Headers ? this.#given : new Headers(this.#given);
  }

  send(): void {
    if (this.#given instanceof Headers) this.#given.set("content-length", "7");
    else this.#given["content-length"] = "7";
  }
}

const cookie = { name: "session", value: "of-ann", options: { path: "/" } } as const;
const results: readonly AuthResult[] = [
  { kind: "json", status: 200, body: null },
  { kind: "json", status: 503, body: null, headers: { "retry-after": "5" } },
  { kind: "redirect", url: "https://app.example.com/" },
  { kind: "empty", status: 200 },
  { kind: "script", body: "", maxAge: 60 },
];

const responseTo = (result: AuthResult, cookies: readonly (typeof cookie)[]) =>
  toResponse(result, {
    cookies,
    theme: {},
    texts: {},
    formTargets: [],
    origin: "",
    returnRedirect: false,
  });

describe("toResponse()", () => {
  it.each([
    ["the runtime's Response", Response],
    ["a Response that keeps the headers it is given", KeepingResponse],
  ])("with %s, passes nothing of one response to the next", async (_name, type) => {
    vi.stubGlobal("Response", type);
    for (const result of results) {
      const [before, first] = [await responseTo(result, []), await responseTo(result, [cookie])];
      const sent = [...before.headers];
      if (first instanceof KeepingResponse) first.send();
      first.headers.append("set-cookie", "session=of-ann");
      expect([...(await responseTo(result, [])).headers], result.kind).toEqual(sent);
    }
  });

  it("keeps every response out of caches but the script, which is the same for everyone", async () => {
    for (const result of results) {
      const { headers } = await responseTo(result, [cookie]);
      expect(headers.get("cache-control")).toMatch(result.kind === "script" ? /^public/ : /^private,.* no-store$/);
      expect(headers.getSetCookie()).toEqual(result.kind === "script" ? [] : ["session=of-ann; Path=/"]);
    }
  });
});
