import type { Seconds, Tools } from "@cardea/extend";

/** Checks whether a password was breached. `unknown`: the service was unavailable. */
export type BreachedCheck = (password: string, t: Pick<Tools, "note">) => Promise<"breached" | "unseen" | "unknown">;

/** Options of {@link pwned}. */
export interface PwnedOptions {
  /** Timeout of the request; default `"1s"`. */
  readonly timeout?: Seconds | `${number}s`;
  /** Whether a new password is accepted while the service is unavailable; default `"accept"`. */
  readonly onError?: "accept" | "refuse";
  /** URL of a self-hosted copy of the service; default `https://api.pwnedpasswords.com`. */
  readonly url?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A padded response has about 40 kB. */
const MAX_CHARACTERS = 512 * 1024;

/**
 * Checks with Have I Been Pwned whether a password appeared in a data breach (ASVS 6.2.12). Only the first five of the
 * forty hexadecimal characters of its SHA-1 are sent, and the response is padded, so that its size reveals nothing
 * (https://haveibeenpwned.com/API/v3#PwnedPasswords).
 */
export function pwned(options: PwnedOptions = {}): BreachedCheck {
  const { timeout = "1s", onError = "accept", url = "https://api.pwnedpasswords.com", fetch: call = fetch } = options;
  const seconds = typeof timeout === "number" ? timeout : Number.parseFloat(timeout);
  if (!(seconds > 0 && seconds <= 10))
    throw new TypeError('pwned(): `timeout` must be between 0 and 10 seconds, such as "1s".');
  return async (password, t) => {
    const hash = await sha1(password);
    try {
      const answer = await call(`${url}/range/${hash.slice(0, 5)}`, {
        headers: { "add-padding": "true" },
        redirect: "error",
        signal: AbortSignal.timeout(seconds * 1000),
      });
      if (!answer.ok) throw new Error(`the service returned status ${answer.status}`);
      return isListed(await answer.text(), hash.slice(5)) ? "breached" : "unseen";
    } catch (error) {
      t.note({ kind: "password.unchecked", why: String(error) });
      return onError === "accept" ? "unseen" : "unknown";
    }
  };
}

/** Lines of `<rest of the hash>:<count>`; padding has the count 0. */
function isListed(text: string, rest: string): boolean {
  if (text.length > MAX_CHARACTERS) throw new Error("the response is too long");
  return text.split(/\r?\n/).some((line) => line.slice(0, 35) === rest && Number(line.slice(36)) > 0);
}

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}
