-- Tables of @cardea/adapter-prisma in MySQL 8 and MariaDB, written by hand: a test compares them with
-- schema.mysql.prisma. Keys are compared byte by byte (utf8mb4_bin): with the usual collation "abc" and "ABC" would be one
-- account.

CREATE TABLE `User` (
    `id` VARCHAR(191) NOT NULL,
    `name` TEXT NULL,
    `email` VARCHAR(255) NULL,
    `emailVerified` DATETIME(3) NULL,
    `image` TEXT NULL,

    UNIQUE INDEX `User_email_key`(`email`),
    PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Account` (
    `userId` VARCHAR(191) NOT NULL,
    `type` VARCHAR(191) NOT NULL,
    `provider` VARCHAR(191) NOT NULL,
    `providerAccountId` VARCHAR(512) NOT NULL,
    `refresh_token` TEXT NULL,
    `access_token` TEXT NULL,
    `expires_at` INTEGER NULL,
    `token_type` VARCHAR(191) NULL,
    `scope` TEXT NULL,
    `id_token` TEXT NULL,
    `session_state` TEXT NULL,

    INDEX `Account_userId_idx`(`userId`),
    PRIMARY KEY (`provider`, `providerAccountId`),
    CONSTRAINT `Account_userId_fkey` FOREIGN KEY (`userId`) REFERENCES `User`(`id`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Session` (
    `sessionToken` VARCHAR(255) NOT NULL,
    `userId` VARCHAR(191) NOT NULL,
    `expires` DATETIME(3) NOT NULL,

    UNIQUE INDEX `Session_sessionToken_key`(`sessionToken`),
    INDEX `Session_userId_idx`(`userId`),
    CONSTRAINT `Session_userId_fkey` FOREIGN KEY (`userId`) REFERENCES `User`(`id`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `VerificationToken` (
    `identifier` VARCHAR(255) NOT NULL,
    `token` VARCHAR(191) NOT NULL,
    `expires` DATETIME(3) NOT NULL,

    PRIMARY KEY (`identifier`, `token`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Authenticator` (
    `credentialID` VARCHAR(1364) NOT NULL,
    `userId` VARCHAR(191) NOT NULL,
    `providerAccountId` VARCHAR(512) NOT NULL,
    `credentialPublicKey` TEXT NOT NULL,
    `counter` INTEGER NOT NULL,
    `credentialDeviceType` VARCHAR(191) NOT NULL,
    `credentialBackedUp` BOOLEAN NOT NULL,
    `transports` VARCHAR(255) NULL,
    `name` VARCHAR(191) NULL,
    `createdAt` DATETIME(3) NULL,
    `usedAt` DATETIME(3) NULL,

    UNIQUE INDEX `Authenticator_credentialID_key`(`credentialID`(768)),
    PRIMARY KEY (`userId`, `credentialID`(384)),
    CONSTRAINT `Authenticator_userId_fkey` FOREIGN KEY (`userId`) REFERENCES `User`(`id`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `SessionInfo` (
    `id` VARCHAR(191) NOT NULL,
    `tokenHash` VARCHAR(191) NOT NULL,
    `userId` VARCHAR(191) NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `seenAt` DATETIME(3) NOT NULL,
    `expires` DATETIME(3) NOT NULL,
    `factors` LONGTEXT NOT NULL,
    `acr` LONGTEXT NULL,
    `provider` VARCHAR(191) NOT NULL,
    `providerAccountId` VARCHAR(512) NOT NULL,
    `idp` LONGTEXT NULL,
    `epoch` INTEGER NOT NULL,
    `userAgent` VARCHAR(256) NULL,
    `ip` VARCHAR(191) NULL,
    `deviceKey` VARCHAR(191) NULL,
    `endedAt` DATETIME(3) NULL,
    `endReason` VARCHAR(191) NULL,

    UNIQUE INDEX `SessionInfo_tokenHash_key`(`tokenHash`),
    INDEX `SessionInfo_userId_endedAt_expires_idx`(`userId`, `endedAt`, `expires`),
    INDEX `SessionInfo_expires_idx`(`expires`),
    PRIMARY KEY (`id`),
    CONSTRAINT `SessionInfo_userId_fkey` FOREIGN KEY (`userId`) REFERENCES `User`(`id`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Credential` (
    `id` VARCHAR(255) NOT NULL,
    `userId` VARCHAR(191) NOT NULL,
    `type` VARCHAR(191) NOT NULL,
    `secret` LONGTEXT NOT NULL,
    `label` VARCHAR(191) NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `usedAt` DATETIME(3) NULL,
    `state` LONGTEXT NULL,
    `version` INTEGER NOT NULL,

    INDEX `Credential_userId_idx`(`userId`),
    PRIMARY KEY (`id`),
    CONSTRAINT `Credential_userId_fkey` FOREIGN KEY (`userId`) REFERENCES `User`(`id`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `State` (
    `key` VARCHAR(191) NOT NULL,
    `value` LONGTEXT NULL,
    `expires` DATETIME(3) NULL,
    `version` BIGINT NOT NULL,

    INDEX `State_expires_idx`(`expires`),
    PRIMARY KEY (`key`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `StateLog` (
    `name` VARCHAR(191) NOT NULL,
    `seq` BIGINT NOT NULL,
    `entry` LONGTEXT NOT NULL,
    `expires` DATETIME(3) NOT NULL,

    INDEX `StateLog_expires_idx`(`expires`),
    PRIMARY KEY (`name`, `seq`)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
