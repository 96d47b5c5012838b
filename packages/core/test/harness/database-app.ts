/** An application with a database and e-mail sign-in for the hostile cases. Test-only. */

import { customFetch, type EmailProvider } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { createMemoryAdapter, createScriptedProvider, type MemoryAdapter, type Visit } from "@cardea/testing";
import type { CaseOptions } from "./fixture.ts";
import { BASE, type Case, setUp } from "./harness.ts";

/** How a case differs. */
export interface DatabaseOptions extends CaseOptions {
  readonly strategy?: "jwt" | "database";
  readonly memory?: MemoryAdapter;
  readonly email?: Partial<EmailProvider>;
}

/** A case with a database. */
export interface DatabaseCase extends Case {
  readonly memory: MemoryAdapter;
  /** The links that were mailed, oldest first. */
  readonly mails: string[];
  /** Types an address into the sign-in page. */
  ask(email: string): Promise<Visit>;
  /** Opens the newest link, or the given one. */
  open(link?: string): Promise<Visit>;
  /** Signs out through the form. */
  signOut(): Promise<Visit>;
}

/** Starts a case whose application has an adapter in memory and the providers `op`, `credentials` and `email`. */
export function setUpDatabase(options: DatabaseOptions = {}): DatabaseCase {
  const { strategy = "database", memory = createMemoryAdapter(), email, config, providers = [], ...rest } = options;
  const mails: string[] = [];
  const provider: EmailProvider = {
    id: "email",
    name: "E-mail",
    type: "email",
    sendVerificationRequest: ({ url }) => void mails.push(url),
    ...email,
  };
  const session: AuthConfig["session"] = { strategy, ...config?.session };
  const app = setUp({
    ...rest,
    providers: [provider, ...providers],
    config: { adapter: memory.adapter, ...config, session },
  });
  return {
    ...app,
    memory,
    mails,
    ask: (address) => app.post(`${BASE}/signin/email`, { email: address, callbackUrl: "/" }),
    open: (link = mails.at(-1) ?? "") => app.browser.navigate(link),
    signOut: () => app.post(`${BASE}/signout`),
  };
}

/** A second OpenID Provider for the same application, under the id `op2`. */
export function secondProvider(overrides: object = {}) {
  const op = createScriptedProvider({ issuer: "https://op2.example.com", clientSecret: "canary-client-secret-of-op2" });
  const { issuer, clientId, clientSecret } = op;
  const provider = {
    id: "op2",
    name: "Second",
    type: "oidc",
    issuer,
    clientId,
    clientSecret,
    [customFetch]: op.fetch,
  } as const;
  return { op, provider: { ...provider, ...overrides }, routes: { [op.issuer]: op.handler } };
}

/** Signs in at a provider by the application's own button, all redirects followed: what is unknown is added to the user of a session. */
export async function signInByApplication(app: Case, id: string, callbackUrl = "/"): Promise<Visit> {
  const form = { csrfToken: await app.csrfToken(), callbackUrl };
  return app.browser.navigate(`${BASE}/signin/${id}`, { form, follow: "all" });
}
