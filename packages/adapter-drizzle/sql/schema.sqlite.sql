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
    `name` text,
    `createdAt` integer,
    `usedAt` integer,
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

CREATE INDEX `sessionInfo_userId_endedAt_expires_idx` ON `sessionInfo` (`userId`,`endedAt`,`expires`);

CREATE INDEX `sessionInfo_expires_idx` ON `sessionInfo` (`expires`);

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
