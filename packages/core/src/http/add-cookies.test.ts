import { describe, expect, it } from "vitest";
import type { Cookie } from "../model/result.ts";
import { addCookies, addNodeCookies, keepPrivate, type NodeAnswer, takeCookies, withCookies } from "./add-cookies.ts";

const cookie = (name: string, value = "ours"): Cookie => ({ name, value, options: {} });
const PRIVATE = "private, no-cache, no-store";
/** What an application may have said to the caches of everyone. */
const FOR_EVERYONE = {
  "cache-control": "public, s-maxage=600",
  "cdn-cache-control": "max-age=600",
  "vercel-cdn-cache-control": "max-age=600",
  "Cloudflare-CDN-Cache-Control": "max-age=600",
  "surrogate-control": "max-age=600",
  "x-theirs": "1",
};

/** An answer as Node's servers write it. */
function nodeAnswer(given: Readonly<Record<string, string | readonly string[]>>) {
  const headers = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const answer: NodeAnswer = {
    getHeader: (name) => headers.get(name),
    getHeaderNames: () => [...headers.keys()],
    setHeader: (name, value) => headers.set(name, value),
    removeHeader: (name) => void headers.delete(name),
  };
  return { answer, headers: () => Object.fromEntries(headers) };
}

describe("keepPrivate()", () => {
  it("leaves nothing that a shared cache could go by (H351)", () => {
    const headers = new Headers(FOR_EVERYONE);
    keepPrivate(headers);
    expect(Object.fromEntries(headers)).toEqual({ "cache-control": PRIVATE, "x-theirs": "1" });
  });
});

describe("addCookies()", () => {
  it("adds to the cookies that are there, in place of those of the same name, parts included", () => {
    const headers = new Headers(FOR_EVERYONE);
    for (const line of ["theirs=1", "s=old", "s.0=old", "s.1=old", "s.old=2"]) headers.append("set-cookie", line);
    addCookies(headers, { cookies: [cookie("s.0"), cookie("s.1"), cookie("s", "")] });
    expect(headers.getSetCookie()).toEqual(["theirs=1", "s.old=2", "s.0=ours", "s.1=ours", "s="]);
    expect([headers.get("cache-control"), headers.has("cdn-cache-control")]).toEqual([PRIVATE, false]);
  });

  it("keeps the lines that one name has for several domains, in their order", () => {
    const cookies = [{ ...cookie("s", ""), options: { domain: "example.com" } }, cookie("s", ""), cookie("s.0")];
    const headers = new Headers({ "set-cookie": "s=old" });
    for (let n = 0; n < 2; n++) addCookies(headers, { cookies }, headers);
    const { answer, headers: written } = nodeAnswer({ "set-cookie": "s=old" });
    addNodeCookies(answer, { cookies });
    const lines = ["s=; Domain=example.com", "s=", "s.0=ours"];
    expect([headers.getSetCookie(), written()["set-cookie"]]).toEqual([lines, lines]);
    expect(withCookies(new Response(null), { cookies }).headers.getSetCookie()).toEqual(lines);
  });

  it("changes nothing where there are none", () => {
    const headers = new Headers(FOR_EVERYONE);
    addCookies(headers, { cookies: [] });
    expect([...headers]).toEqual([...new Headers(FOR_EVERYONE)]);
  });
});

describe("addCookies() for a page that a session admitted", () => {
  it.each([
    ["", "private"],
    ["public, max-age=60", "private"],
    ["private, no-store", "private, no-store"],
    ["no-store", "no-store"],
    ["private, max-age=0", "private, max-age=0"],
    ["x-no-store, max-age=60", "private"],
  ])("makes %j %j: a stricter value stays", (before, after) => {
    const headers = new Headers(before === "" ? {} : { "cache-control": before });
    addCookies(headers, { cookies: [], kind: "allow", session: { user: {} } });
    expect(headers.get("cache-control")).toBe(after);
  });
});

describe("withCookies()", () => {
  it("leaves the last word to the answer", async () => {
    const given = new Response("text", { status: 201, statusText: "Made", headers: FOR_EVERYONE });
    given.headers.append("set-cookie", "s.0=; Max-Age=0");
    const answer = withCookies(given, { cookies: [cookie("s"), cookie("other")] });
    expect(answer.headers.getSetCookie()).toEqual(["other=ours", "s.0=; Max-Age=0"]);
    expect([answer.status, answer.statusText, await answer.text()]).toEqual([201, "Made", "text"]);
    expect(answer.headers.get("surrogate-control")).toBeNull();
  });

  it("leaves the answer to a WebSocket handshake as it is", () => {
    const upgraded = Object.defineProperty(new Response(null), "status", { value: 101 });
    expect(withCookies(upgraded, { cookies: [cookie("s")] })).toBe(upgraded);
  });

  it("can add to an answer that may not be changed", () => {
    const redirect = Response.redirect("https://app.example.com/");
    expect(withCookies(redirect, { cookies: [cookie("s")] }).headers.getSetCookie()).toEqual(["s=ours"]);
    expect(withCookies(redirect, { cookies: [] })).toBe(redirect);
  });
});

describe("addNodeCookies()", () => {
  it("does the same for an answer of Node's, with cookies and with lines that are written already", () => {
    const { answer, headers } = nodeAnswer({ ...FOR_EVERYONE, "set-cookie": ["theirs=1", "s.1=old"] });
    addNodeCookies(answer, { cookies: [cookie("s"), "t=2; Path=/"] });
    const lines = ["theirs=1", "s=ours", "t=2; Path=/"];
    expect(headers()).toEqual({ "cache-control": PRIVATE, "x-theirs": "1", "set-cookie": lines });
  });

  it("takes one cookie for a list, and changes nothing where there are none", () => {
    const { answer, headers } = nodeAnswer({ "set-cookie": "theirs=1" });
    addNodeCookies(answer, { cookies: [] });
    expect(headers()).toEqual({ "set-cookie": "theirs=1" });
    addNodeCookies(answer, { cookies: ["t=2"] });
    expect(headers()).toMatchObject({ "set-cookie": ["theirs=1", "t=2"] });
  });
});

it("takeCookies() takes every cookie off a response, and leaves the rest as it is", async () => {
  const headers = new Headers([
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2; Path=/"],
    ["x-other", "kept"],
  ]);
  const { response, cookies } = takeCookies(new Response("body", { status: 401, headers }));
  expect(cookies).toEqual(["a=1", "b=2; Path=/"]);
  expect([response.status, response.headers.getSetCookie(), response.headers.get("x-other")]).toEqual([
    401,
    [],
    "kept",
  ]);
  expect(await response.text()).toBe("body");
});
