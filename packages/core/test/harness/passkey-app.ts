/** An application with passkeys for the hostile cases: a database in memory, a browser, and software authenticators. Test-only. */
import { Passkey, WebAuthn, type WebAuthnOptions } from "@cardea/providers-webauthn";
import {
  type AuthenticatorAnswer,
  type AuthenticatorOptions,
  type CreationOptions,
  createAuthenticator,
  type Manipulation,
  type RequestOptions,
  type SoftwareAuthenticator,
  type Visit,
} from "@cardea/testing";
import { type DatabaseCase, type DatabaseOptions, setUpDatabase } from "./database-app.ts";
import { BASE } from "./harness.ts";

/** How a case differs. */
export interface PasskeyCaseOptions extends DatabaseOptions {
  readonly passkey?: WebAuthnOptions;
  readonly device?: AuthenticatorOptions;
}

/** Options as `webauthn-options` answers them; of either ceremony, so that a case can mix them up. */
type AnyOptions = CreationOptions & RequestOptions & { readonly allowCredentials: { readonly id: string }[] };

/** What an answer is sent with. */
interface Sending {
  readonly id?: string;
  readonly headers?: Record<string, string>;
  readonly fields?: Record<string, unknown>;
}

/** A case with passkeys; providers `passkey` and `webauthn`. */
export interface PasskeyCase extends DatabaseCase {
  readonly authenticator: SoftwareAuthenticator;
  /** GET `webauthn-options/{id}`. */
  ask(query: string, id?: string): Promise<Visit>;
  /** The options in the answer to {@link ask}. */
  options(query: string, id?: string): Promise<AnyOptions>;
  /** POST `callback/{id}`, as a script of our page does. */
  answer(action: unknown, data: unknown, sending?: Sending): Promise<Visit>;
  /** Makes an account with a passkey. */
  register(query?: string, manipulation?: Manipulation): Promise<Visit>;
  /** Signs in with the passkey. */
  authenticate(query?: string, manipulation?: Manipulation): Promise<Visit>;
}

/** Starts a case whose application has an adapter in memory and takes passkeys. */
export function setUpPasskeys(options: PasskeyCaseOptions = {}): PasskeyCase {
  const { passkey, device, config, providers = [], ...rest } = options;
  const app = setUpDatabase({
    ...rest,
    providers: [Passkey(passkey), WebAuthn({ ...passkey, enableConditionalUI: false }), ...providers],
    config: { experimental: { enableWebAuthn: true }, ...config },
  });
  const authenticator = createAuthenticator(device);
  const ask: PasskeyCase["ask"] = (query, id = "passkey") =>
    app.browser.fetch(`${BASE}/webauthn-options/${id}?${query}`);
  const readOptions: PasskeyCase["options"] = async (query, id) => parseOptions(await (await ask(query, id)).json());
  const answer: PasskeyCase["answer"] = async (action, data, { id = "passkey", headers = {}, fields = {} } = {}) => {
    const csrfToken = await app.csrfToken();
    return app.browser.fetch(`${BASE}/callback/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-auth-return-redirect": "1", ...headers },
      body: JSON.stringify({ action, data, csrfToken, callbackUrl: "/dash", ...fields }),
    });
  };
  return {
    ...app,
    authenticator,
    ask,
    options: readOptions,
    answer,
    register: async (query = "email=ann@example.com", manipulation = {}) => {
      const asked = await readOptions(`action=register&${query}`);
      // As an authenticator that has none of the person's passkeys would.
      const data = await authenticator.create({ ...asked, excludeCredentials: [] }, manipulation);
      return answer("register", data);
    },
    authenticate: async (query = "", manipulation = {}) => {
      const asked = await readOptions(`action=authenticate&${query}`);
      return answer("authenticate", await authenticator.get(asked, manipulation));
    },
  };
}

/** An answer with some of its response replaced. */
export function withResponse(answer: AuthenticatorAnswer, changes: object): object {
  return { ...answer, response: { ...answer.response, ...changes } };
}

/** As tables made by Auth.js have it: standard base64. */
export function toStored(id: string): string {
  return Buffer.from(id, "base64url").toString("base64");
}

function parseOptions(body: unknown): AnyOptions {
  return (body as { options: AnyOptions }).options;
}
