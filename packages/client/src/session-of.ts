/**
 * The session type that a server's `auth` resolves to, without null, inferred from its overloads. A type that is not a function
 * is used as the session type itself.
 */
export type SessionOf<A> = A extends (...args: never) => unknown ? Promised<ResultOf<A>> : A;

/** The session in a promise, without null; `never` for other types. */
type Promised<R> = R extends PromiseLike<infer T> ? (null extends T ? Exclude<T, null | undefined> : never) : never;

/** The results of up to eight overloads. Inference matches them from the last one; missing ones are `unknown`. */
type ResultOf<A> = A extends {
  (...args: infer _1): infer A1;
  (...args: infer _2): infer A2;
  (...args: infer _3): infer A3;
  (...args: infer _4): infer A4;
  (...args: infer _5): infer A5;
  (...args: infer _6): infer A6;
  (...args: infer _7): infer A7;
  (...args: infer _8): infer A8;
}
  ? A1 | A2 | A3 | A4 | A5 | A6 | A7 | A8
  : never;
