import { type ActionAnswer, components, type Html, html, type OpenedSession, type Section } from "@cardea/extend";
import { accountUrl, MAX_PASSKEY_NAME, type Step } from "./answers.ts";
import type { AccountSection } from "./options.ts";
import type { AccountOverview, LinkedAccount, ListedPasskey } from "./overview.ts";
import { dayOf, fill } from "./texts.ts";

/** What the page shows. */
interface Shown {
  readonly session: OpenedSession;
  readonly overview: AccountOverview | null;
  /** Those of other extensions. */
  readonly sections: readonly Section[];
}

/** What the sections of this package are made of. */
interface Parts extends Shown {
  readonly step: Step;
  readonly csrfToken: string | null;
  /** The provider account that the session came from; undefined without one. */
  readonly origin: { readonly provider: string; readonly sub: string } | undefined;
}

type Render = (parts: Parts) => Html | null;

/** The sections of this package. Those of other extensions have the same names, and come in their place or below. */
const OWN: Readonly<Partial<Record<AccountSection, Render>>> = {
  profile: renderProfile,
  "sign-in": renderSignIn,
  passkeys: renderPasskeys,
  password: renderPassword,
  data: renderData,
};

/** The page on which users manage their account. */
export async function accountPage(step: Step, shown: Shown): Promise<ActionAnswer> {
  const { action, settings } = step;
  const { texts } = settings;
  const parts: Parts = {
    ...shown,
    step,
    csrfToken: await action.csrfToken(),
    origin: (await shown.session.facts())?.idp,
  };
  const code = action.query.get("error");
  const error = Object.entries(texts.errors).find(([name]) => name === code)?.[1];
  const done = action.query.get("done");
  const sections = settings.sections.map((name) => {
    const others = shown.sections.filter((one) => one.name === name).map(renderOther);
    return html`${OWN[name]?.(parts) ?? null}${others}`;
  });
  const main = html`${components.notice({ kind: "error", text: error ?? null })}${
    done === null ? null : components.notice({ kind: "status", text: doneText(parts, done) })
  }${sections}`;
  return { kind: "page", status: 200, title: texts.title, main, isWide: true, passkeys: signalsUrl(parts) !== null };
}

/** A change of address is not made yet: whether the current mailbox is asked is known from the session alone. */
function doneText({ step, overview }: Parts, done: string): string {
  const { texts } = step.settings;
  if (done !== "email" || overview === null) return texts.done;
  return texts.addressPendingApproval;
}

/** Markup of other extensions was made by core's own `html`. */
function renderOther({ title, main }: Section): Html {
  return components.card({ title: title ?? null, content: main as Html });
}

function formOf(
  { step, csrfToken }: Parts,
  path: string,
  content: Html | readonly (Html | null)[],
  hidden: Readonly<Record<string, string>> = {},
): Html {
  return components.form({ action: `${accountUrl(step.t)}/${path}`, hidden: { csrfToken, ...hidden }, content });
}

function renderProfile(parts: Parts): Html | null {
  const { overview, step } = parts;
  if (overview === null) return null;
  const { texts, mail } = step.settings;
  const { user, pendingAddress } = overview;
  const name = formOf(parts, "profile", [
    components.field({
      name: "name",
      label: texts.name,
      value: user.name ?? "",
      isOptional: true,
      attributes: { autocomplete: "name", maxlength: "200" },
    }),
    components.button({ label: texts.save }),
  ]);
  const cancel = formOf(parts, "cancel", components.button({ label: texts.cancelChange, kind: "quiet" }), {
    what: "email",
  });
  const canChange = mail !== undefined && step.t.adapterHas("updateUser", "getUserByEmail");
  const change = canChange ? changeAddress(parts) : null;
  const badge = user.emailVerified ? texts.addressVerified : texts.addressUnverified;
  const rows = [
    ...(user.email ? [{ title: user.email, badge, details: [texts.address], actions: change }] : []),
    ...(pendingAddress === null ? [] : [{ title: pendingAddress, details: [texts.addressPending], actions: cancel }]),
  ];
  const picture = { image: user.image, name: user.name ?? user.email ?? "", host: new URL(step.t.origin).host };
  const since = user.since === null ? null : fill(texts.userSince, { date: dayOf(user.since, step.t.lang) });
  const content = html`${components.person({ ...picture, detail: since })}${step.t.adapterHas("updateUser") ? name : null}${rows.length === 0 ? null : components.list(rows)}${user.email ? null : change}`;
  return components.card({ title: texts.profileTitle, content });
}

function changeAddress(parts: Parts): Html {
  const { texts } = parts.step.settings;
  const attributes = { autocomplete: "email", autocapitalize: "none", spellcheck: "false" };
  return components.confirmation({
    ...{ label: texts.changeAddress, text: texts.changeAddressText, kind: "quiet" },
    form: formOf(parts, "email", [
      components.field({ name: "email", label: texts.newAddress, type: "email", attributes }),
      components.button({ label: texts.changeAddressSubmit, kind: "main" }),
    ]),
  });
}

function renderSignIn(parts: Parts): Html | null {
  const { overview, origin, step } = parts;
  const { texts } = step.settings;
  const { t } = step;
  const nameOf = (id: string) => t.signInMethods.find((one) => one.id === id)?.name ?? id;
  if (overview === null || overview.accounts === null) {
    if (origin === undefined) return null;
    return components.card({
      title: texts.signInTitle,
      text: fill(texts.signInWith, { provider: nameOf(origin.provider) }),
    });
  }
  const { accounts, user } = overview;
  const hasLinks = t.signInMethods.some(({ kind }) => kind === "email") && user.email && user.emailVerified;
  const rows = [
    ...accounts.map((account) => accountRow(parts, account)),
    ...(hasLinks ? [{ title: texts.addressMethod, details: [user.email ?? ""] }] : []),
  ];
  const free = t.signInMethods.filter(
    ({ id, kind }) => kind === "oauth" && !accounts.some(({ provider }) => provider === id),
  );
  const connects = free.map(({ id, name }) =>
    formOf(parts, "link", components.button({ label: fill(texts.connect, { provider: name }) }), { provider: id }),
  );
  if (rows.length === 0 && connects.length === 0) return null;
  return components.card({
    title: texts.signInTitle,
    content: html`${rows.length === 0 ? null : components.list(rows)}${connects}`,
  });
}

function accountRow(parts: Parts, account: LinkedAccount) {
  const { provider, providerAccountId, name, isOffered, lastUsed, since } = account;
  const { origin, step } = parts;
  const { texts } = step.settings;
  const { lang, now } = step.t;
  const isOwn = origin?.provider === provider && origin.sub === providerAccountId;
  const form = formOf(parts, "unlink", components.button({ label: texts.disconnect, kind: "danger" }), {
    provider,
    providerAccountId,
  });
  return {
    title: name,
    ...(isOwn ? { badge: texts.thisSession } : isOffered ? {} : { badge: texts.formerProvider }),
    details: [
      ...(since === null ? [] : [fill(texts.accountSince, { date: dayOf(since, lang) })]),
      ...(lastUsed === null ? [] : [html`${texts.accountUsed} ${components.time(lastUsed, { lang, now: now() })}`]),
    ],
    actions: components.confirmation({
      label: texts.disconnect,
      text: fill(texts.disconnectText, { provider: name }),
      form,
      kind: "quiet",
    }),
  };
}

const PLACES = { synced: "passkeySynced", device: "passkeyDevice", "security-key": "passkeyKey" } as const;

function passkeyRow(parts: Parts, { id, name, place, createdAt, lastUsed }: ListedPasskey, n: number) {
  const { settings, t } = parts.step;
  const { texts } = settings;
  const { lang, now } = t;
  const remove = formOf(parts, "unlink", components.button({ label: texts.removePasskey, kind: "danger" }), {
    passkey: id,
  });
  const added = createdAt === null ? [] : [fill(texts.passkeyAdded, { date: dayOf(createdAt, lang) })];
  const used = lastUsed === null ? [] : [html`${texts.passkeyUsed} ${components.time(lastUsed, { lang, now: now() })}`];
  const rename = t.adapterHas("updateAuthenticator") ? renameForm(parts, { id, name, n }) : null;
  const confirm = { label: texts.removePasskey, text: texts.removePasskeyText, kind: "quiet" } as const;
  return {
    title: name ?? texts.passkey,
    details: [texts[PLACES[place]], ...added, ...used],
    actions: html`${rename}${components.confirmation({ ...confirm, form: remove })}`,
  };
}

function renameForm(parts: Parts, { id, name, n }: Pick<ListedPasskey, "id" | "name"> & { readonly n: number }): Html {
  const { texts } = parts.step.settings;
  const attributes = { autocomplete: "off", maxlength: String(MAX_PASSKEY_NAME) };
  const form = formOf(
    parts,
    "rename",
    [
      components.field({
        ...{ name: "name", id: `passkey-name-${n}`, label: texts.passkeyName, value: name ?? "" },
        ...{ isOptional: true, attributes },
      }),
      components.button({ label: texts.renamePasskey, kind: "main" }),
    ],
    { passkey: id },
  );
  return components.confirmation({ label: texts.renamePasskey, text: texts.renamePasskeyText, kind: "quiet", form });
}

function renderPasskeys(parts: Parts): Html | null {
  const { overview, step } = parts;
  const { texts } = step.settings;
  const { t } = step;
  const provider = t.signInMethods.find(({ kind }) => kind === "webauthn");
  if (overview === null || provider === undefined) return null;
  const rows = overview.passkeys.map((passkey, n) => passkeyRow(parts, passkey, n));
  const href = `${t.baseUrl}/signin?${new URLSearchParams({ callbackUrl: accountUrl(t) })}`;
  const add = components.buttonLinks({ href, label: texts.addPasskey });
  const list = rows.length === 0 ? html`<p>${texts.noPasskeys}</p>` : components.list(rows);
  const signals = html`<div data-signals="${signalsUrl(parts) ?? ""}" hidden></div>\n`;
  return components.card({ title: texts.passkeysTitle, content: html`${list}${add}${signals}` });
}

/**
 * Where the script of passkeys reads what devices should know: which passkeys the user has, among them the one that was just removed. Null
 * without passkeys on the page.
 */
function signalsUrl({ overview, step }: Parts): string | null {
  const { action, settings, t } = step;
  const provider = t.signInMethods.find(({ kind }) => kind === "webauthn");
  if (overview === null || provider === undefined || !settings.sections.includes("passkeys")) return null;
  const removed = action.query.get("passkey");
  const query = new URLSearchParams({ action: "signals", ...(removed === null ? {} : { removed }) });
  return `${t.baseUrl}/webauthn-options/${encodeURIComponent(provider.id)}?${query}`;
}

function renderPassword(parts: Parts): Html | null {
  const { overview, step } = parts;
  const { texts } = step.settings;
  if (overview === null || overview.hasPassword === null) return null;
  const { hasPassword } = overview;
  const link = components.buttonLinks({
    href: `${step.t.baseUrl}/password`,
    label: hasPassword ? texts.changePassword : texts.addPassword,
  });
  const form = formOf(parts, "unlink", components.button({ label: texts.removePassword, kind: "danger" }), {
    password: "remove",
  });
  const remove = components.confirmation({
    label: texts.removePassword,
    text: texts.removePasswordText,
    form,
    kind: "quiet",
  });
  const text = hasPassword ? texts.hasPassword : texts.noPassword;
  return components.card({ title: texts.passwordTitle, text, content: html`${link}${hasPassword ? remove : null}` });
}

function renderData(parts: Parts): Html | null {
  const { overview, step } = parts;
  const { texts, removeAfter } = step.settings;
  const { t } = step;
  if (overview === null) return null;
  const due = new Date(1000 * (t.now() + removeAfter));
  const remove = components.confirmation({
    label: texts.remove,
    text: removeAfter === 0 ? texts.removeNowText : fill(texts.removeText, { date: dayOf(due, t.lang) }),
    form: formOf(parts, "remove", components.button({ label: texts.removeSubmit, kind: "danger" })),
  });
  const file = components.buttonLinks({ href: `${accountUrl(t)}/export`, label: texts.export });
  const content = html`${file}${t.adapterHas("deleteUser") ? remove : null}`;
  return components.card({ title: texts.dataTitle, text: texts.dataLead, content, isApart: true });
}
