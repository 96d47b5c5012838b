// Providers that an application makes itself, and options of others.
import type {
  CredentialsConfig,
  EmailUserConfig,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
} from "@cardea/core/providers";
import type { NextAuthConfig } from "@cardea/next";
import Credentials from "@cardea/providers-credentials";
import GitHub from "@cardea/providers-github";
import Google from "@cardea/providers-google";

// 60. Providers as functions.
interface Member {
  id: number;
  login: string;
  avatar: string | null;
}
export function Club<P extends Member>(options: OAuthUserConfig<P> & { host?: string }): OAuthConfig<P> {
  const { host = "https://club.example", ...rest } = options;
  return {
    id: "club",
    name: "Club",
    type: "oauth",
    authorization: `${host}/authorize?scope=read`,
    token: { url: `${host}/token` },
    userinfo: {
      url: `${host}/me`,
      async request({ tokens, provider }) {
        const headers = { authorization: `Bearer ${tokens.access_token}` };
        return (await fetch(`${host}/me?client=${provider.clientId}`, { headers })).json();
      },
    },
    profile(profile) {
      return { id: profile.id.toString(), name: profile.login, image: profile.avatar, email: null, role: "reader" };
    },
    checks: ["pkce", "state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    options: rest as OAuthUserConfig<P>,
  };
}
export const Company = (
  options: OIDCUserConfig<{ sub: string; groups: string[] }>,
): OIDCConfig<{ sub: string; groups: string[] }> => ({
  id: "company",
  name: "Company",
  type: "oidc",
  issuer: "https://company.example",
  profile: ({ sub, groups }) => ({ id: sub, role: groups[0] ?? "reader" }),
  options,
});
export const mailer = (options: EmailUserConfig) => options.from;

// 61. Options of providers, as applications write them.
export const configured: NextAuthConfig["providers"] = [
  Club({ clientId: process.env.CLUB_ID, clientSecret: process.env.CLUB_SECRET }),
  Company({ clientId: "c", clientSecret: "s" }),
  GitHub({
    clientId: process.env.GITHUB_ID as string,
    clientSecret: process.env.GITHUB_SECRET as string,
    authorization: { params: { scope: "read:user user:email" } },
    profile(profile) {
      return { id: profile.id.toString(), name: profile.name ?? profile.login, email: profile.email, role: "reader" };
    },
  }),
  Google({
    async profile(profile) {
      return {
        id: profile.sub,
        name: `${profile.given_name} ${profile.family_name}`,
        image: profile.picture,
        role: "reader",
      };
    },
    account(tokens) {
      return { access_token: tokens.access_token, expires_at: tokens.expires_at };
    },
  }),
  ...(process.env.NODE_ENV === "development" ? [Credentials({ authorize: () => ({ id: "dev", role: "admin" }) })] : []),
];
export const pin = {
  id: "pin",
  type: "credentials",
  name: "PIN",
  credentials: { pin: { label: "PIN", type: "password" } },
  authorize: async (credentials) => (credentials.pin === "1" ? { id: "1", role: "reader" } : null),
} satisfies CredentialsConfig;
