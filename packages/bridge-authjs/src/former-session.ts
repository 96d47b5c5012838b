/** Sessions as Auth.js v5 showed them, for applications that moved from it. */

import type { Callbacks } from "@cardea/core";

type Callback = NonNullable<Callbacks["session"]>;
type Params = Parameters<Callback>[0];

/** A callback in place of the application's own, which may be absent. */
type Replace = (callback: Callback | undefined) => (params: Params) => unknown;

/**
 * Calls `callbacks.session` of a configuration as Auth.js v5 did: with sessions in a database, `session` has the whole row of the user and
 * `userId`. Without the callback, the session has name, e-mail address and image, as it does without this function.
 *
 * @param config A configuration, or a function that returns one.
 */
export function formerSession<C>(config: C): C {
  return replaced(config, byRow, (callback) => {
    return (params) => {
      const standard = standardOf(params, []);
      const given = withRow(params);
      return callback === undefined ? standard : callback(given);
    };
  });
}

/**
 * The same for `next-auth`, whose `auth()` also added what the callback leaves out: the row of the user, or the token.
 *
 * 1. Without a result of the callback, the session has the whole row; without its `user`, the row or the token.
 * 2. As JSON, and so in the browser, such a session is what it was in the browser: what the callback returned, or without a callback name,
 *    e-mail address and image.
 * 3. Values are those of JSON: dates are texts.
 *
 * @param columns Columns of the user that a browser sees as well, where there is no callback.
 */
export function formerServerSession<C>(config: C, columns: readonly string[] = []): C {
  return replaced(config, byServer, (callback) => async (params) => {
    const standard = standardOf(params, columns);
    const given = withRow(params);
    const result: unknown = callback === undefined ? undefined : await callback(given);
    const whole = { user: userOf(params) ?? params.token, ...Object(result ?? given.session) };
    const json: object = JSON.parse(JSON.stringify(whole));
    const session = userOf(params) === undefined ? json : withoutToken(json);
    if (typeof result === "object" && result !== null && "user" in result) return session;
    const shown = callback === undefined ? standard : (result ?? null);
    return Object.defineProperty(session, "toJSON", { value: () => shown });
  });
}

/** The replaced configurations: each stays one object, by which the library remembers what it resolved. */
type Known = WeakMap<object, unknown>;
const byRow: Known = new WeakMap();
const byServer: Known = new WeakMap();

function replaced<C>(config: C, known: Known, replace: Replace): C {
  const made: unknown = isFunction(config) ? calling(config, known, replace) : copy(config, known, replace);
  // A configuration with another callback of the same type, or a function that returns one.
  return made as C;
}

type Configure = (...args: unknown[]) => unknown;

function isFunction(config: unknown): config is Configure {
  return typeof config === "function";
}

function calling(configure: Configure, known: Known, replace: Replace): Configure {
  return (...args) => {
    const config = configure(...args);
    return config instanceof Promise
      ? config.then((one: unknown) => replaced(one, known, replace))
      : replaced(config, known, replace);
  };
}

function copy(config: unknown, known: Known, replace: Replace): unknown {
  if (typeof config !== "object" || config === null) return config;
  const made = known.get(config);
  if (made !== undefined) return made;
  const { callbacks }: { callbacks?: Callbacks } = config;
  const copied = { ...config, callbacks: { ...callbacks, session: replace(callbacks?.session) } };
  known.set(config, copied);
  return copied;
}

/** What Auth.js showed without a callback. */
function standardOf({ session, ...params }: Params, columns: readonly string[]): object {
  const user = userOf(params);
  const expires: unknown = session.expires;
  return {
    user: { ...session.user, ...Object.fromEntries(columns.map((name) => [name, Object(user)[name]])) },
    expires: expires instanceof Date ? expires.toISOString() : expires,
  };
}

/** The parameters, with the row in `session`, which is changed itself: a callback may return it. */
function withRow(params: Params): Params {
  const user = userOf(params);
  if (user === undefined) return params;
  return { ...params, session: withoutToken(Object.assign(params.session, { userId: Object(user).id, user })) };
}

/** The row of the user, with sessions in a database. */
function userOf({ user }: { user?: unknown }): unknown {
  return user ?? undefined;
}

/** Auth.js also showed the token of a session. Code that decides by it must not go on without it. */
function withoutToken<S extends object>(session: S): S {
  const get = (): never => {
    throw new Error(
      "`session.sessionToken` is not available: the token of a session is a secret (docs/bridge.md#former-sessions).",
    );
  };
  return Object.defineProperty(session, "sessionToken", { get, configurable: true });
}
