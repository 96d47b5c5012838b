import type {
  AuthConfig,
  ExtensionAction,
  ExtensionsResolution,
  GivenExtension,
  Problem,
  ResolvedExtensions,
} from "@cardea/core/extension-host";
import {
  type Adapter,
  type AdapterMethod,
  CORE_ACTIONS,
  createSessionFormats,
  type Extension,
  MissingAdapterMethods,
  onFirstCall,
  type Surroundings,
} from "@cardea/core/extension-kit";
import { findFormatProblems } from "./find-format-problems.ts";

/** The adapter methods for recording sessions. */
const RECORDS = [
  "createSessionInfo",
  "getSessionInfo",
  "updateSessionInfo",
  "listSessionInfosByUserId",
] as const satisfies readonly AdapterMethod[];

/**
 * Checks the extensions and combines what they contribute.
 *
 * 1. Each extension has a unique id.
 * 2. The configuration has everything that the extension needs.
 * 3. The first segment of an action belongs to one extension. It is not an action of core, nor reserved for another extension.
 * 4. The accepted session cookies of other libraries do not conflict (`find-format-problems.ts`).
 *
 * @param load loads what calls extensions, with the first request that needs it.
 */
export function resolveExtensions(
  given: AuthConfig,
  listed: readonly GivenExtension[],
  load: () => Promise<object>,
): ExtensionsResolution {
  const problems: Problem[] = [];
  const list: Extension[] = [];
  for (const { option, extension } of listed) {
    // Two providers may carry the same one.
    if (option.startsWith("providers[") && list.some((one) => one === extension)) continue;
    if (isExtension(extension) && !list.some(({ id }) => id === extension.id)) list.push(extension);
    else if (isExtension(extension)) problems.push({ option, message: `"${extension.id}" is listed twice` });
    else problems.push({ option, message: "must have an `id` (a-z, 0-9, `-`)" });
  }
  const actions = new Map<string, Map<string, ExtensionAction>>();
  for (const extension of list) {
    problems.push(...findMissing(given, extension, list), ...addActions(extension, actions));
  }
  problems.push(...findFormatProblems(given, list));
  const foreign = list.flatMap(({ sessionFormats = [] }) => sessionFormats);
  const formats = foreign.length === 0 ? undefined : createSessionFormats(foreign);
  const extensions: ResolvedExtensions = {
    list,
    actions,
    formats,
    checks: list.filter(({ checkSession }) => checkSession !== undefined).map(({ id }) => id),
    recordsSessions: list.some(({ needs }) => needs?.sessionInfo === true),
    keepsTokens: list.some(({ keepsTokens }) => keepsTokens === true),
    hashesTokens: list.some(({ hashesTokens }) => hashesTokens === true),
    guard: onFirstCall(load),
  };
  const surroundings: Surroundings = {
    adapterHas: (...methods) => methods.every((method) => hasMethod(given, method)),
    hasExtension: (id) => list.some((one) => one.id === id),
  };
  const warnings = list.flatMap(({ warnings: some = [] }) => (typeof some === "function" ? some(surroundings) : some));
  return { extensions, problems, warnings };
}

function isExtension(value: unknown): value is Extension {
  return (
    typeof value === "object" && value !== null && "id" in value && /^[a-z][a-z0-9-]{0,63}$/.test(String(value.id))
  );
}

/** Any member may be missing, whatever the adapter's type. */
function hasMethod({ adapter = {} }: AuthConfig, method: AdapterMethod): boolean {
  return typeof (adapter as Adapter)[method] === "function";
}

function findMissing(given: AuthConfig, { id, needs = {} }: Extension, list: readonly Extension[]): Problem[] {
  const has = (method: AdapterMethod) => hasMethod(given, method);
  const store = given.store ?? (given.adapter as Adapter | undefined)?.store;
  const missing = (needs.adapter ?? []).filter((method) => !has(method));
  const others = (needs.extensions ?? []).filter((other) => !list.some((one) => one.id === other));
  const problems: Problem[] = others.map((other) => ({
    option: "extensions",
    message: `lacks "${other}", which the extension "${id}" needs`,
  }));
  if (missing.length > 0) {
    const message = `lacks methods that the extension "${id}" needs: ${missing.join(", ")}`;
    const error = (text: string) => new MissingAdapterMethods(text, { cause: { missing } });
    problems.push({ option: "adapter", message, error });
  }
  const lacksRecords = needs.sessionInfo === true && store === undefined && !RECORDS.every(has);
  if ((needs.store !== undefined && store === undefined) || lacksRecords) {
    problems.push({ option: "store", message: `is missing: the extension "${id}" needs it (docs/stores.md)` });
  } else if (needs.store === "log" && store?.log === undefined) {
    problems.push({ option: "store", message: `has no \`log\`: the extension "${id}" needs it (docs/stores.md)` });
  }
  return problems;
}

/** Adds an extension's actions to the table. */
function addActions(extension: Extension, actions: Map<string, Map<string, ExtensionAction>>): Problem[] {
  const { id } = extension;
  return Object.entries(extension.actions ?? {}).flatMap(([key, spec]): Problem[] => {
    const [, method = "", name = ""] = /^(GET|POST) ([a-z][a-z0-9-]*)$/.exec(key) ?? [];
    const owner = ownerOf(name, actions);
    const problem = (message: string) => [
      { option: "extensions", message: `has an action "${key}" of "${id}" ${message}` },
    ];
    if (method === "") return problem("that is not `GET name` or `POST name`");
    if (owner !== undefined && owner !== id) return problem(`whose name belongs to ${owner}`);
    if (method === "GET" && spec.csrf !== "none")
      return problem("that requires a CSRF token, which a GET does not send");
    const methods = actions.get(name) ?? new Map<string, ExtensionAction>();
    // A frozen copy, so that an action cannot change after it was checked.
    actions.set(name, methods.set(method, { extension, spec: Object.freeze({ ...spec }) }));
    return [];
  });
}

function ownerOf(name: string, actions: ReadonlyMap<string, ReadonlyMap<string, ExtensionAction>>): string | undefined {
  if (CORE_ACTIONS.includes(name)) return "core";
  const [first] = actions.get(name)?.values() ?? [];
  return first?.extension.id ?? (Object.hasOwn(RESERVED_ACTIONS, name) ? RESERVED_ACTIONS[name] : undefined);
}

/** Actions reserved for the extension with this id, even if it is not configured. */
const RESERVED_ACTIONS: Readonly<Record<string, string>> = {
  sessions: "sessions",
  factor: "second-factor",
  factors: "second-factor",
  "step-up": "step-up",
  signedout: "logout",
  backchannel: "logout",
  frontchannel: "logout",
  register: "password",
  reset: "password",
  password: "password",
  account: "account",
  token: "api",
  jwks: "api",
  dbsc: "dbsc",
  signals: "signals",
};
