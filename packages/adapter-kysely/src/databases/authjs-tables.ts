/**
 * The tables that the documentation of `@auth/kysely-adapter` creates in PostgreSQL: ids are of type uuid, made by the database where a
 * row has none; an address is required; nothing keeps two rows of one account apart.
 */
export const AUTHJS_POSTGRES = `
  CREATE TABLE "User" (
    "id" uuid PRIMARY KEY DEFAULT gen_random_uuid(), "name" text, "email" text NOT NULL UNIQUE,
    "emailVerified" timestamptz, "image" text
  );
  CREATE TABLE "Account" (
    "id" uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    "userId" uuid NOT NULL REFERENCES "User" ("id") ON DELETE CASCADE, "type" text NOT NULL, "provider" text NOT NULL,
    "providerAccountId" text NOT NULL, "refresh_token" text, "access_token" text, "expires_at" bigint, "token_type" text,
    "scope" text, "id_token" text, "session_state" text
  );
  CREATE TABLE "Session" (
    "id" uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    "userId" uuid NOT NULL REFERENCES "User" ("id") ON DELETE CASCADE, "sessionToken" text NOT NULL UNIQUE,
    "expires" timestamptz NOT NULL
  );
  CREATE TABLE "VerificationToken" ("identifier" text NOT NULL, "token" text NOT NULL UNIQUE, "expires" timestamptz NOT NULL);
  CREATE INDEX "Account_userId_index" ON "Account" ("userId");
  CREATE INDEX "Session_userId_index" ON "Session" ("userId");
`;
