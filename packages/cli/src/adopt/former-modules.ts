/** Modules of the former library, and their replacements. Providers and database adapters have separate rules. */
const NEXT: Readonly<Record<string, string>> = {
  "next-auth": "@cardea/next",
  "next-auth/next": "@cardea/next",
  "next-auth/middleware": "@cardea/bridge-authjs/middleware",
  "next-auth/react": "@cardea/next/react",
  "next-auth/webauthn": "@cardea/next/react",
  "next-auth/jwt": "@cardea/next/jwt",
  "next-auth/adapters": "@cardea/core/adapters",
  "next-auth/providers": "@cardea/core/providers",
  "next-auth/providers/index": "@cardea/core/providers",
  "next-auth/core/types": "@cardea/core/types",
  "next-auth/package.json": "@cardea/next/package.json",
  "next-auth/core/errors": "@cardea/core/errors",
  "next-auth/lib": "@cardea/next",
  "next-auth/lib/index": "@cardea/next",
};

const OTHERS: Readonly<Record<string, string>> = {
  "@auth/express": "@cardea/express",
  "@auth/express/adapters": "@cardea/core/adapters",
  "@auth/express/providers": "@cardea/core/providers",
  "@hono/auth-js": "@cardea/hono",
  "@hono/auth-js/react": "@cardea/client/react",
  "@auth/sveltekit": "@cardea/sveltekit",
  "@auth/express/package.json": "@cardea/express/package.json",
  "@auth/sveltekit/package.json": "@cardea/sveltekit/package.json",
  "@auth/sveltekit/adapters": "@cardea/core/adapters",
  "@auth/sveltekit/providers": "@cardea/core/providers",
  "@auth/core": "@cardea/core",
  "@auth/core/jwt": "@cardea/core/jwt",
  "@auth/core/errors": "@cardea/core/errors",
  "@auth/core/types": "@cardea/core/types",
  "@auth/core/adapters": "@cardea/core/adapters",
  "@auth/core/providers": "@cardea/core/providers",
  "@auth/core/providers/index": "@cardea/core/providers",
};

/** The replacement for a module of the former library; undefined for modules that are kept or have a separate rule. */
export function successorOf(specifier: string): string | undefined {
  const module = withoutFolder(specifier);
  return NEXT[module] ?? OTHERS[module];
}

/** What the report says of a replacement, beside its name. */
export const REMARKS: Readonly<Record<string, string>> = {
  "@cardea/bridge-authjs/middleware":
    "it decides as before, but compares paths that need no session by segments (docs/from-nextauth.md#with-auth)",
};

/** `next-auth/lib` of `node_modules/next-auth/lib`, which editors write for types that a package does not export. */
export function withoutFolder(specifier: string): string {
  return specifier.replace(/^[./]*node_modules\//, "");
}

/** The new name. `inline`: the type is inserted at each use. */
export type RenamedName = { readonly name: string } | { readonly inline: string };

const OAUTH_TYPES = '"oauth" | "oidc" | "email" | "webauthn"';

/** Names that the replacement module exports under another name, or not at all. By replacement module. */
export const RENAMED: Readonly<Record<string, Readonly<Record<string, RenamedName>>>> = {
  "@cardea/next": {
    NextAuthOptions: { name: "NextAuthConfig" },
    AuthOptions: { name: "NextAuthConfig" },
    MissingSecret: { name: "MissingSecretError" },
    OAuthAccountNotLinked: { name: "AccountNotLinked" },
    ISODateString: { inline: "string" },
    SessionStrategy: { inline: '"jwt" | "database"' },
  },
  "@cardea/next/react": {
    SignInAuthorizationParams: { name: "AuthorizationParams" },
    ClientSafeProvider: { name: "PublicProvider" },
    LiteralUnion: { inline: "string" },
    SessionContextValue: { inline: 'ReturnType<typeof import("@cardea/next/react").useSession>' },
  },
  "@cardea/core/adapters": { AdapterAccountType: { inline: OAUTH_TYPES } },
  "@cardea/core/types": { ISODateString: { inline: "string" } },
  "@cardea/core/errors": {
    MissingSecret: { name: "MissingSecretError" },
    OAuthAccountNotLinked: { name: "AccountNotLinked" },
  },
  "@cardea/core/providers": { OAuthProviderType: { inline: "string" }, RedirectableProviderType: { inline: "string" } },
};
