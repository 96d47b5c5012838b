import { type AuthConfig, createAuth } from "@cardea/core";
import { CredentialsSignin } from "@cardea/core/errors";
import { createBrowser } from "@cardea/testing";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import DefaultExport, { Credentials } from "./index.ts";

const USER = { id: "7", name: "Ann", email: "ann@example.com" };
const FIELDS = { username: { label: "User name" }, password: { label: "Password", type: "password" } };

class TooManyTries extends CredentialsSignin {
  override code = "too-many-tries";
}

/** A browser on an engine with these providers, and what the engine had to say. */
function open(...providers: AuthConfig["providers"]) {
  const logger = { error: vi.fn(), warn: vi.fn(), debug: vi.fn() };
  const secret = "a secret of more than thirty-two bytes for tests";
  const { handlers } = createAuth({ secret, trustHost: true, logger, providers });
  const browser = createBrowser(handlers.GET, { follow: "same-origin" });
  const submit = async (fields: Record<string, string>, id = "credentials") =>
    browser.submit(await browser.navigate(`/auth/signin/${id}?callbackUrl=/auth/session`), {
      action: `/auth/callback/${id}`,
      fields,
    });
  return { browser, submit, logger };
}

describe("Credentials()", () => {
  it("is a provider of type credentials, with a name and fields for the sign-in page", async () => {
    const { browser } = open(Credentials({ credentials: FIELDS, authorize: () => USER }));
    const page = await (await browser.navigate("/auth/signin")).text();
    expect(page).toMatch(/<label for="([^"]+)">User name<\/label>\s*<input id="\1" name="username" type="text"/);
    expect(page).toMatch(
      /<label for="([^"]+)">Password<\/label>\s*<div class="secret"><input id="\1" name="password" type="password"/,
    );
    expect(await (await browser.fetch("/auth/providers")).json()).toMatchObject([
      { id: "credentials", name: "Credentials", type: "credentials" },
    ]);
    expect(DefaultExport).toBe(Credentials);
  });

  it("signs in whom authorize() returns, from its own fields and a request that can be read", async () => {
    const authorize = vi.fn(async (_credentials: object, request: Request) => {
      expect((await request.formData()).get("username")).toBe(" Ann ");
      return USER;
    });
    const { submit } = open(Credentials({ credentials: FIELDS, authorize }));
    const session = await submit({ username: " Ann ", password: "p\u00e4ss\u{1F511}", admin: "true" });
    expect(await session.json()).toMatchObject({ user: { name: "Ann", email: "ann@example.com" } });
    expect(authorize.mock.calls[0]?.[0]).toEqual({ username: " Ann ", password: "p\u00e4ss\u{1F511}" });
  });

  it("types the fields that authorize() gets", () => {
    type Options = Parameters<typeof Credentials<typeof FIELDS>>[0];
    type Given = Parameters<NonNullable<Options["authorize"]>>[0];
    expectTypeOf<Given>().toEqualTypeOf<Partial<Record<"username" | "password", unknown>>>();
  });

  it("rejects every sign-in without authorize(), as in a configuration for middleware", async () => {
    const { submit } = open(Credentials({ type: "credentials", credentials: FIELDS }));
    const answer = await submit({ username: "Ann", password: "x" });
    expect(new URL(answer.url).searchParams.get("error")).toBe("CredentialsSignin");
  });

  const refusals: [string, () => Promise<null>, string][] = [
    ["null", async () => null, "credentials"],
    ["a throw of CredentialsSignin", () => Promise.reject(new CredentialsSignin()), "credentials"],
    ["a throw of a subclass", () => Promise.reject(new TooManyTries()), "too-many-tries"],
  ];
  it.each(refusals)("leads back to the sign-in page after %s, with a code", async (_name, authorize, code) => {
    const { browser, submit, logger } = open(Credentials({ credentials: FIELDS, authorize }));
    const page = await submit({ username: "Ann", password: "wrong" });
    const { pathname, searchParams } = new URL(page.url);
    expect([pathname, searchParams.get("error"), searchParams.get("code")]).toEqual([
      "/auth/signin",
      "CredentialsSignin",
      code,
    ]);
    expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
    expect(logger.warn).toHaveBeenCalledOnce();
    expect(logger.error).not.toHaveBeenCalled();
  });

  it.each([
    ["throws something else", () => Promise.reject(new Error("the database said hunter2"))],
    ["returns a user without an id", () => ({ name: "Ann" })],
  ])("shows a problem of the server when authorize() %s, and nothing of it", async (_name, authorize) => {
    const { submit, logger } = open(Credentials({ credentials: FIELDS, authorize }));
    const page = await submit({ username: "Ann", password: "right" });
    expect(new URL(page.url).searchParams.get("error")).toBe("Configuration");
    expect(await page.text()).not.toContain("hunter2");
    expect(logger.error).toHaveBeenCalledOnce();
  });

  it("can be there several times, by different ids and names", async () => {
    const staff = Credentials({ id: "staff", name: "Staff card", credentials: { card: {} }, authorize: () => USER });
    const guests = Credentials({ credentials: FIELDS, authorize: () => null });
    const { submit } = open(staff, guests);
    expect(new URL((await submit({ username: "x", password: "x" })).url).searchParams.get("error")).not.toBeNull();
    expect(await (await submit({ card: "1" }, "staff")).json()).toMatchObject({ user: { name: "Ann" } });
  });
});
