import { account } from "@cardea/account";
import { logout } from "@cardea/logout";
import { createAuth, type Session } from "@cardea/next";
import { Credentials } from "@cardea/providers-credentials";
import { Nodemailer } from "@cardea/providers-email";
import { Password } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import { passkey, recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { vault } from "@cardea/vault";
import { adapter, findByEmail, renameUser } from "@/lib/database";
import { level } from "@/lib/levels";
import { findEmailByPassword } from "@/lib/passwords";
import { MAIL, sendMail } from "@/lib/send-mail";

/** A session of this application: what `callbacks.session` makes, and what `auth()` and `useSession()` give. */
export interface MemberSession extends Session {
  readonly userId: string;
  readonly signedInWith: string;
}

/** What strangers may see. Everything else needs a session, however its path is spelled. */
const PUBLIC = new Set(["/", "/check-mail", "/inbox"]);

/** The provider's API is on its own origin. While the application is built, there is none. */
const apis = process.env.AUTH_LOCAL_ISSUER === undefined ? [] : [new URL(process.env.AUTH_LOCAL_ISSUER).origin];

/** Everything about signing in, in one place. Secrets and addresses are in the environment. */
export const { handlers, auth, signIn, signOut, unstable_update } = createAuth<MemberSession>({
  adapter,
  session: { strategy: "jwt" },
  pages: { signIn: "/sign-in", verifyRequest: "/check-mail" },
  experimental: { enableWebAuthn: true },
  theme: { brandColor: "#1f5faa" },
  // What is pending is kept in the adapter's own store: in the tables that come with it. Tokens stay on the server, and go to the
  // provider's own API only.
  extensions: [
    secondFactor({ factors: [totp({ issuer: "The Blue Room" }), passkey(), recoveryCodes()] }),
    level,
    vault({ providers: { local: { apis } } }),
    // One page for what members manage, at `/api/auth/account`.
    account({ mail: sendMail }),
    // A sign-out ends at the provider where the member asks for it.
    logout({ provider: "never" }),
  ],
  providers: [
    // AUTH_LOCAL_ISSUER, AUTH_LOCAL_ID and AUTH_LOCAL_SECRET say where it is, and who we are there.
    {
      ...{ id: "local", name: "Local Provider", type: "oidc" },
      // With a refresh token (OpenID Connect Core §11).
      authorization: { params: { scope: "openid profile email offline_access", prompt: "consent" } },
    },
    // Devices know it by the host in AUTH_URL, so that there are no passkeys at an IP address.
    Passkey({ relayingParty: { name: "The Blue Room" } }),
    Nodemailer(MAIL),
    Credentials({
      credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
      authorize: async ({ username, password }) => {
        const email = await findEmailByPassword(String(username), String(password));
        return email === null ? null : findByEmail(email);
      },
    }),
    // Registration, reset and change with built-in pages. Beside the demo's user, so that its labels are others.
    Password({
      id: "passphrase",
      name: "a passphrase",
      mail: sendMail,
      // Nothing of the demo leaves this machine.
      breached: false,
      texts: { email: "Account address", password: "Passphrase", currentPassword: "Current passphrase" },
    }),
  ],
  callbacks: {
    session: ({ session, token }) => ({
      ...session,
      userId: String(token.sub),
      signedInWith: String(token.signedInWith),
    }),
    authorized: ({ request: { nextUrl }, auth }) => auth !== null || PUBLIC.has(nextUrl.pathname),
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
