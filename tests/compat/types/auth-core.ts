// Core, its bindings, providers and adapters of one's own and of npm.
import FormerCredentials from "@auth/core/providers/credentials";
import FormerGitHub from "@auth/core/providers/github";
import FormerGoogle from "@auth/core/providers/google";
import FormerResend from "@auth/core/providers/resend";
import { UnstorageAdapter } from "@auth/unstorage-adapter";
import {
  Auth,
  type AuthConfig,
  createActionURL,
  createAuth,
  customFetch,
  isAuthAction,
  raw,
  setEnvDefaults,
  skipCSRFCheck,
} from "@cardea/core";
import type { Adapter, AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from "@cardea/core/adapters";
import { AuthError, CredentialsSignin } from "@cardea/core/errors";
import { decode, encode, type JWT, type JWTOptions } from "@cardea/core/jwt";
import type {
  AppProviders,
  BuiltInProviderType,
  CredentialsConfig,
  EmailConfig,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  Provider,
} from "@cardea/core/providers";
import type {
  Account,
  Awaitable,
  CallbacksOptions,
  DefaultSession,
  DefaultUser,
  Profile,
  Session,
  User,
} from "@cardea/core/types";
import Nodemailer from "@cardea/providers-email";
import type { Storage } from "unstorage";

// 46. Providers of @auth/core, as they come from npm.
export const providers: AppProviders = [
  FormerGitHub,
  FormerGoogle({ clientId: "id", clientSecret: "secret" }),
  FormerResend({ from: "a@example.com", apiKey: "key" }),
  FormerCredentials({
    name: "Password",
    credentials: { username: { label: "Name", type: "text", placeholder: "ann" }, password: { type: "password" } },
    async authorize(credentials, request) {
      if (credentials.password !== "x") throw new CredentialsSignin();
      return { id: String(request.headers.get("x-id")), name: String(credentials.username) };
    },
  }),
];

// 47. An adapter of npm.
declare const storage: Storage;
export const stored = createAuth({ adapter: UnstorageAdapter(storage), providers });

// 48. An adapter of one's own, as a function and as an object.
export function MyAdapter(store: Map<string, AdapterUser>): Adapter {
  return {
    async createUser(user) {
      store.set(user.id, user);
      return user;
    },
    async getUser(id) {
      return store.get(id) ?? null;
    },
    async getUserByEmail(email) {
      return [...store.values()].find((user) => user.email === email) ?? null;
    },
    async linkAccount(account: AdapterAccount) {
      return account;
    },
    async createSession(session: AdapterSession) {
      return session;
    },
    async useVerificationToken({ identifier, token }): Promise<VerificationToken | null> {
      return { identifier, token, expires: new Date() };
    },
    async deleteSession() {},
  };
}
export const changed: Adapter = {
  ...MyAdapter(new Map()),
  async getUser() {
    return null;
  },
};

// 49. Providers of one's own.
interface ExampleProfile extends Record<string, unknown> {
  uid: string;
  full_name: string;
}
export function Example(options: OAuthUserConfig<ExampleProfile>): OAuthConfig<ExampleProfile> {
  return {
    id: "example",
    name: "Example",
    type: "oauth",
    authorization: { url: "https://example.com/authorize", params: { scope: "profile" } },
    token: "https://example.com/token",
    userinfo: "https://example.com/userinfo",
    profile: (profile) => ({ id: profile.uid, name: profile.full_name, role: "reader" }),
    style: { brandColor: "#123456" },
    options,
  };
}
export const oidc: OIDCConfig<Profile> = { id: "o", name: "O", type: "oidc", issuer: "https://o.example" };
export const oauth2: OAuth2Config<ExampleProfile> = {
  ...{ id: "p", name: "P", type: "oauth", [customFetch]: fetch },
  userinfo: {
    url: "https://p.example",
    request: async ({ tokens }: { tokens: { access_token?: string } }) => ({ sub: tokens.access_token }),
  },
};
export const list: Provider[] = [Example({}), Example, oidc, oauth2];
export const inline: AuthConfig = {
  providers: [
    {
      id: "in",
      name: "In",
      type: "oidc",
      issuer: "https://in.example",
      profile: (profile) => ({ id: profile.sub as string, role: "x" }),
    },
    Nodemailer({ server: process.env.EMAIL_SERVER, from: process.env.EMAIL_FROM }),
  ],
};
export const credentials: CredentialsConfig<{ pin: { label: string } }> = {
  ...{ id: "pin", name: "PIN", type: "credentials", credentials: { pin: { label: "PIN" } } },
  authorize: ({ pin }) => (pin === "1" ? { id: "1", role: "reader" } : null),
};
export const email: EmailConfig = {
  ...{ id: "mail", name: "Mail", type: "email", maxAge: 600 },
  async sendVerificationRequest({ identifier, url, provider, theme }) {
    await fetch("https://mail.example", {
      method: "POST",
      body: JSON.stringify({ identifier, url, from: provider.from, theme }),
    });
  },
};
export const all: AuthConfig["providers"] = [credentials, email, () => credentials];

// 50. Types by their names.
export const button = (id: BuiltInProviderType): string => id;
export const callbacks: Partial<CallbacksOptions<ExampleProfile, Account>> = {
  signIn: async ({ profile }) => profile?.uid !== "0",
  jwt: async ({ token }) => token,
};
export interface Member extends DefaultUser, Pick<User, "role"> {
  since: Date;
}
export type Named = DefaultSession["user"];
export const later: Awaitable<Session | null> = null;

// 51. Tokens made and read elsewhere.
export const jwt: Partial<JWTOptions> = {
  async encode(params) {
    return encode(params);
  },
  async decode({ token, secret, salt }): Promise<JWT | null> {
    return token ? decode({ token, secret, salt }) : null;
  },
};

// 52. A binding by another user.
export async function bind(request: Request, config: AuthConfig): Promise<unknown> {
  setEnvDefaults(process.env, config);
  const [action = ""] = new URL(request.url).pathname.slice((config.basePath ?? "").length + 1).split("/");
  if (!isAuthAction(action)) return undefined;
  const url = createActionURL("session", "https", request.headers, process.env, config);
  const session = await (await Auth(new Request(url, { headers: request.headers }), config)).json();
  try {
    const { cookies = [], redirect } = await Auth(request, { ...config, raw, skipCSRFCheck });
    return [session, redirect, cookies.map(({ name, value, options }) => [name, value, options.httpOnly])];
  } catch (error) {
    if (error instanceof AuthError) return error.type;
    throw error;
  }
}
