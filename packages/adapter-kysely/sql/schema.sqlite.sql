-- Tables of @cardea/adapter-kysely in SQLite, libSQL and D1. The first four are those of @auth/kysely-adapter.
-- Times are ISO 8601 text. Each connection needs PRAGMA foreign_keys = ON (libSQL and D1 have it).

CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT,
    "email" TEXT,
    "emailVerified" TEXT,
    "image" TEXT
);

CREATE TABLE "Account" (
    "userId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "providerAccountId" TEXT NOT NULL,
    "refresh_token" TEXT,
    "access_token" TEXT,
    "expires_at" INTEGER,
    "token_type" TEXT,
    "scope" TEXT,
    "id_token" TEXT,
    "session_state" TEXT,

    PRIMARY KEY ("provider", "providerAccountId"),
    CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Session" (
    "sessionToken" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expires" TEXT NOT NULL,
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "VerificationToken" (
    "identifier" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires" TEXT NOT NULL,

    PRIMARY KEY ("identifier", "token")
);

CREATE TABLE "Authenticator" (
    "credentialID" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "providerAccountId" TEXT NOT NULL,
    "credentialPublicKey" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "credentialDeviceType" TEXT NOT NULL,
    "credentialBackedUp" INTEGER NOT NULL,
    "transports" TEXT,
    "name" TEXT,
    "createdAt" TEXT,
    "usedAt" TEXT,

    PRIMARY KEY ("userId", "credentialID"),
    CONSTRAINT "Authenticator_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "SessionInfo" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tokenHash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "createdAt" TEXT NOT NULL,
    "seenAt" TEXT NOT NULL,
    "expires" TEXT NOT NULL,
    "factors" TEXT NOT NULL,
    "acr" TEXT,
    "provider" TEXT NOT NULL,
    "providerAccountId" TEXT NOT NULL,
    "idp" TEXT,
    "epoch" INTEGER NOT NULL,
    "userAgent" TEXT,
    "ip" TEXT,
    "deviceKey" TEXT,
    "endedAt" TEXT,
    "endReason" TEXT,
    CONSTRAINT "SessionInfo_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "Credential" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "label" TEXT,
    "createdAt" TEXT NOT NULL,
    "usedAt" TEXT,
    "state" TEXT,
    "version" INTEGER NOT NULL,
    CONSTRAINT "Credential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "State" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT,
    "expires" TEXT,
    "version" INTEGER NOT NULL
);

CREATE TABLE "StateLog" (
    "name" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "entry" TEXT NOT NULL,
    "expires" TEXT NOT NULL,

    PRIMARY KEY ("name", "seq")
);

CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

CREATE INDEX "Account_userId_idx" ON "Account"("userId");

CREATE UNIQUE INDEX "Session_sessionToken_key" ON "Session"("sessionToken");

CREATE INDEX "Session_userId_idx" ON "Session"("userId");

CREATE UNIQUE INDEX "Authenticator_credentialID_key" ON "Authenticator"("credentialID");

CREATE UNIQUE INDEX "SessionInfo_tokenHash_key" ON "SessionInfo"("tokenHash");

CREATE INDEX "SessionInfo_userId_endedAt_expires_idx" ON "SessionInfo"("userId", "endedAt", "expires");

CREATE INDEX "SessionInfo_expires_idx" ON "SessionInfo"("expires");

CREATE INDEX "Credential_userId_idx" ON "Credential"("userId");

CREATE INDEX "State_expires_idx" ON "State"("expires");

CREATE INDEX "StateLog_expires_idx" ON "StateLog"("expires");
