import { type SecurityFact, type Tools, toError } from "@cardea/extend";
import type { Settings } from "./options.ts";
import { sendLater } from "./send.ts";

type Added = Extract<SecurityFact, { kind: "method.added" | "method.removed" | "method.renamed" }>;

/**
 * Tells the owner of an account that a way to sign in was added, wherever that was: on the account page, the sign-in page or in the
 * application (ASVS 6.3.7). Without `AUTH_URL` nothing is sent, because nothing else says which host the message is about.
 */
export function notifyOfMethod(settings: Settings, t: Tools, { userId, method, provider }: Added): void {
  const { fixedUrl: baseUrl } = t;
  if (baseUrl === undefined || settings.mail === undefined) return;
  const name = t.signInMethods.find(({ id }) => id === provider)?.name ?? provider;
  const what = method === "account" ? name : settings.texts.passkey;
  const work = async () => {
    try {
      const user = await t.callAdapter("getUser", userId);
      sendLater(settings, t, { kind: "method-added", to: user?.email ?? null, baseUrl, what });
    } catch (error) {
      t.logger.error(toError(error));
    }
  };
  settings.after(work());
}
