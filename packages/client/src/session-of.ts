/**
 * The session that a server's `auth` resolves to, found in its overloads: what they promise besides null. Anything that
 * is no function is taken for the session itself.
 */
export type SessionOf<A> = A extends (...args: never) => unknown ? Promised<ResultOf<A>> : A;

type Promised<R> = R extends PromiseLike<infer T> ? (null extends T ? Exclude<T, null | undefined> : never) : never;

/** The results of up to eight overloads; inference pairs them from the last one backwards, what is missing is `unknown`. */
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
