import type { ErrorType } from "./auth-error.ts";
import type { Seconds } from "./units.ts";

/** Who ended a session. `policy`: a limit or an age that the application configured. */
export type EndedBy = "owner" | "admin" | "provider" | "policy" | "signal";

/** A security fact for `observe`, without the common members. */
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
      /** An attempt was rejected before anything was checked. */
      readonly kind: "attempt.refused";
      readonly provider: string;
      readonly code: string;
      readonly retryAfter: Seconds;
    }
  | {
      /** A second factor, such as `totp` or `recovery`, was added to a user or removed; `all`: every one of them. */
      readonly kind: "factor.added" | "factor.removed";
      readonly userId: string;
      readonly factor: string;
      readonly by: EndedBy;
    }
  | {
      /** A proof of a second factor was wrong. */
      readonly kind: "factor.refused";
      readonly userId: string;
      readonly factor: string;
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
      /** A password was stored for a user. */
      readonly kind: "password.changed";
      readonly userId: string;
      readonly by: EndedBy;
      readonly how: "register" | "reset" | "change" | "add" | "import";
    }
  | {
      /** A new password was not checked for breaches, because the service was unavailable. */
      readonly kind: "password.unchecked";
      readonly why: string;
    }
  | {
      /** The name of a user was changed on the account page. */
      readonly kind: "profile.changed";
      readonly userId: string;
      readonly by: EndedBy;
    }
  | {
      /** The e-mail address of a user was changed to one that they have proven; `undo`: the former one was restored. */
      readonly kind: "address.changed";
      readonly userId: string;
      readonly by: EndedBy;
      readonly how: "change" | "undo";
    }
  | {
      /** A way to sign in was added to a user who exists, removed from one, or a passkey was named. */
      readonly kind: "method.added" | "method.removed" | "method.renamed";
      readonly userId: string;
      readonly by: EndedBy;
      readonly method: "account" | "passkey" | "password";
      /** Id of the provider; absent for a password. */
      readonly provider?: string;
    }
  | {
      /** A user is to be deleted, is no longer to be deleted, or was deleted. */
      readonly kind: "deletion.requested" | "deletion.cancelled" | "user.deleted";
      readonly userId: string;
      readonly by: EndedBy;
    }
  | {
      /** A limit works without its store, stricter than configured. */
      readonly kind: "limits.degraded";
      readonly why: string;
    };

/** A security-relevant event, reported when it happens. Closed union, versioned by `v`. */
export type SecurityFact = SecurityFactBody & {
  readonly v: 1;
  /** Milliseconds since the epoch. */
  readonly time: number;
};
