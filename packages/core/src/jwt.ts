/** Session tokens for code outside a request's way: make one, read one, find the one of a request. */
export { decode, encode } from "./crypto/jwt.ts";
export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from "./model/config.ts";
export type { DefaultJWT, JWT } from "./model/records.ts";
export { type GetTokenParams, getToken } from "./server/get-token.ts";
