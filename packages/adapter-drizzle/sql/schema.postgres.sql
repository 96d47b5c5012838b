-- Tables of @cardea/adapter-drizzle in PostgreSQL, as drizzle-kit makes them.

CREATE TABLE "user" (
    "id" text PRIMARY KEY NOT NULL,
    "name" text,
    "email" text,
    "emailVerified" timestamp,
    "image" text,
    CONSTRAINT "user_email_unique" UNIQUE("email")
);

CREATE TABLE "account" (
    "userId" text NOT NULL,
    "type" text NOT NULL,
    "provider" text NOT NULL,
    "providerAccountId" text NOT NULL,
    "refresh_token" text,
    "access_token" text,
    "expires_at" integer,
    "token_type" text,
    "scope" text,
    "id_token" text,
    "session_state" text,
    CONSTRAINT "account_provider_providerAccountId_pk" PRIMARY KEY("provider","providerAccountId")
);

CREATE TABLE "session" (
    "sessionToken" text PRIMARY KEY NOT NULL,
    "userId" text NOT NULL,
    "expires" timestamp NOT NULL
);

CREATE TABLE "verificationToken" (
    "identifier" text NOT NULL,
    "token" text NOT NULL,
    "expires" timestamp NOT NULL,
    CONSTRAINT "verificationToken_identifier_token_pk" PRIMARY KEY("identifier","token")
);

CREATE TABLE "authenticator" (
    "credentialID" text NOT NULL,
    "userId" text NOT NULL,
    "providerAccountId" text NOT NULL,
    "credentialPublicKey" text NOT NULL,
    "counter" integer NOT NULL,
    "credentialDeviceType" text NOT NULL,
    "credentialBackedUp" boolean NOT NULL,
    "transports" text,
    "name" text,
    "createdAt" timestamp,
    "usedAt" timestamp,
    CONSTRAINT "authenticator_userId_credentialID_pk" PRIMARY KEY("userId","credentialID"),
    CONSTRAINT "authenticator_credentialID_unique" UNIQUE("credentialID")
);

CREATE TABLE "sessionInfo" (
    "id" text PRIMARY KEY NOT NULL,
    "tokenHash" text NOT NULL,
    "userId" text NOT NULL,
    "createdAt" timestamp NOT NULL,
    "seenAt" timestamp NOT NULL,
    "expires" timestamp NOT NULL,
    "factors" text NOT NULL,
    "acr" text,
    "provider" text NOT NULL,
    "providerAccountId" text NOT NULL,
    "idp" text,
    "epoch" integer NOT NULL,
    "userAgent" text,
    "ip" text,
    "deviceKey" text,
    "endedAt" timestamp,
    "endReason" text,
    CONSTRAINT "sessionInfo_tokenHash_unique" UNIQUE("tokenHash")
);

CREATE TABLE "credential" (
    "id" text PRIMARY KEY NOT NULL,
    "userId" text NOT NULL,
    "type" text NOT NULL,
    "secret" text NOT NULL,
    "label" text,
    "createdAt" timestamp NOT NULL,
    "usedAt" timestamp,
    "state" text,
    "version" integer NOT NULL
);

CREATE TABLE "state" (
    "key" text PRIMARY KEY NOT NULL,
    "value" text,
    "expires" timestamp,
    "version" bigint NOT NULL
);

CREATE TABLE "stateLog" (
    "name" text NOT NULL,
    "seq" bigint NOT NULL,
    "entry" text NOT NULL,
    "expires" timestamp NOT NULL,
    CONSTRAINT "stateLog_name_seq_pk" PRIMARY KEY("name","seq")
);

ALTER TABLE "account" ADD CONSTRAINT "account_userId_user_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;

ALTER TABLE "session" ADD CONSTRAINT "session_userId_user_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;

ALTER TABLE "authenticator" ADD CONSTRAINT "authenticator_userId_user_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;

ALTER TABLE "sessionInfo" ADD CONSTRAINT "sessionInfo_userId_user_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;

ALTER TABLE "credential" ADD CONSTRAINT "credential_userId_user_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;

CREATE INDEX "account_userId_idx" ON "account" USING btree ("userId");

CREATE INDEX "session_userId_idx" ON "session" USING btree ("userId");

CREATE INDEX "sessionInfo_userId_endedAt_expires_idx" ON "sessionInfo" USING btree ("userId","endedAt","expires");

CREATE INDEX "sessionInfo_expires_idx" ON "sessionInfo" USING btree ("expires");

CREATE INDEX "credential_userId_idx" ON "credential" USING btree ("userId");

CREATE INDEX "state_expires_idx" ON "state" USING btree ("expires");

CREATE INDEX "stateLog_expires_idx" ON "stateLog" USING btree ("expires");
