import type { AuthConfig } from "../model/config.ts";
import { UnsupportedStrategy } from "../model/errors.ts";
import type { Problem } from "../model/sign-in-method.ts";
import { findIssues } from "./find-issues.ts";
import { OPTIONS } from "./options.ts";

/**
 * Checks the configuration's shape and removes invalid members, so that the rest can be checked as well. Never throws.
 *
 * @returns all problems, each with the option, the accepted values, and the kind of value that was given, never the value; and the
 * configuration without the members that have one.
 */
export function checkShape(config: unknown): { readonly problems: readonly Problem[]; readonly usable: AuthConfig } {
  const issues = findIssues(config, OPTIONS);
  if (issues.length === 0) return { problems: [], usable: assumeConfig(config) };
  const problems = issues.map(({ path, message: accepted, given }) => {
    const option = path.join(".") || "config";
    const message = `must be ${accepted} (given: ${kindOf(given)})`;
    if (option !== "session.strategy") return { option, message };
    return { option, message, error: (text: string) => new UnsupportedStrategy(text) };
  });
  const usable = issues.reduce((rest: unknown, { path }) => withoutMember(rest, path), config);
  return { problems, usable: assumeConfig({ providers: [], ...Object(usable) }) };
}

/** Copies the objects on the path to a member and omits the member; of a list, the whole list is omitted. */
function withoutMember(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || key === undefined) return undefined;
  const { [key]: member, ...others }: Record<PropertyKey, unknown> = { ...value };
  const inner = rest.length === 0 ? undefined : withoutMember(member, rest);
  return inner === undefined ? others : { ...others, [key]: inner };
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The members were checked; the types of functions cannot be checked. */
function assumeConfig(config: unknown): AuthConfig {
  return config as AuthConfig;
}
