import {
  type ActionAnswer,
  type ActionRequest,
  type ActionSpec,
  components,
  type Html,
  html,
  type OpenedSession,
  type RequestTools,
  type Section,
  type SectionPage,
} from "@cardea/extend";
import { endAllSessions, endSession } from "./end-session.ts";
import { type ListedSession, listSessions } from "./listed-session.ts";
import type { SessionPageTexts, SessionSettings } from "./settings.ts";

/** GET and POST `sessions`: users list their sessions, and end some of them. */
export function sessionsActions(settings: SessionSettings): Readonly<Record<`${"GET" | "POST"} sessions`, ActionSpec>> {
  return {
    "GET sessions": {
      csrf: "none",
      segment: "none",
      answers: "page",
      head: "run",
      run: (action, t) => showSessions(settings, action, t),
    },
    "POST sessions": {
      csrf: "required",
      segment: "none",
      answers: "page",
      head: "skip",
      run: (action, t) => endSessions(settings, action, t),
    },
  };
}

const EMPTY = { kind: "json", status: 401, body: { sessions: [] } } as const;

async function showSessions(
  { texts, check }: SessionSettings,
  action: ActionRequest,
  t: RequestTools,
): Promise<ActionAnswer> {
  const current = await action.session();
  if (current === null) return action.wantsJson ? EMPTY : signInFirst(t);
  const all = await listAll(t, current);
  if (action.wantsJson) return { kind: "json", status: 200, body: { sessions: all } };
  const csrfToken = await action.csrfToken();
  const form = (end: string, content: Html) => formOf(t, { csrfToken, end }, content);
  const canEnd = check !== "off";
  const rows = all.map((session) => rowOf({ texts, check }, session, t, { csrfToken }));
  const ask = (end: "others" | "all", label: string, text: string) =>
    components.confirmation({ label, text, form: form(end, components.button({ label, kind: "danger" })) });
  const others = all.length > 1 ? ask("others", texts.endOthers, texts.endOthersText) : null;
  const ends = html`${others}${ask("all", texts.endAll, texts.endAllText)}`;
  const account = t.hasExtension("account")
    ? components.links({ href: `${t.baseUrl}/account`, label: texts.toAccount })
    : null;
  const main = html`${components.list(rows)}${canEnd ? components.card({ content: ends, isApart: true }) : null}${account}`;
  return { kind: "page", status: 200, title: texts.title, main, isWide: true };
}

/** The part of the account page with the user's sessions. */
export async function devicesSection(
  settings: SessionSettings,
  t: RequestTools,
  { session, csrfToken = null, callbackUrl }: SectionPage,
): Promise<Section | null> {
  if (session === undefined) return null;
  const all = await listAll(t, session);
  const rows = all.map((one) => rowOf(settings, one, t, { csrfToken, callbackUrl }));
  const { title, manage } = settings.texts;
  const more = components.buttonLinks({ href: `${t.baseUrl}/sessions`, label: manage });
  return { name: "devices", title, main: html`${components.list(rows)}${more}`, data: all };
}

async function listAll(t: RequestTools, { userId, sid }: Pick<OpenedSession, "userId" | "sid">) {
  const listed = await listSessions(t, userId);
  return listed.map((session) => ({ ...session, current: session.id === sid }));
}

type FormFields = Readonly<Record<string, string | null | undefined>>;

function formOf({ baseUrl }: RequestTools, hidden: FormFields, content: Html): Html {
  return components.form({ action: `${baseUrl}/sessions`, hidden, content });
}

/** A session, with a button that ends it, unless it is the current one. */
function rowOf(
  { texts, check }: Pick<SessionSettings, "texts" | "check">,
  session: ListedSession & { readonly current: boolean },
  t: RequestTools,
  hidden: FormFields,
) {
  const button = components.button({ label: texts.end, kind: "quiet" });
  const end = check === "off" || session.current ? null : formOf(t, { ...hidden, end: session.id }, button);
  return { ...describe(texts, session, t), actions: end };
}

function signInFirst(t: RequestTools): ActionAnswer {
  const here = encodeURIComponent(`${t.baseUrl}/sessions`);
  return { kind: "redirect", url: `${t.baseUrl}/signin?callbackUrl=${here}` };
}

/** Requires a recent proof before sessions are ended (ASVS 7.5.2). */
function proveFirst(action: ActionRequest, url: string): ActionAnswer {
  const body = { error: "proof_required", url };
  return action.wantsJson ? { kind: "json", status: 401, body } : { kind: "redirect", url };
}

function describe(
  texts: SessionPageTexts,
  session: ListedSession & { readonly current: boolean },
  { lang, now }: RequestTools,
) {
  const { device, ip, createdAt, seenAt, current } = session;
  const title = [device.browser ?? texts.unknownDevice, device.os, ip].filter((part) => part !== null).join(" · ");
  const time = (text: string, at: Date) => {
    const [before = "", ...after] = text.split("{time}");
    const shown = after.length === 0 ? null : components.time(at, { lang, now: now() });
    return html`${before}${shown}${after.join("{time}")}`;
  };
  const details = [time(texts.signedIn, createdAt), time(texts.seen, seenAt)];
  return { title, badge: current ? texts.current : null, details };
}

/** Ends the chosen sessions. Only ids of the user's own sessions are accepted. */
async function endSessions({ check }: SessionSettings, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const current = await action.session();
  if (current === null) return action.wantsJson ? EMPTY : signInFirst(t);
  const { userId, sid, epoch, jti } = current;
  if (check === "off") return answer(action, t, 404, { error: "Ending sessions is disabled." });
  const end = action.body.get("end");
  // Ending the current session is a sign-out.
  const elsewhere = end === sid ? null : await action.mayChange(`${t.baseUrl}/sessions`);
  if (elsewhere !== null) return proveFirst(action, elsewhere);
  if (end === "all") {
    await endAllSessions(t, userId, { by: "owner" });
    action.clearSession();
  } else if (end === "others") {
    const reissue = (e: number) => action.renewSession({ e });
    await endAllSessions(t, userId, { by: "owner", spared: { sid, epoch, jti, reissue } });
  } else {
    const isOwn = (await listSessions(t, userId)).some(({ id }) => id === end);
    if (!isOwn) return answer(action, t, 404, { error: "Session not found." });
    await endSession(t, String(end), { by: "owner", userId });
    if (end === sid) action.clearSession();
  }
  return answer(action, t, 200, { ended: end });
}

/** Back to the page with the form: its own, or the account page. */
async function answer(action: ActionRequest, t: RequestTools, status: number, body: object): Promise<ActionAnswer> {
  if (action.wantsJson) return { kind: "json", status, body };
  const to = action.body.get("callbackUrl");
  const url = typeof to === "string" ? await action.redirectTo(to) : `${t.baseUrl}/sessions`;
  return { kind: "redirect", url };
}
