import type { ActionAnswer, OpenedSession, Section } from "@cardea/extend";
import { accountUrl, NOT_FOUND, refuseChange, type Step, toSignIn } from "./answers.ts";
import { showLink } from "./confirm.ts";
import { type AccountOverview, overviewOf } from "./overview.ts";
import { accountPage } from "./page.ts";
import { askPending } from "./pending-removal.ts";

/** GET `account`: the page. GET `account/data`: the same as JSON. GET `account/export`: the same as a file. GET `account/confirm`: a link. */
export async function show(step: Step): Promise<ActionAnswer> {
  const { action } = step;
  switch (action.segment) {
    case undefined:
      return showPage(step);
    case "data":
      return showData(step);
    case "export":
      return showExport(step);
    case "confirm":
      return showLink(step);
    default:
      return NOT_FOUND;
  }
}

/** What the page shows. */
interface Shown {
  readonly session: OpenedSession;
  /** Null without a database. */
  readonly overview: AccountOverview | null;
  readonly sections: readonly Section[];
}

async function read({ action, settings, t }: Step): Promise<Shown | null> {
  const session = await action.session();
  if (session === null) return null;
  const overview = await overviewOf(t, session.userId);
  if (overview === null && t.adapterHas("getUser")) return null;
  const all = await action.sections("account", session, accountUrl(t));
  const isShown = ({ name }: Section) => settings.sections.some((one) => one === name);
  return { session, overview, sections: all.filter(isShown) };
}

async function showPage(step: Step): Promise<ActionAnswer> {
  const { action } = step;
  const pending = action.query.has("pending") ? await action.pendingSignIn() : null;
  if (pending !== null) return askPending(step, pending);
  const shown = await read(step);
  if (shown === null) return toSignIn(step);
  return action.wantsJson ? dataOf(step, shown) : accountPage(step, shown);
}

async function showData(step: Step): Promise<ActionAnswer> {
  const shown = await read(step);
  return shown === null ? { kind: "json", status: 401, body: null } : dataOf(step, shown);
}

function dataOf({ settings }: Step, { overview, sections }: Shown): ActionAnswer {
  const others = Object.fromEntries(sections.map(({ name = "", data = null }) => [name, data]));
  return { kind: "json", status: 200, body: { ...overview, sections: settings.sections, ...others } };
}

/** The user's data as a file, after a recent proof: a stolen session is not enough to copy them. */
async function showExport(step: Step): Promise<ActionAnswer> {
  const { settings, t } = step;
  const shown = settings.sections.includes("data") ? await read(step) : null;
  if (shown === null) return settings.sections.includes("data") ? toSignIn(step) : NOT_FOUND;
  const refused = await refuseChange(step, shown);
  if (refused !== null) return refused;
  const user = t.adapterHas("getUser") ? await t.callAdapter("getUser", shown.session.userId) : null;
  const answer = dataOf(step, shown);
  if (answer.kind !== "json") return answer;
  const headers = { "content-disposition": 'attachment; filename="account.json"' };
  const exportedAt = new Date(t.now() * 1000);
  return { ...answer, headers, body: { exportedAt, ...Object(answer.body), user: { ...user } } };
}
