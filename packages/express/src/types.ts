import type { AuthConfig, Session } from "@cardea/core/types";

/** The configuration, under its Auth.js name. */
export type ExpressAuthConfig<S = Session, A = S> = AuthConfig<S, A>;

/** The result of `auth(req)`, under its Auth.js name. */
export type GetSessionResult<S = Session> = Promise<S | null>;
