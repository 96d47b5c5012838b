/** Naming of tables and columns in the database. */
export interface NamingOptions {
  /** `"snake_case"`: `verification_token`, `email_verified`, `user_id`. Default: the names of `@auth/drizzle-adapter`. */
  readonly casing?: "snake_case";
  /**
   * Whether the table of passkeys has the columns `name`, `createdAt` and `usedAt`, which tables made for Auth.js lack. Add them to the database
   * first. Default false: passkeys have no names.
   */
  readonly passkeyNames?: boolean;
}

/** Returns a function that maps names to database names. */
export function createNaming({ casing }: NamingOptions): (name: string) => string {
  return casing === "snake_case" ? toSnakeCase : (name) => name;
}

function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
