import { type ActionAnswer, html } from "@cardea/core/extend";
import { type FormFrame, form } from "./pages.ts";
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
}

/** The page on which users manage their factors. */
export function factorsPage(
  texts: SecondFactorTexts,
  frame: FormFrame,
  apps: readonly App[],
  { left, hasPasskey }: Others,
): ActionAnswer {
  const isOn = hasPasskey || apps.length > 0;
  const day = (date: Date) => html`<time>${date.toISOString().slice(0, 10)}</time>`;
  const list = apps.map(({ id, label, createdAt, usedAt }) => {
    const name = label ?? texts.app;
    const about =
      usedAt === null
        ? render(texts.added, { added: day(createdAt) })
        : render(texts.addedAndUsed, { added: day(createdAt), used: day(usedAt) });
    const content = html`<input type="hidden" name="step" value="remove"><input type="hidden" name="id" value="${id}">
<button class="button" type="submit">${render(texts.remove, { name })}</button>`;
    return html`<section><h2>${name}</h2><p>${about}</p>${form(frame, "factors/totp", content)}</section>`;
  });
  const add = html`<input type="hidden" name="step" value="begin"><button class="button main" type="submit">${texts.addApp}</button>`;
  const renew = html`<input type="hidden" name="step" value="regenerate"><button class="button" type="submit">${texts.renew}</button>`;
  const recovery =
    left === null || !isOn
      ? null
      : html`<section><h2>${texts.codes}</h2><p>${render(left === 1 ? texts.codesLeftOne : texts.codesLeft, { count: String(left) })}</p>${form(frame, "factors/recovery", renew)}</section>`;
  const lead = render(isOn ? texts.on : texts.off);
  const passkey = hasPasskey
    ? html`<section><h2>${texts.passkey}</h2><p>${render(texts.passkeyCounts)}</p></section>`
    : null;
  return {
    kind: "page",
    status: 200,
    title: texts.title,
    main: html`<p class="lead">${lead}</p>${passkey}${list}${form(frame, "factors/totp", add)}${recovery}`,
  };
}
