import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const V5 = { next: "15.0.0", "next-auth": "5.0.0-beta.32" };

function move(text: string, path = "/code.tsx") {
  const manifest = JSON.stringify({ dependencies: V5 });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      [path, text],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return { text: result.files.get(path) ?? text, lines: result.report.map(({ what }) => what), added: result.added };
}

describe("moveImports()", () => {
  it("renames one type of an import and writes out another", () => {
    const { text } = move(`import type { ClientSafeProvider, LiteralUnion } from "next-auth/react";
type Providers = Record<LiteralUnion<"a", string>, ClientSafeProvider> | null;
`);
    expect(text).toBe(`import type { PublicProvider } from "@cardea/next/react";
type Providers = Record<string, PublicProvider> | null;
`);
  });

  it("imports a name once that takes the place of two", () => {
    const { text } = move(`import { type AuthOptions, type NextAuthOptions } from "next-auth";
export const one: NextAuthOptions = { providers: [] };
export const other: AuthOptions = one;
`);
    expect(text).toBe(`import { type NextAuthConfig } from "@cardea/next";
export const one: NextAuthConfig = { providers: [] };
export const other: NextAuthConfig = one;
`);
  });

  it("keeps `type` and the alias of a renamed type beside one that is written out", () => {
    const { text } =
      move(`import { type ClientSafeProvider as Provider, type LiteralUnion, signIn } from "next-auth/react";
export const a = (name: LiteralUnion<"a">, provider: Provider) => signIn(name, provider);
`);
    expect(text).toBe(`import { type PublicProvider as Provider, signIn } from "@cardea/next/react";
export const a = (name: string, provider: Provider) => signIn(name, provider);
`);
  });

  it("removes a type that was only an argument of a type that is written out, and says so", () => {
    const { text, lines, added } = move(`import type { BuiltInProviderType } from "next-auth/providers/index";
import type { LiteralUnion } from "next-auth/react";
import { signIn } from "next-auth/react";
export const a = (name: LiteralUnion<BuiltInProviderType, string>) => signIn(name);
`);
    expect(text).toBe(`import { signIn } from "@cardea/next/react";
export const a = (name: string) => signIn(name);
`);
    expect(lines).toContain("next-auth/providers/index is removed: `BuiltInProviderType` is written out where needed");
    expect(added).not.toContain("@cardea/core");
  });

  it("keeps a type that is used elsewhere as well", () => {
    const { text } = move(`import type { BuiltInProviderType } from "next-auth/providers";
import type { LiteralUnion } from "next-auth/react";
export type A = LiteralUnion<BuiltInProviderType>;
export type B = BuiltInProviderType;
`);
    expect(text).toBe(`import type { BuiltInProviderType } from "@cardea/core/providers";
export type A = string;
export type B = BuiltInProviderType;
`);
  });

  it("writes out a type inside a type that is written out", () => {
    const { text } = move(`import type { RedirectableProviderType } from "next-auth/providers";
import type { LiteralUnion } from "next-auth/react";
export type A = LiteralUnion<RedirectableProviderType>;
`);
    expect(text).toBe("export type A = string;\n");
  });

  it("writes types with the quotes of the file", () => {
    const { text, added } = move(`import type { AdapterAccountType } from 'next-auth/adapters';
import { useSession, type SessionContextValue } from 'next-auth/react';
export const type = text('type').$type<AdapterAccountType>();
export const a = (update: SessionContextValue['update']) => update(useSession());
`);
    expect(text).toBe(`import { useSession } from '@cardea/next/react';
export const type = text('type').$type<'oauth' | 'oidc' | 'email' | 'webauthn'>();
export const a = (update: ReturnType<typeof import('@cardea/next/react').useSession>['update']) => update(useSession());
`);
    expect(added).toEqual(["@cardea/next"]);
  });
});
