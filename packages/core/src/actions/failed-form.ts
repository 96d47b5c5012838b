export { readMark } from "../cookies/pending.ts";
export { createReference, showReference } from "../flows/error-reference.ts";
export { carriedCallbackUrl } from "../flows/redirect.ts";
