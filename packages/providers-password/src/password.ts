import {
  type ActionAnswer,
  type ActionSpec,
  defineExtension,
  type Extension,
  html,
  type RequestTools,
  type Section,
  type User,
} from "@cardea/core/extend";
import type { Step } from "./flows/answer.ts";
import { canMail } from "./mail.ts";
import { type PasswordOptions, resolveOptions, type Settings } from "./options.ts";
import { rememberSettings } from "./settings-of.ts";

/** Id of the extension. */
const ID = "password";

/** The provider object that {@link Password} returns. */
export interface PasswordProvider {
  /** Unique among the providers; part of the URLs. */
  id: string;
  /** Name on the sign-in page. */
  name: string;
  /** Existing sign-in pages for credentials work. */
  type: "credentials";
  /** The fields of the sign-in form. */
  credentials: {
    email: { label: string; type: string; autocomplete: string; required: boolean };
    password: { label: string; type: string; autocomplete: string; required: boolean };
  };
  /** Null: the extension checks the password. */
  authorize(): User | null;
  /** Registration, reset, change, and the check itself. */
  extension: Extension;
}

/**
 * Sign-in with an e-mail address and a password (NIST SP 800-63B-4, ASVS 6.2): registration, reset and change with built-in pages. Needs
 * an adapter with the methods for credentials, or `extend()` around one, and a store.
 *
 * @throws TypeError for an option that cannot work.
 */
export function Password(options: PasswordOptions = {}): PasswordProvider {
  const settings = resolveOptions(options);
  const { id, name, texts } = settings;
  return {
    id,
    name,
    type: "credentials",
    credentials: {
      email: { label: texts.email, type: "email", autocomplete: "username", required: true },
      password: { label: texts.password, type: "password", autocomplete: "current-password", required: true },
    },
    authorize: () => null,
    extension: rememberSettings(createExtension(settings), settings),
  };
}

const page = { csrf: "none", answers: "page", head: "run" } as const;
const form = { csrf: "required", answers: "page", head: "skip" } as const;

function createExtension(settings: Settings): Extension {
  const { id } = settings;
  /** Each action is loaded with the first request for it. */
  const own =
    (load: () => Promise<(step: Step) => Promise<ActionAnswer>>, segments: readonly string[]): ActionSpec["run"] =>
    async (action, t) => {
      const isOwn = action.segment === undefined || segments.includes(action.segment);
      if (!isOwn) return (await import("./flows/answer.ts")).NOT_FOUND;
      return (await load())({ settings, action, t });
    };
  return defineExtension({
    id: ID,
    needs: {
      adapter: [
        ...(["createUser", "getUser", "getUserByEmail", "updateUser", "deleteUser"] as const),
        ...(["createCredential", "listCredentialsByUserId", "updateCredential", "deleteCredential"] as const),
        ...(["createVerificationToken", "useVerificationToken"] as const),
      ],
      store: true,
    },
    provesAddresses: true,
    authorize: async (typed, _request, t) => (await import("./sign-in.ts")).checkPassword(settings, t, typed),
    admit: async (candidate, t) =>
      candidate.account.type === "credentials"
        ? (await import("./sign-in.ts")).admitPassword(settings, candidate, t)
        : { admit: true },
    actions: {
      "GET register": {
        ...page,
        segment: "required",
        run: own(async () => (await import("./flows/show.ts")).showRegister, [id]),
      },
      "POST register": {
        ...form,
        segment: "required",
        run: own(async () => (await import("./flows/register.ts")).register, [id]),
      },
      "GET reset": {
        ...page,
        segment: "required",
        run: own(async () => (await import("./flows/show.ts")).showReset, [id]),
      },
      "POST reset": {
        ...form,
        segment: "required",
        run: own(async () => (await import("./flows/reset.ts")).reset, [id]),
      },
      "GET password": {
        ...page,
        segment: "none",
        run: own(async () => (await import("./flows/show.ts")).showPassword, []),
      },
      "POST password": {
        ...form,
        segment: "required",
        run: own(
          async () => (await import("./flows/password-action.ts")).takePassword,
          ["change", "add", "confirm", "grow"],
        ),
      },
    },
    section: (slot, t) => (slot === "signin" ? linksOf(settings, t) : null),
  });
}

/** Links under the sign-in form. */
function linksOf(settings: Settings, { baseUrl }: RequestTools): Section | null {
  if (!canMail(settings)) return null;
  const { id, texts, registerAge } = settings;
  const register =
    registerAge === null ? null : html`<a class="button" href="${baseUrl}/register/${id}">${texts.registerLink}</a>`;
  return {
    main: html`<p class="next"><a class="button" href="${baseUrl}/reset/${id}">${texts.resetLink}</a>${register}</p>`,
  };
}
