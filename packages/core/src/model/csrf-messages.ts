/** Why a form was refused, by the reason of {@link MissingCSRF}. No value of a request is part of it. */
export const CSRF_MESSAGES = {
  "cross-site": "The form was sent from another site.",
  stale:
    "`csrfToken` or its cookie is missing, invalid or expired. The form was open for too long, or cookies are blocked.",
} as const;
