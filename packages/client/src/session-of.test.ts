import { join } from "node:path";
import type { AuthFunction, Session } from "@cardea/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { compileProject } from "../../testing/src/compile-project.ts";
import * as entry from "./index.ts";
import type * as react from "./react.ts";
import type { SessionOf } from "./session-of.ts";

interface Member {
  readonly id: string;
  readonly role: "reader" | "writer";
}

/** The forms of a binding for pages, route handlers and middleware. */
interface ManyForms {
  (): Promise<Member | null>;
  (request: Request, response: Response): Promise<Member | null>;
  (context: { readonly req: Request }): Promise<Member | null>;
  (handler: (request: Request) => Response): (request: Request) => Promise<Response>;
  (request: Request, event: { waitUntil(promise: Promise<unknown>): void }): Promise<Response | undefined>;
}

describe("SessionOf", () => {
  it("finds the session of a server's auth", () => {
    expectTypeOf<SessionOf<AuthFunction<Member>>>().toEqualTypeOf<Member>();
    expectTypeOf<SessionOf<AuthFunction>>().toEqualTypeOf<Session>();
    expectTypeOf<SessionOf<ManyForms>>().toEqualTypeOf<Member>();
    expectTypeOf<SessionOf<() => Promise<Member | null>>>().toEqualTypeOf<Member>();
  });

  it("is the session itself where it is given", () => {
    expectTypeOf<SessionOf<Member>>().toEqualTypeOf<Member>();
    expectTypeOf<SessionOf<Session>>().toEqualTypeOf<Session>();
  });
});

describe("the types of the entries", () => {
  it("have Session where nothing else is said", () => {
    expectTypeOf(entry.getSession).returns.resolves.toEqualTypeOf<Session | null>();
    expectTypeOf(entry.createClient().getSession).returns.resolves.toEqualTypeOf<Session | null>();
    expectTypeOf<typeof react.useSession>().returns.toHaveProperty("data").toEqualTypeOf<Session | null>();
  });

  it("carry the session of auth to every call", () => {
    const { getSession } = entry.createClient<AuthFunction<Member>>();
    expectTypeOf(getSession).returns.resolves.toEqualTypeOf<Member | null>();
    type Client = ReturnType<typeof react.createClient<AuthFunction<Member>>>;
    expectTypeOf<Client["useSession"]>().returns.toHaveProperty("data").toEqualTypeOf<Member | null>();
    expectTypeOf<Client["useSession"]>()
      .returns.toHaveProperty("update")
      .returns.resolves.toEqualTypeOf<Member | null>();
    expectTypeOf<Client["SessionProvider"]>()
      .parameter(0)
      .toHaveProperty("session")
      .toEqualTypeOf<Member | null | undefined>();
  });

  it("tell the states of the hook apart", () => {
    type Hook = react.UseSession<Member>;
    const read = (hook: Hook) => {
      const free = hook();
      expectTypeOf(free.status).toEqualTypeOf<"authenticated" | "unauthenticated" | "loading">();
      if (free.status === "authenticated") expectTypeOf(free.data).toEqualTypeOf<Member>();
      else expectTypeOf(free.data).toEqualTypeOf<null>();
      const required = hook({ required: true, onUnauthenticated: () => undefined });
      expectTypeOf(required.status).toEqualTypeOf<"authenticated" | "loading">();
      expectTypeOf(hook({ required: false })).toEqualTypeOf(free);
    };
    expect(read).toBeTypeOf("function");
  });

  it("resolve to what happened only with redirect: false", () => {
    type SignIn = (typeof entry)["signIn"];
    type SignOut = (typeof entry)["signOut"];
    const call = (signIn: SignIn, signOut: SignOut, redirect: boolean) => {
      expectTypeOf(signIn()).resolves.toEqualTypeOf<void>();
      expectTypeOf(signIn("credentials", { password: "?", redirectTo: "/" })).resolves.toEqualTypeOf<void>();
      expectTypeOf(signIn("op", { redirect: true }, { prompt: "login" })).resolves.toEqualTypeOf<void>();
      expectTypeOf(signIn("credentials", { redirect: false })).resolves.toEqualTypeOf<entry.SignInResponse>();
      // biome-ignore lint/suspicious/noConfusingVoidType: the answer, or nothing
      expectTypeOf(signIn("op", { redirect })).resolves.toEqualTypeOf<entry.SignInResponse | void>();
      expectTypeOf(signOut()).resolves.toEqualTypeOf<void>();
      expectTypeOf(signOut({ redirect: false })).resolves.toEqualTypeOf<entry.SignInResponse>();
    };
    expect(call).toBeTypeOf("function");
  });

  it("follow an application that augments Session, and let it emit declarations", async () => {
    const folder = join(import.meta.dirname, "../test/consumer");
    const { output, declarations } = await compileProject(folder, "app.ts");
    expect(output).toBe("");
    expect(declarations).toContain("useId(): string | undefined");
    expect(declarations).not.toMatch(/\bany\b/);
  });
});
