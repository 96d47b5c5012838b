/** Every error of the library, and the query values that pages are shown. */
export * from "./model/errors.ts";
