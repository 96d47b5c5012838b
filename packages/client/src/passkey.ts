import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  getBrowserCapabilities,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import type { follow, Redirection } from "./redirection.ts";
import type { SendForm } from "./send-form.ts";
import { forgetPasskey, signalPasskeys } from "./signal-passkeys.ts";
import type { Answer, Transport } from "./transport.ts";
import type { PasskeyFailure, PasskeyRegisterOptions, PasskeyResponse, PasskeySignInOptions } from "./types.ts";

export { signalPasskeys };

/** The two passkey operations. */
export type PasskeyAction = "authenticate" | "register";

/** The server's options for the browser (docs/behaviour.md#actions). */
type Ceremony =
  | { readonly action: "authenticate"; readonly options: PublicKeyCredentialRequestOptionsJSON }
  | { readonly action: "register"; readonly options: PublicKeyCredentialCreationOptionsJSON };

/** An operation, and the authenticator's response. */
interface Answered {
  readonly ceremony: Ceremony;
  readonly data: { readonly id: string; readonly response: object };
}

/** Milliseconds after which autofill requests a new challenge; challenges are valid for 15 minutes. */
const RENEW_AFTER = 10 * 60 * 1000;

/** Browsers use no delay at all instead of a longer one, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/**
 * Browser errors, and their meaning (WebAuthn L3 §5.1.3, §5.1.4). Password managers and the services of a device have others, which are
 * `UnknownError` to {@link answer}.
 */
const FAILURES: Readonly<Record<string, PasskeyFailure>> = {
  AbortError: "Aborted",
  // Another script of the page is waiting for an answer.
  OperationError: "Aborted",
  NotAllowedError: "Cancelled",
  TimeoutError: "TimedOut",
  SecurityError: "NotSupported",
  ConstraintError: "NoAuthenticator",
  NotSupportedError: "NoAuthenticator",
  UnknownError: "NoAuthenticator",
  InvalidStateError: "AlreadyRegistered",
  ClientFetchError: "ClientFetchError",
};

/**
 * Performs a passkey operation, from the options to the redirect. Rejects only for mistakes of the page. The other parts of
 * the client are passed in, so that loading this file duplicates none of them.
 */
export async function runPasskey(
  get: Transport["get"],
  send: SendForm,
  go: typeof follow,
  action: PasskeyAction,
  options: PasskeySignInOptions & PasskeyRegisterOptions = {},
): Promise<PasskeyResponse> {
  const { provider = "passkey", signal, timeout, autofill = false, conditional = false, redirect, ...rest } = options;
  const { redirectTo, callbackUrl, ...typed } = rest;
  const mediation = conditional ? "conditional" : undefined;
  const path = `webauthn-options/${provider}?${queryOf({ ...typed, mediation, action })}`;
  const turn = startTurn(signal);
  const ask = async () => parseCeremony(await get(path, turn.signal));
  try {
    if (!(await canAsk(autofill, conditional))) return failed("NotSupported");
    const waiting = autofill
      ? offer(ask, turn.signal)
      : ask().then((ceremony) => answer(ceremony, conditional, turn.signal, timeout));
    const { ceremony, data } = await orReason(waiting, turn.signal);
    const fields = { action: ceremony.action, data: JSON.stringify(data), redirectTo, callbackUrl };
    const redirection = await send("callback", `/${provider}`, { ...fields, redirect });
    if (redirection.ok) await signalPasskeys(get, { provider }, handleOf({ ceremony, data }));
    else await forgetRejected({ ceremony, data }, redirection);
    go(redirection, redirect);
    return toResponse(redirection);
  } catch (error) {
    return parseFailure(error);
  } finally {
    turn.end();
  }
}

/** Ends the previous call: browsers perform one operation at a time, whichever client of the page starts it. */
let endPrevious: () => void = () => undefined;

/** A signal for one call, aborted by the caller's signal or by the next call, also while the options are being fetched. */
function startTurn(given: AbortSignal | undefined): { readonly signal: AbortSignal; readonly end: () => void } {
  endPrevious();
  const turn = new AbortController();
  const abort = () => turn.abort(given?.reason);
  endPrevious = abort;
  if (given?.aborted) abort();
  given?.addEventListener("abort", abort);
  return { signal: turn.signal, end: () => given?.removeEventListener("abort", abort) };
}

function queryOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

async function canAsk(autofill: boolean, conditional: boolean): Promise<boolean> {
  if (!browserSupportsWebAuthn()) return false;
  if (conditional) return (await getBrowserCapabilities()).conditionalCreate === "supported";
  return !autofill || browserSupportsWebAuthnAutofill();
}

/** Offers passkeys through autofill until one is chosen, with a new challenge before the current one expires. */
async function offer(ask: () => Promise<Ceremony>, signal: AbortSignal): Promise<Answered> {
  for (;;) {
    await untilSeen(signal);
    try {
      return await answer(await ask(), true, signal, RENEW_AFTER);
    } catch (error) {
      if (nameOf(error) !== "TimeoutError") throw error;
    }
  }
}

/** Resolves when the page becomes visible, or when `signal` is aborted. */
async function untilSeen(signal: AbortSignal): Promise<void> {
  while (document.visibilityState === "hidden" && !signal.aborted) {
    await new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
      signal.addEventListener("abort", resolve, { once: true });
    });
  }
}

/**
 * Prompts the user through the browser, until they respond, `signal` is aborted, or the time is over.
 *
 * @param isConditional whether the browser decides when to ask: passkey autofill, or a passkey beside a password.
 */
async function answer(
  ceremony: Ceremony,
  isConditional: boolean,
  signal: AbortSignal,
  timeout = ceremony.options.timeout,
): Promise<Answered> {
  signal.throwIfAborted();
  let isLate = false;
  const begun = performance.now();
  const stop = () => WebAuthnAbortService.cancelCeremony();
  const expire = () => {
    isLate = true;
    stop();
  };
  // Without a limit, or with one beyond what timers can hold, the browser's own applies. JSON has null for an infinite one.
  const limit = Number(timeout) > 0 ? Number(timeout) : Number.POSITIVE_INFINITY;
  const timer = limit <= MAX_DELAY ? setTimeout(expire, limit) : undefined;
  signal.addEventListener("abort", stop);
  try {
    const waiting = start(ceremony, isConditional);
    // The call first awaits the browser's capabilities: an earlier abort would not have reached it.
    if (isConditional && ceremony.action === "authenticate")
      browserSupportsWebAuthnAutofill().then(() => signal.aborted && stop());
    return { ceremony, data: await waiting };
  } catch (error) {
    // Browsers have their own time limit, and report it as `NotAllowedError`.
    const isTheirs = nameOf(error) === "NotAllowedError" && performance.now() - begun >= limit;
    if (isLate || isTheirs) throw new DOMException("The prompt timed out.", "TimeoutError");
    throw isOfPage(error, ceremony, isConditional) || Object.hasOwn(FAILURES, nameOf(error))
      ? error
      : new DOMException("The authenticator failed.", "UnknownError");
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** Whether the page, and not the device, is the cause: it passed something invalid, or has no field for autofill. */
function isOfPage(error: unknown, { action }: Ceremony, isConditional: boolean): boolean {
  const needsField = isConditional && action === "authenticate";
  return (
    error instanceof TypeError || (needsField && document.querySelector("input[autocomplete$='webauthn']") === null)
  );
}

function start({ action, options: optionsJSON }: Ceremony, isConditional: boolean): Promise<Answered["data"]> {
  return action === "register"
    ? startRegistration({ optionsJSON, useAutoRegister: isConditional })
    : startAuthentication({ optionsJSON, useBrowserAutofill: isConditional });
}

/** If `signal` ended a call, it counts as aborted, regardless of its own outcome. */
async function orReason<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    if (!signal.aborted) throw error;
    const name = nameOf(signal.reason) === "TimeoutError" ? "TimeoutError" : "AbortError";
    throw new DOMException("The page aborted the request.", name);
  }
}

/** The user handle of the passkey, as the browser has it. */
function handleOf({ ceremony, data }: Answered): string | undefined {
  // A cast: only the response of an authentication has one.
  const { userHandle } = data.response as { readonly userHandle?: string | undefined };
  return ceremony.action === "register" ? ceremony.options.user.id : userHandle;
}

/**
 * Has the device forget a passkey that no user has: a new one whose address belongs to another user, or one that was removed. Any other
 * error may have come after the passkey was stored: deleting it would lock the user out.
 */
async function forgetRejected({ ceremony, data }: Answered, { error, code }: Redirection): Promise<void> {
  const { action, options } = ceremony;
  const isRejected = action === "register" ? error === "OAuthAccountNotLinked" : code === "unknown-credential";
  if (isRejected) await forgetPasskey(action === "register" ? options.rp.id : options.rpId, data.id);
}

function toResponse({ ok, status, url, error = "", code }: Redirection): PasskeyResponse {
  return ok ? { ok, status, url } : { ok, error: "Refused", reason: error, code, status, url: null };
}

function failed(error: PasskeyFailure, status = 0): PasskeyResponse {
  return { ok: false, error, status, url: null };
}

/** Converts an error to a result by its name. Other errors are mistakes of the page and rethrown. */
function parseFailure(error: unknown): PasskeyResponse {
  const name = nameOf(error);
  const failure = Object.hasOwn(FAILURES, name) ? FAILURES[name] : undefined;
  if (failure === undefined) throw error;
  return failed(failure, (error as { readonly status?: number }).status);
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : "";
}

/** @throws ClientFetchError if the server returned something else. */
function parseCeremony({ status, body }: Answer): Ceremony {
  const { action, options } = (body ?? {}) as Partial<Ceremony>;
  const isKnown = action === "authenticate" || action === "register";
  if (status < 400 && isKnown && options?.challenge !== undefined) return body as Ceremony;
  throw Object.assign(new Error("The server returned no passkey options."), { name: "ClientFetchError", status });
}
