import { expect, it } from "vitest";
import { takeCookies } from "./take-cookies.ts";

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
