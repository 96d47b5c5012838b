import {
  type ActionAnswer,
  type ActionRequest,
  type ActionSpec,
  components,
  type Html,
  html,
  type RequestTools,
} from "@cardea/core/extend";
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
  const listed = await listSessions(t, current.userId);
  const all = listed.map((session) => ({ ...session, current: session.id === current.sid }));
  if (action.wantsJson) return { kind: "json", status: 200, body: { sessions: all } };
  const csrfToken = await action.csrfToken();
  const form = (end: string, content: Html) =>
    components.form({ action: `${t.baseUrl}/sessions`, hidden: { csrfToken, end }, content });
  const canEnd = check !== "off";
  const rows = all.map((session) => {
    const end =
      canEnd && !session.current ? form(session.id, components.button({ label: texts.end, kind: "quiet" })) : null;
    return { ...describe(texts, session, t), actions: end };
  });
  const ask = (end: "others" | "all", label: string, text: string) =>
    components.confirmation({ label, text, form: form(end, components.button({ label, kind: "danger" })) });
  const others = all.length > 1 ? ask("others", texts.endOthers, texts.endOthersText) : null;
  const ends = html`${others}${ask("all", texts.endAll, texts.endAllText)}`;
  const main = html`${components.list(rows)}${canEnd ? components.card({ content: ends, isApart: true }) : null}`;
  return { kind: "page", status: 200, title: texts.title, main, isWide: true };
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

function answer(action: ActionRequest, t: RequestTools, status: number, body: object): ActionAnswer {
  return action.wantsJson ? { kind: "json", status, body } : { kind: "redirect", url: `${t.baseUrl}/sessions` };
}
