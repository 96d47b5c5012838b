export { carriedCallbackUrl } from "../flows/redirect.ts";
