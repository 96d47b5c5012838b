export { readMark } from "../cookies/pending.ts";
export { createReference, showReference } from "../sign-in/error-reference.ts";
export { carriedCallbackUrl } from "../sign-in/redirect.ts";
