import {
  type ActionAnswer,
  type ActionSpec,
  components,
  defineExtension,
  type Extension,
  type RequestTools,
  type Section,
  type User,
} from "@cardea/extend";
import type { Step } from "./flows/answer.ts";
import { canMail } from "./mail.ts";
import { type PasswordOptions, resolveOptions, type Settings } from "./options.ts";

/** Id of the extension. */
const ID = "password";

/** The provider object that {@link Password} returns. */
export interface PasswordProvider {
  /** Unique among the providers. Part of the URLs. */
  id: string;
  /** Name on the sign-in page. */
  name: string;
  /** Always `credentials`, so that existing sign-in pages work. */
  type: "credentials";
  /** The fields of the sign-in form. */
  credentials: {
    email: { label: string; type: string; autocomplete: string; required: boolean };
    password: { label: string; type: string; autocomplete: string; required: boolean };
  };
  /** Always returns null: the extension checks the password. */
  authorize(): User | null;
  /** The extension with registration, reset, change, and the password check. */
  extension: Extension;
}

/**
 * Sign-in with an e-mail address and a password (NIST SP 800-63B-4, ASVS 6.2): registration, reset and change, with
 * built-in pages. Requires a store, and an adapter with the credential methods or wrapped with `extend()`.
 *
 * @throws TypeError for an invalid option.
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
    extension: createExtension(settings),
  };
}

const page = { csrf: "none", answers: "page", head: "run" } as const;
const form = { csrf: "required", answers: "page", head: "skip" } as const;

function createExtension(settings: Settings): Extension {
  const { id } = settings;
  /** Each action is loaded on its first request. */
  const own =
    (load: () => Promise<(step: Step) => Promise<ActionAnswer>>, segments: readonly string[]): ActionSpec["run"] =>
    async (action, t) => {
      const isOwn = action.segment === undefined || segments.includes(action.segment);
      if (!isOwn) return (await import("./flows/answer.ts")).NOT_FOUND;
      return (await load())({ settings, action, t });
    };
  return defineExtension({
    id: ID,
    settings,
    needs: {
      adapter: [
        ...(["createUser", "getUser", "getUserByEmail", "updateUser", "deleteUser"] as const),
        ...(["createCredential", "listCredentialsByUserId", "updateCredential", "deleteCredential"] as const),
        ...(["createVerificationToken", "useVerificationToken"] as const),
      ],
      store: true,
    },
    provesAddresses: true,
    warnings: canMail(settings) || settings.registerAge === null ? [] : [NO_MAIL],
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
    onSession: async (session, t) => {
      if (session.cause === "signin") await (await import("./flows/reset.ts")).bindPermission(session, t);
    },
    section: (slot, t, { callbackUrl }) => (slot === "signin" ? linksOf(settings, t, callbackUrl) : null),
  });
}

const NO_MAIL =
  "password-no-mail: users cannot register or reset passwords, because Password() has no `mail`. With NODE_ENV=development, messages are printed.";

/** Links under the sign-in form. */
function linksOf(settings: Settings, { baseUrl }: RequestTools, callbackUrl: string): Section | null {
  if (!canMail(settings)) return null;
  const { id, texts, registerAge } = settings;
  const link = (action: string, label: string) => ({
    href: `${baseUrl}/${action}/${id}?${new URLSearchParams({ callbackUrl })}`,
    label,
  });
  const register = registerAge === null ? [] : [link("register", texts.registerLink)];
  return { main: components.links(link("reset", texts.resetLink), ...register) };
}
