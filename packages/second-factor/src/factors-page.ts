import { type ActionAnswer, html } from "@cardea/core/extend";
import { type FormFrame, form } from "./pages.ts";

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
export function factorsPage(frame: FormFrame, apps: readonly App[], { left, hasPasskey }: Others): ActionAnswer {
  const isOn = hasPasskey || apps.length > 0;
  const day = (date: Date) => html`<time>${date.toISOString().slice(0, 10)}</time>`;
  const list = apps.map(({ id, label, createdAt, usedAt }) => {
    const name = label ?? "Authenticator app";
    const used = usedAt === null ? null : html`, last used ${day(usedAt)}`;
    const content = html`<input type="hidden" name="step" value="remove"><input type="hidden" name="id" value="${id}">
<button class="button" type="submit">Remove ${name}</button>`;
    return html`<section><h2>${name}</h2><p>Added ${day(createdAt)}${used}.</p>${form(frame, "factors/totp", content)}</section>`;
  });
  const add = html`<input type="hidden" name="step" value="begin"><button class="button main" type="submit">Add an authenticator app</button>`;
  const renew = html`<input type="hidden" name="step" value="regenerate"><button class="button" type="submit">Create new recovery codes</button>`;
  const recovery =
    left === null || !isOn
      ? null
      : html`<section><h2>Recovery codes</h2><p>${left === 1 ? "1 code is" : `${left} codes are`} left. New codes replace the old ones.</p>${form(frame, "factors/recovery", renew)}</section>`;
  const lead = html`<span class="whole">Two-step</span> verification is ${isOn ? "on" : "off"}.`;
  const passkey = hasPasskey
    ? html`<section><h2>Passkey</h2><p>Your passkey counts as the second step.</p></section>`
    : null;
  return {
    kind: "page",
    status: 200,
    title: "Two-step verification",
    main: html`<p class="lead">${lead}</p>${passkey}${list}${form(frame, "factors/totp", add)}${recovery}`,
  };
}
