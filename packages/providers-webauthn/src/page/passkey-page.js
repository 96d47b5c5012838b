// The passkeys of the built-in sign-in page: what browsers can only do by a script (WebAuthn L3 §5.1.3, §5.1.4).
//
// Served as it is here, without comments and white space, by GET webauthn-script. It sends nothing but requests for options and the answer of
// the authenticator, to this site, and loads nothing. On the account page it only tells the device which passkeys the user has.
// After a change: node tools/page-scripts.mjs --write
(() => {
  /** What a browser throws, and the text that says so. */
  const TEXTS = {
    NotAllowedError: "cancelled",
    AbortError: "cancelled",
    InvalidStateError: "alreadyRegistered",
    ConstraintError: "noAuthenticator",
    NotSupportedError: "noAuthenticator",
    SecurityError: "notSupported",
  };

  /** Challenges live for 15 minutes: a page that is open for longer asks for another one before. */
  const RENEW_AFTER_MS = 10 * 60 * 1000;

  /** The ceremony under way: browsers run one at a time. */
  let current = new AbortController();

  /** Whether a button was pressed and has not had its answer. */
  let busy = false;

  /** A failure with a text of its own. */
  const problem = (text) => Object.assign(new Error(text), { text });

  const toBytes = (text) => {
    const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  };

  const toText = (buffer) => {
    const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
    return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  };

  /** Options as the server writes them (WebAuthn L3 §5.1.8, §5.1.9), as browsers of every age take them. */
  const decodeOptions = (options) => {
    const decodeAll = (list) => list?.map((one) => ({ ...one, id: toBytes(one.id) }));
    const { challenge, user, allowCredentials, excludeCredentials, ...rest } = options;
    return {
      ...rest,
      challenge: toBytes(challenge),
      ...(user && { user: { ...user, id: toBytes(user.id) } }),
      ...(allowCredentials && { allowCredentials: decodeAll(allowCredentials) }),
      ...(excludeCredentials && { excludeCredentials: decodeAll(excludeCredentials) }),
    };
  };

  /** The answer of an authenticator as JSON (WebAuthn L3 §5.1). */
  const encodeCredential = (credential) => {
    const response = {};
    for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (credential.response[part]) response[part] = toText(credential.response[part]);
    }
    if (credential.response.getTransports) response.transports = credential.response.getTransports();
    return JSON.stringify({
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    });
  };

  const ask = async (url, init) => {
    let response;
    let body;
    try {
      response = await fetch(url, init);
      body = await response.json();
    } catch (error) {
      throw error.name === "AbortError" ? error : problem("unreached");
    }
    if (!response.ok) throw problem(response.status < 500 ? "refused" : "unreached");
    return body;
  };

  /** Has the browser ask the person, for as long as the server is willing to wait. */
  const askPerson = async (action, publicKey, mediation, controller) => {
    const { timeout } = mediation ? {} : publicKey;
    // Longer ones, which timers cannot hold, are left to the browser. JSON has null for an infinite one.
    const limit = timeout > 0 && timeout < 2 ** 31 ? timeout : Number.POSITIVE_INFINITY;
    const begun = performance.now();
    const timer = limit < Number.POSITIVE_INFINITY ? setTimeout(() => controller.abort(), limit) : undefined;
    const request = { publicKey, signal: controller.signal, ...(mediation && { mediation }) };
    try {
      return await (action === "register" ? navigator.credentials.create(request) : navigator.credentials.get(request));
    } catch (error) {
      // Browsers have a timer as well, whose end they call a refusal. Another ceremony is a reason of its own.
      const isLate = controller === current && performance.now() - begun >= limit;
      throw isLate && ["AbortError", "NotAllowedError"].includes(error.name) ? problem("timedOut") : error;
    } finally {
      clearTimeout(timer);
    }
  };

  /** Goes where the server says, unless that is this very page with an error to show, which can be said here. */
  const follow = (url) => {
    const { pathname, searchParams } = new URL(url, location.href);
    const error = searchParams.get("error");
    // `Signin`: another tab has signed in or out meanwhile, and the form of this page is too old.
    const canStay = error && error !== "Signin" && `${location.pathname}/`.startsWith(`${pathname}/`);
    if (!canStay) return location.assign(url);
    throw problem(error);
  };

  /** What the form sends: all of it but what it always holds. */
  const readFields = (form) => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (value && !["csrfToken", "callbackUrl", "action"].includes(name)) fields.set(name, value);
    }
    return fields;
  };

  /** From the server's options to the answer of an authenticator. */
  const obtain = async ({ part, form }, wanted, mediation, controller) => {
    // What is typed chooses the account; among what the browser offers, the person does.
    const query = new URLSearchParams([["action", wanted], ...(mediation ? [] : readFields(form))]);
    const { action, options, ...others } = await ask(`${part.dataset.options}?${query}`, { signal: controller.signal });
    const credential = await askPerson(action, decodeOptions(options), mediation, controller);
    return { action, options, others, credential };
  };

  /** Tells the device something, where browsers can (WebAuthn L3 §5.1.10). It may fail: the device learns it another time. */
  const signal = (name, details) => window.PublicKeyCredential?.[name]?.(details).catch(() => undefined);

  /**
   * Tells the device which passkeys the user of the session has, and the name of the user. The server does not know the user handle of every
   * passkey: the one that was just used has its own. A page that is about to be left waits for two seconds at most.
   */
  const tellDevice = async (url, handle) => {
    if (!window.PublicKeyCredential?.signalAllAcceptedCredentials) return;
    const { signals } = await ask(url, { signal: AbortSignal.timeout(2000) }).catch(() => ({}));
    if (!signals) return;
    const { rpId, name, displayName, allAcceptedCredentialIds, unknownCredentialId: credentialId } = signals;
    if (credentialId) await signal("signalUnknownCredential", { rpId, credentialId });
    for (const userId of new Set([signals.userId, handle ?? signals.userId])) {
      await signal("signalAllAcceptedCredentials", { rpId, userId, allAcceptedCredentialIds });
      await signal("signalCurrentUserDetails", { rpId, userId, name, displayName });
    }
  };

  /** The user handle of a passkey that was just used or created. */
  const handleOf = ({ options, credential }) => {
    const { userHandle } = credential.response;
    return options.user?.id ?? (userHandle ? toText(userHandle) : undefined);
  };

  /** Tells the device how the server took its passkey. */
  const report = async ({ signals }, url, given) => {
    const { action, options, credential } = given;
    const { searchParams } = new URL(url, location.href);
    const error = searchParams.get("error");
    // The address is taken, or the passkey was removed, so that the device may forget it. Any other error may have come after the passkey
    // was stored, and without it the person would be locked out.
    const isUnknown =
      action === "register" ? error === "OAuthAccountNotLinked" : searchParams.get("code") === "unknown-credential";
    const rpId = options.rp?.id ?? options.rpId;
    if (isUnknown) signal("signalUnknownCredential", { rpId, credentialId: credential.id });
    else if (signals && !error) await tellDevice(signals, handleOf(given));
  };

  /** From there to the place to be. */
  const deliver = async ({ part, form }, given) => {
    const { action, others, credential } = given;
    // What the form hides and what came with the options goes back: it says what is answered.
    const body = new URLSearchParams({ ...others, action, data: encodeCredential(credential) });
    for (const { name, value } of form.querySelectorAll("[type=hidden]")) body.set(name, value);
    const headers = { "X-Auth-Return-Redirect": "1" };
    const { url } = await ask(form.getAttribute("action"), { method: "POST", body, headers });
    await report(part.dataset, url, given);
    follow(url);
  };

  /** Says one thing in a part of the page, or nothing. */
  const say = ({ part, texts }, role, name) => {
    for (const note of part.querySelectorAll(":scope > .note")) {
      const isIt = name !== undefined && note.getAttribute("role") === role;
      note.textContent = isIt ? (texts.get(name) ?? texts.get("refused")) : "";
      note.hidden = !isIt;
    }
  };

  /** One ceremony; resolves to how it ended: `done` on the way elsewhere, `refused` by the server, or `failed` before. */
  const perform = async (place, action, mediation) => {
    current.abort();
    const controller = new AbortController();
    current = controller;
    let end = "failed";
    try {
      const given = await obtain(place, action, mediation, controller);
      end = "refused";
      await deliver(place, given);
      end = "done";
      say(place);
    } catch (error) {
      // Of what waits in the background only the server's word is worth a line.
      const isQuiet = controller !== current || (mediation && end === "failed");
      if (!isQuiet) say(place, "alert", error.text ?? TEXTS[error.name] ?? "refused");
    }
    return end;
  };

  /** Has the browser offer passkeys among what it can fill in, while nothing else is asked. */
  const offer = async (place) => {
    if (busy || !place.part.hasAttribute("data-autofill")) return;
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || busy) return;
    const renew = () => {
      if (document.hidden) document.addEventListener("visibilitychange", renew, { once: true });
      else offer(place);
    };
    const timer = setTimeout(renew, RENEW_AFTER_MS);
    const end = await perform(place, "authenticate", "conditional");
    clearTimeout(timer);
    if (end === "refused") offer(place);
  };

  /** What a button does. */
  const run = async (place, action) => {
    const buttons = place.form.querySelectorAll("button");
    busy = true;
    for (const button of buttons) button.setAttribute("aria-disabled", "true");
    say(place, "status", "waiting");
    if ((await perform(place, action)) === "done") return;
    for (const button of buttons) button.removeAttribute("aria-disabled");
    busy = false;
    offer(place);
  };

  const setUp = (part) => {
    const form = part.querySelector("form");
    const place = { part, form, texts: new Map(Object.entries(JSON.parse(part.dataset.texts))) };
    part.hidden = false;
    form.hidden = !window.PublicKeyCredential;
    if (form.hidden) return say(place, "status", "notSupported");
    form.noValidate = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const action = event.submitter?.value ?? "authenticate";
      // Nothing needs to be typed to sign in, but what is must be right.
      const isFree = action === "authenticate" && String(readFields(form)) === "";
      if (!busy && (isFree || form.reportValidity())) run(place, action);
    });
    offer(place);
  };

  for (const part of document.querySelectorAll(".passkey")) setUp(part);
  for (const { dataset } of document.querySelectorAll("[data-signals]:not(.passkey)")) tellDevice(dataset.signals);
  // From a browser's memory the page comes back as it was left, with its token and its challenge used up.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
})();
