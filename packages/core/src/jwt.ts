/** Creates and reads session tokens outside of a request, and finds the token of a request. */
export { decode, encode } from "./crypto/jwt.ts";
export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from "./model/config.ts";
export type { DefaultJWT, JWT } from "./model/records.ts";
export { type GetTokenParams, getToken } from "./server/get-token.ts";
