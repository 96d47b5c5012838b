import type {
  ActionAnswer,
  ActionRequest,
  ActionSpec,
  OpenedSession,
  ProofRequest,
  RequestTools,
} from "@cardea/extend";
import { findQuestion, hasGrant, storeGrant } from "./confirmation.ts";
import { isMet, type ResolvedLevel } from "./levels.ts";
import { methodsOf } from "./methods.ts";
import { askPage, donePage, expiredPage } from "./page.ts";
import type { StepUpTexts } from "./texts.ts";

/** The action that requests a proof. */
export const ACTION = "step-up";

type Levels = ReadonlyMap<string, ResolvedLevel>;

/**
 * GET `step-up`: the methods for a new proof, or the content to confirm. GET `step-up/passkey`: the options for passkey
 * authentication. POST `step-up/{oidc|passkey}`: submits the proof.
 */
export function stepUpActions(levels: Levels, texts: StepUpTexts) {
  const show: ActionSpec = {
    csrf: "none",
    segment: "optional",
    answers: "page",
    head: "skip",
    run: (action, t) => showStepUp({ levels, texts }, action, t),
  };
  const take: ActionSpec = {
    csrf: "required",
    segment: "required",
    answers: "page",
    head: "skip",
    run: (action, t) => takeProof(levels, action, t),
  };
  return { [`GET ${ACTION}`]: show, [`POST ${ACTION}`]: take } as const;
}

/** The requested proof: session, level and content. */
interface Asked {
  readonly name: string;
  readonly level: ResolvedLevel;
  readonly session: OpenedSession;
  readonly callbackUrl: string;
  /** Id of the confirmation; empty without `bind`. */
  readonly confirm: string;
}

/** Reads the requested proof, or returns an error response. */
async function readAsked(levels: Levels, action: ActionRequest, t: RequestTools): Promise<Asked | ActionAnswer> {
  const given = (name: string) => {
    const value = action.method === "POST" ? action.body.get(name) : action.query.get(name);
    return typeof value === "string" ? value : "";
  };
  const name = given("level");
  const level = levels.get(name);
  if (level === undefined) return unknownLevel();
  const callbackUrl = await action.redirectTo(given("callbackUrl") || null);
  const session = await action.session();
  if (session === null) {
    const back = new URLSearchParams({ callbackUrl });
    return goTo(action, `${t.baseUrl}/signin?${back}`, 401);
  }
  return { name, level, session, callbackUrl, confirm: given("confirm") };
}

/** What the page is made of. */
interface Parts {
  readonly levels: Levels;
  readonly texts: StepUpTexts;
}

async function showStepUp({ levels, texts }: Parts, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  if (action.segment === undefined && action.query.get("step") === "done") return donePage(texts);
  const asked = await readAsked(levels, action, t);
  if ("kind" in asked) return asked;
  if (action.segment === "passkey") return showChallenge(asked, t);
  if (action.segment !== undefined) return unknownLevel();
  const { name, level, session, callbackUrl, confirm } = asked;
  const facts = await session.facts();
  const found = level.bind ? await findQuestion(t, session, name, confirm) : null;
  const bind = found?.question.bind ?? null;
  const isDone = bind === null ? isMet(level, facts?.f ?? [], t.now()) : await hasGrant(t, session, name, bind);
  if (isDone) return goTo(action, callbackUrl);
  if (level.bind && bind === null) return gone(texts, action, callbackUrl);
  const { userId } = session;
  const prover = { userId, callbackUrl, hasProvider: facts?.idp?.iss !== undefined };
  const methods = await methodsOf(level, t, prover);
  if (action.wantsJson) return json(200, { level: name, methods, ...(bind === null ? {} : { bind }) });
  const form = { level: name, confirm: level.bind ? confirm : null, callbackUrl, csrfToken: await action.csrfToken() };
  const error = action.query.get("error");
  return askPage(texts, methods, form, t, { level, bind, error, username: await addressOf(t, userId) });
}

/**
 * The options for passkey authentication. With `bind`, the challenge is the hash of the stored text; otherwise it is
 * random.
 */
async function proofOf({ name, level, session, confirm }: Asked, t: RequestTools) {
  const { userId } = session;
  if (!level.factors.includes("passkey")) return null;
  if (!level.bind) return { request: { userId } satisfies ProofRequest, question: null };
  const found = await findQuestion(t, session, name, confirm);
  return found && { request: { userId, text: found.text } satisfies ProofRequest, question: found.question };
}

async function showChallenge(asked: Asked, t: RequestTools): Promise<ActionAnswer> {
  const proof = await proofOf(asked, t);
  const question = proof === null ? null : await t.passkeys?.challenge(proof.request);
  return question ? json(200, question) : json(404, { message: "No passkey confirmation is pending." });
}

async function takeProof(levels: Levels, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const asked = await readAsked(levels, action, t);
  if ("kind" in asked) return asked;
  if (action.segment === "passkey") return takePasskey(asked, action, t);
  const { name, level, callbackUrl } = asked;
  if (action.segment !== "oidc" || !level.factors.includes("oidc")) return unknownLevel();
  const otherwise = `${ACTION}?${new URLSearchParams({ level: name, callbackUrl })}`;
  const url = await action.reauthenticate({ maxAge: level.within, acr: level.acr, callbackUrl, otherwise });
  return goTo(action, url ?? `${t.baseUrl}/${otherwise}`);
}

/**
 * 1. The confirmation belongs to this session and has not expired.
 * 2. A passkey of the user signed it, with user verification. Each signature is accepted once.
 * 3. With `bind`, a grant for exactly this content is stored, and the session is unchanged. Otherwise the session is
 *    re-issued with the proof (ASVS 7.2.4).
 */
async function takePasskey(asked: Asked, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const { name, callbackUrl, confirm } = asked;
  const again = (error: string) => {
    const query = { level: name, ...(confirm === "" ? {} : { confirm }), callbackUrl, error };
    return goTo(action, `${t.baseUrl}/${ACTION}?${new URLSearchParams(query)}`);
  };
  const proof = await proofOf(asked, t);
  if (proof === null) return again("expired");
  const { passkeys } = t;
  if (passkeys === null) return unknownLevel();
  try {
    const { userVerified } = await passkeys.verify(proof.request, action.body);
    if (!userVerified) return again("refused");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    t.logger.warn(`step-up-refused: the passkey response for level "${name}" was rejected:`, error.message);
    return again("refused");
  }
  if (proof.question === null) await action.renewSession({ f: [["passkey", t.now()]] });
  else await storeGrant(t, proof.question);
  return goTo(action, callbackUrl);
}

const REFUSALS: readonly unknown[] = ["WebAuthnVerificationError", "InvalidRequest"];

/** Whether the browser's response was invalid. Any other error is an outage. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "type" in error && REFUSALS.includes(error.type);
}

async function addressOf(t: RequestTools, userId: string): Promise<string> {
  if (!t.adapterHas("getUser")) return "";
  return (await t.callAdapter("getUser", userId))?.email ?? "";
}

function goTo(action: ActionRequest, url: string, status = 200): ActionAnswer {
  return action.wantsJson
    ? json(status, status === 200 ? { url } : { message: "Not signed in.", signIn: url })
    : { kind: "redirect", url };
}

function gone(texts: StepUpTexts, action: ActionRequest, callbackUrl: string): ActionAnswer {
  return action.wantsJson ? json(404, { message: "No confirmation is pending." }) : expiredPage(texts, callbackUrl);
}

function json(status: number, body: unknown): ActionAnswer {
  return { kind: "json", status, body };
}

function unknownLevel(): ActionAnswer {
  return json(404, { message: "Unknown level." });
}
