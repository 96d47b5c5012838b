/** Session tokens for middleware and other servers: `getToken`, `encode`, `decode`. */

export * from "@cardea/core/jwt";
