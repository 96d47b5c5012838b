import { vi } from "vitest";

/** What a browser is asked: `navigator.credentials.get` or `.create`. */
interface Question {
  readonly kind: "get" | "create";
  readonly options: CredentialRequestOptions & CredentialCreationOptions;
}

/** An authenticator that a test answers for. */
export interface Authenticator {
  /** What was asked so far. */
  readonly questions: Question[];
  /** Resolves when so many questions were asked. */
  asked(count: number): Promise<void>;
  /** The passkeys that the page has said to forget. */
  readonly forgotten: unknown[];
  /** What the page has said about all passkeys of a user, and about the user. */
  readonly told: unknown[];
  /** Answers every question from now on; a question without an answer waits until it is aborted. */
  answer(with_: "credential" | Error): void;
}

/** Gives the page of a test what browsers have for passkeys; without conditional UI where `canOffer` is false, and with all signals where `canTell` is true. */
export function stubAuthenticator({ canOffer = true, canTell = false } = {}): Authenticator {
  const questions: Question[] = [];
  const forgotten: unknown[] = [];
  const told: unknown[] = [];
  let given: "credential" | Error | undefined;
  const ask = (kind: Question["kind"]) => (options: Question["options"]) => {
    questions.push({ kind, options });
    if (given === "credential") return Promise.resolve(makeCredential(kind));
    if (given !== undefined) return Promise.reject(given);
    return new Promise((_, reject) => {
      options.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
  };
  const methods = {
    isConditionalMediationAvailable: async () => canOffer,
    getClientCapabilities: async () => ({ conditionalCreate: canOffer }),
    signalUnknownCredential: async (one: unknown) => void forgotten.push(one),
    ...(canTell && {
      signalAllAcceptedCredentials: async (one: unknown) => void told.push(one),
      signalCurrentUserDetails: async (one: unknown) => void told.push(one),
    }),
  };
  vi.stubGlobal(
    "PublicKeyCredential",
    Object.assign(() => undefined, methods),
  );
  const credentials = { get: ask("get"), create: ask("create") };
  Object.defineProperty(navigator, "credentials", { value: credentials, configurable: true });
  return {
    questions,
    forgotten,
    told,
    asked: async (count) => {
      while (questions.length < count) await new Promise((resolve) => setImmediate(resolve));
    },
    answer: (with_) => {
      given = with_;
    },
  };
}

/** As much of a credential as is sent. */
function makeCredential(kind: Question["kind"]) {
  const bytes = (text: string) => new TextEncoder().encode(text).buffer;
  const own =
    kind === "get"
      ? { authenticatorData: bytes("a"), signature: bytes("s"), userHandle: bytes("u") }
      : { attestationObject: bytes("o"), getTransports: () => ["internal"] };
  return {
    id: "aWQ",
    rawId: bytes("id"),
    type: "public-key",
    authenticatorAttachment: "platform",
    getClientExtensionResults: () => ({}),
    response: { clientDataJSON: bytes("{}"), ...own },
  };
}
