import type { Account, AuthConfig, User } from "@cardea/core";
import { createConfigResolver, issueSession } from "@cardea/core/operations";

/** A cookie in the format of browser automation tools, such as `context.addCookies()` of Playwright. */
export interface TestCookie {
  /** The full name, prefix included. */
  readonly name: string;
  /** As sent over the wire: not decoded. */
  readonly value: string;
  /** The page that the cookie is for. */
  readonly url: string;
  /** Whether scripts of the page cannot read it. */
  readonly httpOnly: boolean;
  /** Whether it is sent over https only. */
  readonly secure: boolean;
  /** Whether requests from other sites carry it (RFC 6265bis §5.6.7). */
  readonly sameSite: "Lax" | "Strict" | "None";
}

/** Options of {@link createTestSession}. */
export interface TestSessionOptions {
  /** The public URL of the application under test; default `http://localhost:3000`. */
  readonly url?: string;
  /** Default: a user named Test User with the id `test-user`. */
  readonly user?: User;
  /** The account used to sign in; default: a credentials account with the user's id. */
  readonly account?: Account;
}

/** A session for a test of an application. */
export interface TestSession {
  /** For a browser. */
  readonly cookies: readonly TestCookie[];
  /** For a request: the value of its `Cookie` header. */
  readonly header: string;
}

const SAME_SITE = { lax: "Lax", strict: "Strict", none: "None" } as const;

/**
 * Creates a session without a sign-in, using the application's configuration and callbacks, so that tests of protected
 * pages do not have to click through a provider.
 *
 * @param config The application's configuration, with the same secret.
 * @throws Error if NODE_ENV is production.
 */
export async function createTestSession<S>(
  config: AuthConfig<S>,
  options: TestSessionOptions = {},
): Promise<TestSession> {
  if (process.env.NODE_ENV === "production") {
    throw new Error(
      "createTestSession() creates sessions without authentication. It refuses to run with NODE_ENV=production.",
    );
  }
  const { url = "http://localhost:3000", user = { name: "Test User", email: "test@example.com" } } = options;
  const id = user.id ?? "test-user";
  const resolved = await createConfigResolver(config, "/auth")();
  // Without a database, the id of a provider's user begins with the provider.
  const [name = "", ...own] = id.split("|");
  const issuer = resolved.providers.get(name);
  const provided =
    issuer?.kind === "oauth" && own.length > 0 ? issuer : { id: "credentials", type: "credentials" as const };
  const { provider, type } = { provider: provided.id, type: provided.type };
  const account = options.account ?? { provider, type, providerAccountId: type === "credentials" ? id : own.join("|") };
  const headers = new Headers({ host: new URL(url).host });
  const issued = await issueSession(resolved, { url, headers }, { user: { ...user, id }, account });
  // Without the mark that scripts read: a page that was just opened has nothing to compare it with.
  const cookies = issued.cookies.filter(({ options: attributes }) => attributes.httpOnly === true);
  return {
    cookies: cookies.map(({ name, value, options: attributes }) => ({
      name,
      value,
      url,
      httpOnly: true,
      secure: attributes.secure === true,
      sameSite: typeof attributes.sameSite === "string" ? SAME_SITE[attributes.sameSite] : "Lax",
    })),
    header: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
  };
}
