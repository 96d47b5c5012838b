import type { Account, AuthConfig, User } from "@cardea/core";
import { createConfigResolver, issueSession } from "@cardea/core/operations";

/** A cookie as browsers' automation tools take them (`context.addCookies()` of Playwright, for one). */
export interface TestCookie {
  readonly name: string;
  readonly value: string;
  /** The page that the cookie is for. */
  readonly url: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: "Lax" | "Strict" | "None";
}

/** Who is signed in, and where. */
export interface TestSessionOptions {
  /** The public URL of the application under test; default `http://localhost:3000`. */
  readonly url?: string;
  /** Default: a person named Test User with the id `test-user`. */
  readonly user?: User;
  /** How they signed in; default a credentials account with the user's id. */
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
 * Signs a user in without a ceremony: the session is what the application's own configuration issues, its callbacks
 * included, so that a test of a members-only page need not click through a provider.
 *
 * @param config the application's own, with the same secret.
 * @throws Error in production (`NODE_ENV`), where no one may be signed in like this.
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
  const account = options.account ?? { provider: "credentials", type: "credentials", providerAccountId: id };
  const resolved = await createConfigResolver(config, "/auth")();
  const headers = new Headers({ host: new URL(url).host });
  const { cookies } = await issueSession(resolved, { url, headers }, { user: { ...user, id }, account });
  return {
    cookies: cookies.map(({ name, value, options: attributes }) => ({
      name,
      value,
      url,
      httpOnly: attributes.httpOnly === true,
      secure: attributes.secure === true,
      sameSite: typeof attributes.sameSite === "string" ? SAME_SITE[attributes.sameSite] : "Lax",
    })),
    header: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
  };
}
