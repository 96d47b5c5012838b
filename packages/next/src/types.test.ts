import { join } from "node:path";
import type { SessionOf } from "@cardea/client/react";
import type { SessionFirst, SignInContext } from "@cardea/core";
import type { NextRequest } from "next/server.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import { compileProject } from "../../testing/src/compile-project.ts";
import { createAuth, type NextAuth, type NextAuthRequest, type Session, type SignInOptions } from "./index.ts";

const secret = "a secret of more than thirty-two bytes for tests";

const typed = () =>
  createAuth({
    secret,
    providers: [],
    callbacks: {
      session: ({ session, token }) => ({ expires: session.expires, id: token.sub ?? "", roles: ["reader"] as const }),
      authorized: ({ auth, request }) => {
        expectTypeOf(auth).toEqualTypeOf<Mine | null>();
        expectTypeOf(request).toEqualTypeOf<NextRequest>();
        return true;
      },
    },
  });

interface Mine {
  expires: string;
  id: string;
  roles: readonly ["reader"];
}

type Typed = ReturnType<typeof typed>;

describe("createAuth()", () => {
  it("knows the session that callbacks.session makes, in every form", () => {
    const use = async ({ auth, unstable_update }: Typed, ...[req, res]: Parameters<Typed["auth"] & PagesForm>) => {
      expectTypeOf(await auth()).toEqualTypeOf<Mine | null>();
      expectTypeOf(await auth(req, res)).toEqualTypeOf<Mine | null>();
      expectTypeOf(await auth({ req, res })).toEqualTypeOf<Mine | null>();
      const passOn = (...args: [] | [req: typeof req, res: typeof res]) => auth(...args);
      expectTypeOf(await passOn()).toEqualTypeOf<Mine | null>();
      expectTypeOf(await unstable_update({ name: "Ann" })).toEqualTypeOf<Mine | null>();
      auth((request) => {
        expectTypeOf(request.auth).toEqualTypeOf<Mine | null>();
        expectTypeOf(request).toExtend<NextAuthRequest<Mine>>();
      });
      expectTypeOf<SessionOf<typeof auth>>().toEqualTypeOf<Mine>();
    };
    expect(use).toBeTypeOf("function");
  });

  it("says what signing in and out resolves to: nothing, a URL, or either where `redirect` is only known at run time", () => {
    const use = ({ signIn, signOut }: NextAuth, redirect: boolean) => {
      expectTypeOf(signOut()).resolves.toBeNever();
      expectTypeOf(signOut({ redirect: true })).resolves.toBeNever();
      expectTypeOf(signOut({ redirect: false })).resolves.toEqualTypeOf<string>();
      expectTypeOf(signOut({ redirect })).resolves.toBeAny();
      expectTypeOf(signIn("op", { redirect: false })).resolves.toEqualTypeOf<string>();
      expectTypeOf(signIn("op", { redirect })).resolves.toBeAny();
    };
    expect(use).toBeTypeOf("function");
  });

  it("knows it as well where authorized stands first, and gives that one what every session has", () => {
    const before = () =>
      createAuth({
        secret,
        providers: [],
        callbacks: {
          authorized: ({ auth, request }) => {
            expectTypeOf(auth).toEqualTypeOf<Session | null>();
            expectTypeOf(request).toEqualTypeOf<NextRequest>();
            return auth !== null;
          },
          session: ({ session, token }) => ({ ...session, id: token.sub ?? "" }),
        },
      });
    const lazily = () =>
      createAuth(async (request) => ({
        secret,
        providers: [],
        callbacks: {
          authorized: ({ auth }) => auth?.user !== undefined || request === undefined,
          session: async ({ session, token }) => ({ ...session, id: token.sub ?? "" }),
        },
      }));
    expectTypeOf<SessionOf<ReturnType<typeof before>["auth"]>["id"]>().toEqualTypeOf<string>();
    expectTypeOf(lazily).returns.toEqualTypeOf<ReturnType<typeof before>>();
    expect([before, lazily]).toHaveLength(2);
  });

  it("refuses own data among the options of signIn, which a visitor may have sent", () => {
    expectTypeOf<Parameters<NextAuth["signIn"]>[3]>().toEqualTypeOf<SignInContext | undefined>();
    expectTypeOf<{ context: { plan: string } }>().not.toExtend<SignInOptions>();
    expectTypeOf<{ context: string; plan: object }>().toExtend<SignInOptions>();
  });

  it("refuses an authorized that would read what session does not make", () => {
    expectTypeOf<SessionFirst<Mine, Mine>>().toBeUnknown();
    expectTypeOf<SessionFirst<Session & { id: string }, Session>>().toBeUnknown();
    expectTypeOf<SessionFirst<{ id: string }, Session>>().toEqualTypeOf<{
      readonly callbacks: { readonly authorized: "Write callbacks.session before callbacks.authorized" };
    }>();
  });

  it("has Session where nothing else is said", () => {
    expectTypeOf(() => createAuth({ secret, providers: [] })).returns.toEqualTypeOf<NextAuth<Session>>();
    expectTypeOf(() => createAuth((_request) => ({ providers: [] }))).returns.toEqualTypeOf<NextAuth<Session>>();
    expectTypeOf<SessionOf<NextAuth["auth"]>>().toEqualTypeOf<Session>();
  });

  it("infers it from a function, too", () => {
    const lazy = () =>
      createAuth(async (request) => {
        expectTypeOf(request).toEqualTypeOf<NextRequest | undefined>();
        return { secret, providers: [], callbacks: { session: () => ({ id: "7" }) } };
      });
    expectTypeOf(lazy).returns.toEqualTypeOf<NextAuth<{ id: string }>>();
  });

  it("makes an auth that can be exported as middleware", () => {
    const middleware = (auth: Typed["auth"]) => (request: NextRequest) => auth(() => undefined)(request, {});
    expectTypeOf(middleware).returns.returns.resolves.toEqualTypeOf<Response>();
  });

  it("lets an application augment Session, User and JWT, and emit declarations without any", async () => {
    const { output, declarations } = await compileProject(join(import.meta.dirname, "../test/consumer"), "auth.ts");
    expect(output).toBe("");
    expect(declarations).toMatch(/auth: import\("@cardea\/next"\)\.AuthFunction<\{/);
    expect(declarations).toContain("id: string;");
    expect(declarations).toContain('plan?: "free" | "paid" | undefined;');
    expect(declarations).not.toMatch(/\bany\b|node_modules|packages\//);
  });

  it("lets an application augment modules that it does not import", async () => {
    const { output, declarations } = await compileProject(join(import.meta.dirname, "../test/augmenting"), "auth.ts");
    expect(output).toBe("");
    expect(declarations).toContain('role: "reader" | "writer";');
  });
});

type PagesForm = (
  request: import("node:http").IncomingMessage,
  response: import("node:http").ServerResponse,
) => Promise<unknown>;
