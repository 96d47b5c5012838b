import { cacheSecrets } from "../crypto/direct-jwe.ts";
import type { AuthConfig } from "../model/config.ts";
import { findRecent, keepRecent } from "../model/recent.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { createApplications, MAX_APPLICATIONS, useRecent } from "./applications.ts";
import { type Environment, runtimeEnvironment } from "./env.ts";
import { isPlainObject } from "./merge-options.ts";

/**
 * An application that creates its configuration per request usually creates the same one every time. A configuration with known
 * content is not resolved and checked again.
 *
 * 1. The content is compared with a copy, member by member: object literals and lists by their members and order, including
 *    symbol keys; functions, class instances and everything else by identity. Changes to an object that is reused are noticed.
 * 2. The functions in `callbacks`, `events` and `logger` may be new ones each time; the current ones are called.
 * 3. The environment variables that were read during resolution must have the same values.
 * 4. In-memory state belongs to the application, which is found by its secrets (`applications.ts`): tenants with different secrets
 *    share none.
 */

/** Resolves a configuration with the variables of this environment. */
type Resolve = (env: Environment) => ResolvedConfig;

/** Variables that only a request has, such as the bindings of a worker. */
export type RequestVariables = Readonly<Record<string, unknown>>;

/** Like {@link Resolve}, but reuses the result for a known configuration. */
type Reuse = (given: AuthConfig, own: RequestVariables | undefined, resolve: Resolve) => ResolvedConfig;

interface Known {
  readonly content: unknown;
  readonly variables: ReadonlyMap<string, string | undefined>;
  readonly config: ResolvedConfig;
}

/** Configurations to remember for one secret. The least recently used one is dropped first. */
const MAX_KNOWN = 32;

/** Deeper objects count as different each time. No option is nested that deep, and an object may contain itself. */
const MAX_DEPTH = 8;

/** The options of rule 2. */
const LIVE: readonly PropertyKey[] = ["callbacks", "events", "logger"];

/** Remembers the configurations of one configuration function. */
export function createReuse(): Reuse {
  // By the first secret, so that a configuration is compared with those of its own tenant only.
  const bySecret = new Map<unknown, Known[]>();
  const applicationOf = createApplications(() => ({}));
  const resolveNew = (env: Environment, resolve: Resolve, most: number): ResolvedConfig => {
    const config = resolve(env);
    cacheSecrets(most);
    return Object.freeze({ ...config, application: applicationOf(config.secrets, most) });
  };
  return (given, own, resolve) => {
    const env = own === undefined ? runtimeEnvironment() : { ...runtimeEnvironment(), ...textOf(own) };
    const { maxTenants: most = MAX_APPLICATIONS } = given;
    const isKnown = ({ content, variables }: Known) => isSame(content, given) && areSame(variables, env);
    const create = () => resolveAgain(given, env, (recording) => resolveNew(recording, resolve, most));
    const secret: unknown = Array.isArray(given.secret) ? given.secret[0] : given.secret;
    const known = findRecent(bySecret, secret, most) ?? keepRecent(bySecret, secret, [], most);
    return withLive(useRecent(known, isKnown, create, MAX_KNOWN).config, given);
  };
}

/** What is no text, number or boolean, such as a store, is no variable. */
function textOf(own: RequestVariables): Environment {
  const values = Object.entries(own).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}

function resolveAgain(given: AuthConfig, env: Environment, resolve: Resolve): Known {
  const variables = new Map<string, string | undefined>();
  const content = copyOf(given, 0, false);
  const recording = new Proxy(env, {
    get: (target, name) => {
      const value = target[String(name)];
      variables.set(String(name), value);
      return value;
    },
  });
  return { content, variables, config: resolve(recording) };
}

function areSame(variables: Known["variables"], env: Environment): boolean {
  for (const [name, value] of variables) if (env[name] !== value) return false;
  return true;
}

/** Rule 2. With the same functions the same object is returned, because limits and marks are stored by it. */
function withLive(config: ResolvedConfig, { callbacks = {}, events = {}, logger = {} }: AuthConfig): ResolvedConfig {
  const isUnchanged =
    haveSameMembers(config.callbacks, callbacks) &&
    haveSameMembers(config.events, events) &&
    haveSameMembers(config.logger, logger);
  return isUnchanged ? config : Object.freeze({ ...config, callbacks, events, logger });
}

function haveSameMembers(one: object, other: object): boolean {
  return one === other || Object.keys(other).every((name) => Reflect.get(one, name) === Reflect.get(other, name));
}

/** A copy of an object literal or a list. */
class Copy {
  readonly isList: boolean;
  readonly keys: readonly PropertyKey[];
  readonly values: readonly unknown[];

  constructor(isList: boolean, keys: readonly PropertyKey[], values: readonly unknown[]) {
    this.isList = isList;
    this.keys = keys;
    this.values = values;
  }
}

/** Stands for any function, by rule 2. */
const ANY_FUNCTION = Symbol("any function");

function copyOf(value: unknown, depth: number, isLive: boolean): unknown {
  if (isLive && typeof value === "function") return ANY_FUNCTION;
  if (!isPlainObject(value) && !Array.isArray(value)) return value;
  // A symbol that equals no other, so the object counts as different.
  if (depth === MAX_DEPTH) return new Copy(false, [Symbol("too deep")], []);
  const keys = Reflect.ownKeys(value);
  const copies = keys.map((key) =>
    copyOf(Reflect.get(value, key), depth + 1, isLive || (depth === 0 && LIVE.includes(key))),
  );
  return new Copy(Array.isArray(value), keys, copies);
}

function isSame(known: unknown, given: unknown): boolean {
  if (known === ANY_FUNCTION) return typeof given === "function";
  if (!(known instanceof Copy)) return Object.is(known, given);
  if (known.isList ? !Array.isArray(given) : !isPlainObject(given)) return false;
  const members: object = Object(given);
  const keys = Reflect.ownKeys(members);
  return (
    keys.length === known.keys.length &&
    keys.every((key, at) => key === known.keys[at] && isSame(known.values[at], Reflect.get(members, key)))
  );
}
