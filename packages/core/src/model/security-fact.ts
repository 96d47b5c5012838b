import type { ErrorType } from "./error-types.ts";
import type { Seconds } from "./units.ts";

/** Who ended a session. `policy`: a limit or an age that the application configured. */
export type EndedBy = "owner" | "admin" | "provider" | "policy" | "signal";

/** A fact that `observe` is told, without the members that all of them have. */
export type SecurityFactBody =
  | {
      /** A session was issued. */
      readonly kind: "signin.succeeded";
      readonly userId: string;
      readonly provider: string;
      /** Methods, see {@link import("./session-facts.ts").Factor}. */
      readonly factors: readonly string[];
      readonly sid: string;
    }
  | {
      /** A sign-in ended without a session. */
      readonly kind: "signin.refused";
      readonly provider: string;
      readonly why: ErrorType;
    }
  | {
      /** An attempt was refused before anything was checked. */
      readonly kind: "attempt.refused";
      readonly provider: string;
      readonly code: string;
      readonly retryAfter: Seconds;
    }
  | {
      readonly kind: "session.ended";
      readonly by: EndedBy;
      readonly userId: string;
      /** Absent when every session of the user ended. */
      readonly sid?: string;
      readonly reason?: string;
    }
  | {
      /** A limit goes on without its store, stricter than configured. */
      readonly kind: "limits.degraded";
      readonly why: string;
    };

/** Something that happened and matters to security; told at the point where it happens. Closed, and versioned by `v`. */
export type SecurityFact = SecurityFactBody & {
  readonly v: 1;
  /** Milliseconds since the epoch. */
  readonly time: number;
};
