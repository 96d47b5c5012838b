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

CREATE INDEX "SessionInfo_userId_idx" ON "SessionInfo"("userId");

CREATE INDEX "Credential_userId_idx" ON "Credential"("userId");

CREATE INDEX "State_expires_idx" ON "State"("expires");

CREATE INDEX "StateLog_expires_idx" ON "StateLog"("expires");

INSERT INTO "User" ("id", "name", "email", "emailVerified", "image") VALUES ('fff7863e-2379-4d90-b953-3cd585093073', NULL, 'ann@example.com', '2026-11-22T18:58:11.174Z', NULL);
INSERT INTO "User" ("id", "name", "email", "emailVerified", "image") VALUES ('9b6191ea-7f4c-4ef0-bd22-e6478b61661a', 'Bea O''Neil', 'bea@example.com', '2026-01-01T00:00:00.000Z', 'https://example.com/bea.png');

INSERT INTO "Account" ("userId", "type", "provider", "providerAccountId", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") VALUES ('9b6191ea-7f4c-4ef0-bd22-e6478b61661a', 'oidc', 'op', '1815', 'refresh', 'access', 1800000000, 'bearer', 'openid email', 'an ID token', 'state');

INSERT INTO "Session" ("sessionToken", "userId", "expires") VALUES ('h1:bEQiaSoAoe00SdxF4axDo2m8TofLyAbvTPwDRZ_bejA', 'fff7863e-2379-4d90-b953-3cd585093073', '2027-12-27T18:58:11.000Z');

INSERT INTO "VerificationToken" ("identifier", "token", "expires") VALUES ('ann@example.com', '99c249b1b3dd493099318160fec0ccadf647e9a1e506dc63929ff83fb087e13a', '2026-11-23T18:58:11.242Z');
INSERT INTO "VerificationToken" ("identifier", "token", "expires") VALUES ('ann@example.com', 'fd466f238a468a5873cc035f01d1b90c27bfef7116f462cfdc07345bd8c44fbb', '2026-11-23T18:58:11.250Z');

INSERT INTO "Authenticator" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports") VALUES ('AQIDBA', '9b6191ea-7f4c-4ef0-bd22-e6478b61661a', 'passkeys', 'pQECAyYgASFYIA', 41, 'multiDevice', 1, 'internal,hybrid');

INSERT INTO "SessionInfo" ("id", "tokenHash", "userId", "createdAt", "seenAt", "expires", "factors", "acr", "provider", "providerAccountId", "idp", "epoch", "userAgent", "ip", "deviceKey", "endedAt", "endReason") VALUES ('juhAUquA-wtKKiPJlMa_LQ', 'bEQiaSoAoe00SdxF4axDo2m8TofLyAbvTPwDRZ_bejA', 'fff7863e-2379-4d90-b953-3cd585093073', '2026-11-22T18:58:11.000Z', '2026-11-22T18:58:11.000Z', '2027-12-27T18:58:11.000Z', '[{"m":"email","t":1795373891}]', NULL, 'mail', 'ann@example.com', NULL, 0, NULL, NULL, NULL, NULL, NULL);

INSERT INTO "Credential" ("id", "userId", "type", "secret", "label", "createdAt", "usedAt", "state", "version") VALUES ('54946b31-71e7-4dd4-a371-7b4268291d1f', 'fff7863e-2379-4d90-b953-3cd585093073', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiS3p0cDVpdHpGOG43Q05ha2FoQUNJYUxmMFRNWERCRDEwYnhTU052MkRZTSJ9..Ldqxiz3Q3XyIFVEe.TvnFWtmtzByD4j7tpm_fqC_RbCAB46sf9itw-p2Q4t02Jk38_26n0G0KIe5OUHmwdp0rIsSrXE4NCEnoKtM5hPWPsK0exRinG2FY84V5MzW-nrnfewPHlEXt-xeMKJBjl6b8Z8hqvnpKXuLQox835Ky26xT6Z-yRpc4f3JPXhnfHPF98Tb0ZiE8m7PeeeU_OEzXGUKXj7A.I8vBkvM-fP-vkxJhraTqWA', 'Phone', '2026-11-22T18:58:11.000Z', '2026-11-22T18:58:11.000Z', '{"step":59845795}', 0);
INSERT INTO "Credential" ("id", "userId", "type", "secret", "label", "createdAt", "usedAt", "state", "version") VALUES ('8de71935-4b29-4d4c-ae35-4bc8e47be586', 'fff7863e-2379-4d90-b953-3cd585093073', 'recovery', 'sha-256', NULL, '2026-11-22T18:58:11.000Z', NULL, '{"hashes":["FtCN1UETZpPy22KoSxj_o0h7EXJ4-puHSHM8nvD8nEk","15EDwecz9zTUq8AMsPHERTc1YMiGABrc9rcnBaMPzMg","zv0QAabogUO6hEoBmPhfww8CrfYdnZRQC3nIsI1uDbk","aIWhAi0Sisqj6oBLgtjD-r9lWWEOFnCaEKoc4KADW6Y","6SrnezryBbPCMci7wfnpf-cbmB2Ao-c4zk9nAaspgQY","nBxgffzAmu7zz7gGl4wwlOPQD19x0f9ryGQBt_ru9IA","4Jf3n1TpDEj8ND1Eaq_HTjvckXilMUCQBNVKCnPhXBU","eGPcA3ThuYpfPZ601CC20WDAmJ9AeQajJAxPoK8L1h0","by5OXKkvct7uiQTr-NOckDD4vKKn3dla9zoYSoZPVUE","HSU4knDeTZYh007iD7AobPpngkTRzXY9ShHz6Gzx_O8"]}', 0);

INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#f71f750f7f4f6e1af63ee87d7a22a3d2bc52efeec131b0eaa01a30575aaef854', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiR0pwbFZPVVcyWWc5ZFpZamNYMC1LSmsyTkV5dDREc1VhVWt4cXc2YTZkUSJ9..CkkZ4O_u8rzfvU5G.-mwcXzz1WntutKyRez1zkDxslw4ACsy368k0vyRTMOYz1dSCeODTnLrPCdq6zWYBX7dEtlgYzUEFdNJukouimqvHXqkHtLusdpaOlg5jnxgG1SRyUEp_pp0ugckEiQdLJlsYkLQsbMvOV5DyF1jLQvZZbNKC84v_V8Yp76fzxPr9H0zRNLkeSRGH8m5bhwCYscd6K5FEoLo1SeJLtY7qgI3oRFxctMfhU24CxjFtZD4vxXYTvoJ0CI1XGpcxHaIp0yVm-zFgh3yeKBvH3xk.YER3nmGJePudCYdDx9iFCg', NULL, 2462341807);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#9f9949ec425b9680d7afee2fdd969c7405419640b6ebc42e9b448e2f528b6e6b', '{"phase":"free","fence":1,"owner":"Vrt5cGZc2u_vq1MOrJcV3Q","at":1795373891260,"sent":"hash","times":1}', NULL, 1831657828);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#9cbcf65cc22670296fb85f4f94c7729c09201a78637a5357eb78df369e8e1735', '1', '2026-11-22T19:08:11.271Z', 3378570803);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#edba35450fcc4c328efbcf8a932119b53a8b1e2fee2130b1b343f0bcf1e56151', '{"kind":"reset","email":"ann@example.com","at":1795373892957,"callbackUrl":"/inside","expires":1795377492}', '2026-11-22T19:58:12.960Z', 3956101039);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#92940d1d7095f8ab49a384b4934f2f2ac57399a60046e36adc16caf6048d183b', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiVlo3LXR3cG5aZzQyMnVTdmVpd0sxcVFFUkFUaGFoSnJMbW9kRWFObGJWYyJ9..P_t6NaSC246Hppyn.RI8ZPYWvU2Vzun-Bl3_9WrlEJ4z4sbrEk1LOgy8UPyWy_8xBeLoP1cZCa5zLfU9RySQ4hejKcZP8osgrXKh53XGsIMFaPY4UXzGGfrWJiw7AL_8jRya0Uv-voNEzKL5thWFZTmWeGMmbL48d63UiK8gsBL4.CjwiildTYGNf44tNHsqAfg', '2027-12-27T18:58:12.973Z', 2145483725);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#d83574d67d62211cc626bd0af9884a4e16f715198f109571806ec826eb6bb9d5', '["EhiNSHI1hdJV43gwM8D0Sg"]', '2027-02-20T18:58:12.988Z', 1200979297);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('sample:text', 'it''s ✓', '2026-12-22T18:58:13.008Z', 1171825299);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('sample:count', NULL, '2026-12-22T18:58:13.020Z', 7);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('log:sample', 'a7d57c11-6b16-4a69-8fe4-81bb71cd86e8', NULL, 1);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('sample:beside', 'beside', '2026-12-22T18:58:13.022Z', 1156751468);

INSERT INTO "StateLog" ("name", "seq", "entry", "expires") VALUES ('sample', 1, 'an entry', '2026-12-22T18:58:13.022Z');
