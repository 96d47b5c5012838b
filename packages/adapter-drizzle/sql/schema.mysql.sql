-- Tables of @cardea/adapter-drizzle in MySQL 8 and MariaDB, as drizzle-kit makes them.

CREATE TABLE `user` (
    `id` varchar(255) NOT NULL,
    `name` text,
    `email` varchar(255),
    `emailVerified` datetime(3),
    `image` text,
    CONSTRAINT `user_id` PRIMARY KEY(`id`),
    CONSTRAINT `user_email_unique` UNIQUE(`email`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `account` (
    `userId` varchar(255) NOT NULL,
    `type` varchar(255) NOT NULL,
    `provider` varchar(191) NOT NULL,
    `providerAccountId` varchar(512) NOT NULL,
    `refresh_token` text,
    `access_token` text,
    `expires_at` int,
    `token_type` varchar(255),
    `scope` text,
    `id_token` text,
    `session_state` text,
    CONSTRAINT `account_provider_providerAccountId_pk` PRIMARY KEY(`provider`,`providerAccountId`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `session` (
    `sessionToken` varchar(255) NOT NULL,
    `userId` varchar(255) NOT NULL,
    `expires` datetime(3) NOT NULL,
    CONSTRAINT `session_sessionToken` PRIMARY KEY(`sessionToken`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `verificationToken` (
    `identifier` varchar(255) NOT NULL,
    `token` varchar(255) NOT NULL,
    `expires` datetime(3) NOT NULL,
    CONSTRAINT `verificationToken_identifier_token_pk` PRIMARY KEY(`identifier`,`token`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `authenticator` (
    `credentialID` varchar(1364) character set ascii collate ascii_bin NOT NULL,
    `userId` varchar(255) NOT NULL,
    `providerAccountId` varchar(512) NOT NULL,
    `credentialPublicKey` text NOT NULL,
    `counter` int NOT NULL,
    `credentialDeviceType` varchar(255) NOT NULL,
    `credentialBackedUp` boolean NOT NULL,
    `transports` varchar(255),
    `name` varchar(255),
    `createdAt` datetime(3),
    `usedAt` datetime(3),
    CONSTRAINT `authenticator_userId_credentialID_pk` PRIMARY KEY(`userId`,`credentialID`),
    CONSTRAINT `authenticator_credentialID_unique` UNIQUE(`credentialID`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `sessionInfo` (
    `id` varchar(191) NOT NULL,
    `tokenHash` varchar(191) NOT NULL,
    `userId` varchar(255) NOT NULL,
    `createdAt` datetime(3) NOT NULL,
    `seenAt` datetime(3) NOT NULL,
    `expires` datetime(3) NOT NULL,
    `factors` longtext NOT NULL,
    `acr` text,
    `provider` varchar(191) NOT NULL,
    `providerAccountId` varchar(512) NOT NULL,
    `idp` longtext,
    `epoch` int NOT NULL,
    `userAgent` varchar(256),
    `ip` varchar(191),
    `deviceKey` varchar(191),
    `endedAt` datetime(3),
    `endReason` varchar(191),
    CONSTRAINT `sessionInfo_id` PRIMARY KEY(`id`),
    CONSTRAINT `sessionInfo_tokenHash_unique` UNIQUE(`tokenHash`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `credential` (
    `id` varchar(512) NOT NULL,
    `userId` varchar(255) NOT NULL,
    `type` varchar(191) NOT NULL,
    `secret` longtext NOT NULL,
    `label` varchar(255),
    `createdAt` datetime(3) NOT NULL,
    `usedAt` datetime(3),
    `state` longtext,
    `version` int NOT NULL,
    CONSTRAINT `credential_id` PRIMARY KEY(`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `state` (
    `key` varchar(191) NOT NULL,
    `value` longtext,
    `expires` datetime(3),
    `version` bigint NOT NULL,
    CONSTRAINT `state_key` PRIMARY KEY(`key`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `stateLog` (
    `name` varchar(191) NOT NULL,
    `seq` bigint NOT NULL,
    `entry` longtext NOT NULL,
    `expires` datetime(3) NOT NULL,
    CONSTRAINT `stateLog_name_seq_pk` PRIMARY KEY(`name`,`seq`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

ALTER TABLE `account` ADD CONSTRAINT `account_userId_user_id_fk` FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON DELETE cascade ON UPDATE no action;

ALTER TABLE `session` ADD CONSTRAINT `session_userId_user_id_fk` FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON DELETE cascade ON UPDATE no action;

ALTER TABLE `authenticator` ADD CONSTRAINT `authenticator_userId_user_id_fk` FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON DELETE cascade ON UPDATE no action;

ALTER TABLE `sessionInfo` ADD CONSTRAINT `sessionInfo_userId_user_id_fk` FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON DELETE cascade ON UPDATE no action;

ALTER TABLE `credential` ADD CONSTRAINT `credential_userId_user_id_fk` FOREIGN KEY (`userId`) REFERENCES `user`(`id`) ON DELETE cascade ON UPDATE no action;

CREATE INDEX `account_userId_idx` ON `account` (`userId`);

CREATE INDEX `session_userId_idx` ON `session` (`userId`);

CREATE INDEX `sessionInfo_userId_endedAt_expires_idx` ON `sessionInfo` (`userId`,`endedAt`,`expires`);

CREATE INDEX `sessionInfo_expires_idx` ON `sessionInfo` (`expires`);

CREATE INDEX `credential_userId_idx` ON `credential` (`userId`);

CREATE INDEX `state_expires_idx` ON `state` (`expires`);

CREATE INDEX `stateLog_expires_idx` ON `stateLog` (`expires`);
