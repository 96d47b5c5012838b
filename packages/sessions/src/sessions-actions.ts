import { type ActionAnswer, type ActionRequest, type ActionSpec, html, type RequestTools } from "@cardea/core/extend";
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
  const csrf = hidden("csrfToken", await action.csrfToken());
  const target = `${t.baseUrl}/sessions`;
  const canEnd = check !== "off";
  const form = (end: string, label: string) =>
    canEnd
      ? html`<form method="post" action="${target}">
${csrf}${hidden("end", end)}<button class="button">${label}</button>
</form>`
      : null;
  const items = all.map(
    (session) => html`<li>${describe(texts, session)}${session.current ? null : form(session.id, texts.end)}</li>
`,
  );
  const others = all.length > 1 ? form("others", texts.endOthers) : null;
  const main = html`<ul>
${items}</ul>
${others}${form("all", texts.endAll)}`;
  return { kind: "page", status: 200, title: texts.title, main };
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

function hidden(name: string, value: string | null) {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}

function describe(texts: SessionPageTexts, session: ListedSession & { readonly current: boolean }) {
  const { device, ip, createdAt, seenAt, current } = session;
  const name = [device.browser ?? texts.unknownDevice, device.os, ip].filter((part) => part !== null).join(" · ");
  const time = (text: string, at: Date) => {
    const [before = "", ...after] = text.split("{time}");
    const shown = html`<time>${`${at.toISOString().slice(0, 16).replace("T", " ")} UTC`}</time>`;
    return html`${before}${after.length === 0 ? null : shown}${after.join("{time}")}`;
  };
  return html`<strong>${name}</strong>${current ? html` <em>${texts.current}</em>` : null}
<p>${time(texts.signedIn, createdAt)}. ${time(texts.seen, seenAt)}.</p>
`;
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
