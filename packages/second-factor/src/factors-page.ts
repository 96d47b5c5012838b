import {
  type ActionAnswer,
  components,
  type Html,
  html,
  type OpenedSession,
  type RequestTools,
  type Section,
} from "@cardea/extend";
import { appsOf, findEnrolment, type Row } from "./credentials.ts";
import type { Settings } from "./options.ts";
import { type FormFrame, form } from "./pages.ts";
import { codesLeft } from "./recovery.ts";
import { render, type SecondFactorTexts } from "./texts.ts";

/** An authenticator app, as shown to its owner. */
interface App {
  readonly id: string;
  readonly label: string | null;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** The user's other factors. */
interface Others {
  /** Number of unused recovery codes; null if recovery codes are disabled. */
  readonly left: number | null;
  /** Whether a passkey counts as the second step. */
  readonly hasPasskey: boolean;
  /** Whether there is an account page to go back to. */
  readonly hasAccount?: boolean;
}

/** The page on which users manage their factors. */
export function factorsPage(
  texts: SecondFactorTexts,
  frame: FormFrame,
  apps: readonly App[],
  { left, hasPasskey, hasAccount = false }: Others,
): ActionAnswer {
  const isOn = hasPasskey || apps.length > 0;
  const passkey = hasPasskey ? [{ title: texts.passkey, details: [render(texts.passkeyCounts)] }] : [];
  const rows = [...passkey, ...apps.map((app) => rowOf(texts, frame, app))];
  const add = components.button({ label: texts.addApp, kind: "main" });
  const main = html`${components.lead(render(isOn ? texts.on : texts.off))}${rows.length === 0 ? null : components.list(rows)}${form(
    frame,
    "factors/totp",
    add,
    { step: "begin" },
  )}${left === null || !isOn ? null : recoveryCard(texts, frame, left)}${
    hasAccount ? components.links({ href: `${frame.baseUrl}/account`, label: texts.toAccount }) : null
  }`;
  return { kind: "page", status: 200, title: texts.title, main, isWide: true };
}

/** The part of the account page about second factors. They are changed on their own page, after a proof of one. */
export async function factorsSection(settings: Settings, t: RequestTools, session: OpenedSession): Promise<Section> {
  const { rows, hasPasskey, isEnrolled } = await findEnrolment(settings, t, session.userId);
  const apps = appsOf(rows);
  const left = settings.hasRecovery && isEnrolled ? codesLeft(rows) : null;
  const main = factorsPart(settings.texts, t, apps, { left, isEnrolled });
  const data = { totp: apps.length, passkey: hasPasskey, recoveryCodesLeft: left };
  return { name: "factors", title: settings.texts.title, main, data };
}

/** What the section says. */
export function factorsPart(
  texts: SecondFactorTexts,
  { baseUrl, lang }: Pick<FormFrame, "baseUrl" | "lang">,
  apps: readonly Pick<Row, "label" | "createdAt">[],
  { left, isEnrolled }: { readonly left: number | null; readonly isEnrolled: boolean },
): Html {
  const list = apps.map(({ label, createdAt }) => {
    const added = components.time(createdAt, { lang });
    return { title: label ?? texts.app, details: [render(texts.added, { added })] };
  });
  const codes =
    left === null ? null : render(left === 1 ? texts.codesLeftOne : texts.codesLeft, { count: String(left) });
  const manage = components.buttonLinks({ href: `${baseUrl}/factors`, label: texts.manage });
  return html`<p>${render(isEnrolled ? texts.on : texts.off)}</p>${list.length === 0 ? null : components.list(list)}${
    codes === null ? null : html`<p>${codes}</p>`
  }${manage}`;
}

function rowOf(texts: SecondFactorTexts, frame: FormFrame, { id, label, createdAt, usedAt }: App) {
  const name = label ?? texts.app;
  const added = components.time(createdAt, frame);
  const details =
    usedAt === null
      ? render(texts.added, { added })
      : render(texts.addedAndUsed, { added, used: components.time(usedAt, frame) });
  const submit = components.button({ label: render(texts.remove, { name }), kind: "danger" });
  const actions = components.confirmation({
    label: texts.removeShort,
    kind: "quiet",
    text: render(texts.removeText, { name }),
    form: form(frame, "factors/totp", submit, { step: "remove", id }),
  });
  return { title: name, details: [details], actions };
}

/** New codes end the old ones, which may be on paper somewhere. */
function recoveryCard(texts: SecondFactorTexts, frame: FormFrame, left: number) {
  const label = texts.renew;
  const submit = components.button({ label, kind: "danger" });
  const content = components.confirmation({
    ...{ label, kind: "plain", text: texts.renewText },
    form: form(frame, "factors/recovery", submit, { step: "regenerate" }),
  });
  const text = render(left === 1 ? texts.codesLeftOne : texts.codesLeft, { count: String(left) });
  return components.card({ title: texts.codes, text, content, isApart: true });
}
