/** All errors of the library, and the error values that pages receive in the query. */
export * from "./model/errors.ts";
