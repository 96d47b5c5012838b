import { createAuth } from "@cardea/next";
import { Credentials } from "@cardea/providers-credentials";
import { Nodemailer } from "@cardea/providers-email";
import { Passkey } from "@cardea/providers-webauthn";
import { authConfig, type MemberSession } from "@/auth.config";
import { adapter, findByEmail, renameUser } from "@/lib/database";
import { findEmailByPassword } from "@/lib/passwords";

/** Everything about signing in, in one place. Secrets and addresses are in the environment. */
export const { handlers, auth, signIn, signOut, unstable_update } = createAuth<MemberSession>({
  ...authConfig,
  adapter,
  experimental: { enableWebAuthn: true },
  providers: [
    // AUTH_LOCAL_ISSUER, AUTH_LOCAL_ID and AUTH_LOCAL_SECRET say where it is, and who we are there.
    { id: "local", name: "Local Provider", type: "oidc" },
    // Devices know it by the host in AUTH_URL, so that there are no passkeys at an IP address.
    Passkey({ relayingParty: { name: "The Blue Room" } }),
    Nodemailer({
      server: process.env.SMTP_URL ?? "smtp://127.0.0.1:25",
      from: "The Blue Room <door@blue-room.example>",
    }),
    Credentials({
      credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
      authorize: async ({ username, password }) => {
        const email = await findEmailByPassword(String(username), String(password));
        return email === null ? null : findByEmail(email);
      },
    }),
  ],
  callbacks: {
    ...authConfig.callbacks,
    jwt: async ({ token, account, trigger, session }) => {
      if (account) return { ...token, signedInWith: account.provider };
      const name = trigger === "update" ? parseName(session) : undefined;
      if (name === undefined) return token;
      await renameUser(String(token.sub), name);
      return { ...token, name };
    },
  },
});

/** The data of an update comes from a browser: only a name of a sensible length counts. */
function parseName(data: unknown): string | undefined {
  const name = typeof data === "object" && data !== null && "name" in data ? data.name : undefined;
  return typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 60) : undefined;
}
