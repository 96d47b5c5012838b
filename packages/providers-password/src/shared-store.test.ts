import { memoryStore } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const ELSEWHERE = "https://other.example.com";

/** An application at another origin, with its own users and secret, and the same store. */
function startTwo() {
  const store = memoryStore({ instances: 1 });
  const one = startApp({ config: { store } });
  const other = startApp({ config: { store, secret: "another secret of more than thirty-two bytes for tests" } });
  return { one, other, openOther: () => other.open(ELSEWHERE) };
}

describe("a link of another application with the same store", () => {
  it("resets no password", async () => {
    const { one, other, openOther } = startTwo();
    await one.register(one.open());
    const mallory = openOther();
    await other.askReset(mallory);
    expect(other.mails).toEqual([]);
    await other.register(openOther());
    await other.askReset(mallory);
    const token = new URL(other.mails.at(-1)?.url ?? "").searchParams.get("token") ?? "";
    const browser = one.open();
    const page = await browser.navigate(`${ORIGIN}/auth/reset/password?token=${token}`);
    const answer = await browser.submit(page, { action: "/auth/reset/password", fields: {} });
    expect(answer.redirectsTo).toContain("error=invalid-link");
    expect(await one.userOf(browser)).toBeNull();
    expect((await other.useLink(mallory)).redirectsTo).toContain("step=choose");
  });

  it("registers no one", async () => {
    const { one, other, openOther } = startTwo();
    await other.beginRegister(openOther(), EMAIL, OTHER);
    const token = new URL(other.mails.at(-1)?.url ?? "").searchParams.get("token") ?? "";
    const browser = one.open();
    const page = await browser.navigate(`${ORIGIN}/auth/register/password`);
    const fields = { token, password: PASSWORD };
    const answer = await browser.submit(page, { action: "/auth/register/password", fields });
    expect(answer.redirectsTo).toContain("error=invalid-link");
    expect(one.memory.snapshot().users).toEqual([]);
  });
});
