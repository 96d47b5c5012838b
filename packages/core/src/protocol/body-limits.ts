/** Limits of a request body, at the endpoints and in a framework's own form actions (docs/behaviour.md#actions). */

/** Maximum size of a body in bytes. */
export const BODY_LIMIT = 65_536;

/** Maximum number of fields. Each costs far more than its bytes, and the forms of an application have few. */
export const FIELD_LIMIT = 200;
