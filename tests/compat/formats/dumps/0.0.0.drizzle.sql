-- Tables of @cardea/adapter-drizzle in SQLite, libSQL and D1, as drizzle-kit makes them.

CREATE TABLE `user` (
    `id` text PRIMARY KEY NOT NULL,
    `name` text,
    `email` text,
    `emailVerified` integer,
    `image` text
);

CREATE UNIQUE INDEX `user_email_unique` ON `user` (`email`);

CREATE TABLE `account` (
    `userId` text NOT NULL,
    `type` text NOT NULL,
    `provider` text NOT NULL,
    `providerAccountId` text NOT NULL,
    `refresh_token` text,
    `access_token` text,
    `expires_at` integer,
    `token_type` text,
    `scope` text,
    `id_token` text,
    `session_state` text,
    PRIMARY KEY(`provider`, `providerAccountId`),
    FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `account_userId_idx` ON `account` (`userId`);

CREATE TABLE `session` (
    `sessionToken` text PRIMARY KEY NOT NULL,
    `userId` text NOT NULL,
    `expires` integer NOT NULL,
    FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `session_userId_idx` ON `session` (`userId`);

CREATE TABLE `verificationToken` (
    `identifier` text NOT NULL,
    `token` text NOT NULL,
    `expires` integer NOT NULL,
    PRIMARY KEY(`identifier`, `token`)
);

CREATE TABLE `authenticator` (
    `credentialID` text NOT NULL,
    `userId` text NOT NULL,
    `providerAccountId` text NOT NULL,
    `credentialPublicKey` text NOT NULL,
    `counter` integer NOT NULL,
    `credentialDeviceType` text NOT NULL,
    `credentialBackedUp` integer NOT NULL,
    `transports` text,
    PRIMARY KEY(`userId`, `credentialID`),
    FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `authenticator_credentialID_unique` ON `authenticator` (`credentialID`);

CREATE TABLE `sessionInfo` (
    `id` text PRIMARY KEY NOT NULL,
    `tokenHash` text NOT NULL,
    `userId` text NOT NULL,
    `createdAt` integer NOT NULL,
    `seenAt` integer NOT NULL,
    `expires` integer NOT NULL,
    `factors` text NOT NULL,
    `acr` text,
    `provider` text NOT NULL,
    `providerAccountId` text NOT NULL,
    `idp` text,
    `epoch` integer NOT NULL,
    `userAgent` text,
    `ip` text,
    `deviceKey` text,
    `endedAt` integer,
    `endReason` text,
    FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `sessionInfo_tokenHash_unique` ON `sessionInfo` (`tokenHash`);

CREATE INDEX `sessionInfo_userId_idx` ON `sessionInfo` (`userId`);

CREATE TABLE `credential` (
    `id` text PRIMARY KEY NOT NULL,
    `userId` text NOT NULL,
    `type` text NOT NULL,
    `secret` text NOT NULL,
    `label` text,
    `createdAt` integer NOT NULL,
    `usedAt` integer,
    `state` text,
    `version` integer NOT NULL,
    FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `credential_userId_idx` ON `credential` (`userId`);

CREATE TABLE `state` (
    `key` text PRIMARY KEY NOT NULL,
    `value` text,
    `expires` integer,
    `version` integer NOT NULL
);

CREATE INDEX `state_expires_idx` ON `state` (`expires`);

CREATE TABLE `stateLog` (
    `name` text NOT NULL,
    `seq` integer NOT NULL,
    `entry` text NOT NULL,
    `expires` integer NOT NULL,
    PRIMARY KEY(`name`, `seq`)
);

CREATE INDEX `stateLog_expires_idx` ON `stateLog` (`expires`);

INSERT INTO "User" ("id", "name", "email", "emailVerified", "image") VALUES ('e228ecb2-5eab-45ea-bf42-e1d02ca4d2b5', NULL, 'ann@example.com', 1795373893097, NULL);
INSERT INTO "User" ("id", "name", "email", "emailVerified", "image") VALUES ('dc1a967f-bfa1-4260-ad95-97f033a594b2', 'Bea O''Neil', 'bea@example.com', 1767225600000, 'https://example.com/bea.png');

INSERT INTO "Account" ("userId", "type", "provider", "providerAccountId", "refresh_token", "access_token", "expires_at", "token_type", "scope", "id_token", "session_state") VALUES ('dc1a967f-bfa1-4260-ad95-97f033a594b2', 'oidc', 'op', '1815', 'refresh', 'access', 1800000000, 'bearer', 'openid email', 'an ID token', 'state');

INSERT INTO "Session" ("sessionToken", "userId", "expires") VALUES ('h1:6IuY_cuTCjFfAiVFxor_0z0pdDJOBgFE-BdV03kRErA', 'e228ecb2-5eab-45ea-bf42-e1d02ca4d2b5', 1829933893000);

INSERT INTO "VerificationToken" ("identifier", "token", "expires") VALUES ('ann@example.com', '91465b513c9f6520a4c3fa7faa9425f8bda445f57ad35dd0baa41f54dda7182d', 1795460293153);
INSERT INTO "VerificationToken" ("identifier", "token", "expires") VALUES ('ann@example.com', '9d5cf29952343b8dfbbf487402e3b8c4de04a1962d3ef087a448f3f0c90776db', 1795460293162);

INSERT INTO "Authenticator" ("credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports") VALUES ('AQIDBA', 'dc1a967f-bfa1-4260-ad95-97f033a594b2', 'passkeys', 'pQECAyYgASFYIA', 41, 'multiDevice', 1, 'internal,hybrid');

INSERT INTO "SessionInfo" ("id", "tokenHash", "userId", "createdAt", "seenAt", "expires", "factors", "acr", "provider", "providerAccountId", "idp", "epoch", "userAgent", "ip", "deviceKey", "endedAt", "endReason") VALUES ('SFchiNtCQzSVPtMHgk9kGg', '6IuY_cuTCjFfAiVFxor_0z0pdDJOBgFE-BdV03kRErA', 'e228ecb2-5eab-45ea-bf42-e1d02ca4d2b5', 1795373893000, 1795373893000, 1829933893000, '[{"m":"email","t":1795373893}]', NULL, 'mail', 'ann@example.com', NULL, 0, NULL, NULL, NULL, NULL, NULL);

INSERT INTO "Credential" ("id", "userId", "type", "secret", "label", "createdAt", "usedAt", "state", "version") VALUES ('c226ebe1-1102-4eee-82fe-1df1f12d4bfb', 'e228ecb2-5eab-45ea-bf42-e1d02ca4d2b5', 'totp', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiS3p0cDVpdHpGOG43Q05ha2FoQUNJYUxmMFRNWERCRDEwYnhTU052MkRZTSJ9..PS8wp85L3HwVxWXK.K7jX-1Jb8WKCVQp7lI7QutzGyfKF-YUuP6xgJHUw2PpDuOX_hI-TppClfc7vazX3LMr7GgoXe7_RsvRjzvk2i92xkmAcE7oGELAT_oZ2lpqyJb8uTmK2sWPwNxnbCD4yxfQSs4bymr6Zbt5lgvp8e12qkzmmfz2vo_CcmmtrglNe2sixCKopoVIVCocly9_ubRV-QIzSNg.aiI_shMZODszWUHEgOyL9w', 'Phone', 1795373893000, 1795373893000, '{"step":59845795}', 0);
INSERT INTO "Credential" ("id", "userId", "type", "secret", "label", "createdAt", "usedAt", "state", "version") VALUES ('7af43415-161a-4f3c-afb9-8f31766985c3', 'e228ecb2-5eab-45ea-bf42-e1d02ca4d2b5', 'recovery', 'sha-256', NULL, 1795373893000, NULL, '{"hashes":["LGZlFZRDInGLDi5zLD0NrTa-vXU5Ju806_XlUaMCMlE","E3Duq-lSOQ8c4XR30bCRM2GVI88ywe6kOFNBftlQoGw","vyFLSRjzWB_rYZeeWUxvFgpoqHppTx8ZfuY031FBpb8","xZScBDpr4u2GYzxJbuODhUXYjeGyanHtlX41yVWww0k","rASGd2GDK5TmgK0BUQS3dLMf2KXZMZvAi8RLR9KaQ0k","yG8Yy2fJBP2V7036Wxrqeyq05z2wn4m_Thdrr0zuT50","MK3JRbWEOVGWy-KLCb8NijMlaHxcsPEDP1bgG6hUAFM","-mO0UNe_jEsyvG7LJH8I4z74yay2z23eSJuY9FuHQeI","9wzLijBvAKEEa4IYqk8UZ_D5H6Ffeoss7bjQ71Hm7oU","ECbzQw7wHkP3GfrAvjlmUUW3-WTU9oMk8PFeWB9f9nE"]}', 0);

INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#f71f750f7f4f6e1af63ee87d7a22a3d2bc52efeec131b0eaa01a30575aaef854', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiR0pwbFZPVVcyWWc5ZFpZamNYMC1LSmsyTkV5dDREc1VhVWt4cXc2YTZkUSJ9..j8yYV-GEo5yCRkue.5V7hzTfwXH2LyYqGoSonjir_DG4xDxRLibQJvrSw-Im5phJdFgZJh610E6X4SLi1K7NXXpCtTXoBPZ_mGw_3apUdWbCb_-J6127gPGwrk6j5-I-JFFFBhYDN_7rHsa1iXig72L-nlrt1rMBfSYLr7ThIFeF8YDG5h8S8j8uhl5D3KlqpwDfiYHWuTzBalwwq4_sUauN9bXQdacS837sNLaJKNI1jt63IjVDboVfkvC_Gr_O_gs9wTg5HkNE6iXNqBsoOfhr1yqXhv71ZSeg.NX33tIAza3lTAPNCwL6YqQ', NULL, 0);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#9f9949ec425b9680d7afee2fdd969c7405419640b6ebc42e9b448e2f528b6e6b', '{"phase":"free","fence":1,"owner":"OIHZx1RVyeRsoedAa1zt1w","at":1795373893169,"sent":"hash","times":1}', NULL, 1);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#bd4c640e1e6e2b3a89c08a88de2f4037e2c7b2b5db53e491adb303df21ab64b5', '1', 1795374493175, 0);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#c687b307d3efdcceb8ec1ffe2415dadcf54427bbc73d3b85f0da5895879c7ff6', '{"kind":"reset","email":"ann@example.com","at":1795373894796,"callbackUrl":"/inside","expires":1795377494}', 1795377494796, 0);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#92940d1d7095f8ab49a384b4934f2f2ac57399a60046e36adc16caf6048d183b', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiVlo3LXR3cG5aZzQyMnVTdmVpd0sxcVFFUkFUaGFoSnJMbW9kRWFObGJWYyJ9..pk6wuShJ6Shv0tIA.IqdHWm4D4_dalHzdxGA4Q2cLFkyi7CMc3to7ZundVNl7pUBhnBdhw33nufC9eovkECiZ3H6ZdkgYLTr98WDriZeVni2a8CL8q6S9uzSapiPs8sHD8AfYaypxeZSQRnF4fJwhjMQyAWI8vZOTuz76xEo6MHE.OqXAPerc68jlT67LfPO2gg', 1829933894805, 0);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('#d83574d67d62211cc626bd0af9884a4e16f715198f109571806ec826eb6bb9d5', '["vuz_TFRC21aX_yxiaIoiAw"]', 1803149894817, 0);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('sample:text', 'it''s ✓', 1797965894841, 0);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('sample:count', NULL, 1797965894842, 7);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('log:sample', '515a2491-5956-4901-a6e6-951d90269b24', NULL, 1);
INSERT INTO "State" ("key", "value", "expires", "version") VALUES ('sample:beside', 'beside', 1797965894856, 0);

INSERT INTO "StateLog" ("name", "seq", "entry", "expires") VALUES ('sample', 1, 'an entry', 1797965894856);
