/**
 * Creates and reads session tokens outside of a request, and finds the token of a request. `getToken` is not in `crypto/`, because it
 * joins the chunks of a cookie: code that handles keys imports no code that parses requests, so that it can be reviewed on its own.
 */
export { decode, encode } from "./crypto/jwt.ts";
export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from "./model/config.ts";
export type { DefaultJWT, JWT } from "./model/records.ts";
export { type GetTokenParams, getToken } from "./server/get-token.ts";
