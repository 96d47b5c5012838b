import { describe, expect, it } from "vitest";
import { findLimitedColumns } from "./token-columns.ts";

const found = (files: Readonly<Record<string, string>>) =>
  findLimitedColumns(new Map(Object.entries(files))).map(({ path, line }) => `${path}:${line}`);

describe("findLimitedColumns()", () => {
  it.each([
    ["CREATE TABLE account (\n  id int,\n  access_token varchar(255)\n);", [3]],
    ['CREATE TABLE "Account" ("refresh_token" character varying(2048), "id_token" text);', [1]],
    ["create table if not exists `app`.`accounts` (`id_token` VARCHAR (255) NOT NULL);", [1]],
    ["CREATE TABLE [dbo].[Account] ([access_token] nvarchar(1000), [id_token] nvarchar(max));", [1]],
    ["CREATE TABLE account (access_token tinytext, refresh_token char(64));", [1, 1]],
    ["CREATE TABLE account (id int);\n\nALTER TABLE account ADD COLUMN access_token varchar(255);", [3]],
    ["-- CREATE TABLE account (access_token varchar(255));\n/* access_token varchar(9) */", []],
    ["CREATE TABLE account (access_token text, refresh_token longtext, id_token varchar, token varchar(9));", []],
    ["CREATE TABLE account (my_access_token varchar(255), access_token_hash varchar(64));", []],
    ["CREATE INDEX one ON account (access_token varchar(255));", []],
  ])("reads %j", (sql, lines) => {
    expect(found({ "/schema.sql": sql })).toEqual(lines.map((line) => `/schema.sql:${line}`));
  });

  it.each([
    ["PostgreSQL", "ALTER TABLE account ALTER COLUMN access_token TYPE text;"],
    ["the SQL standard", "ALTER TABLE ONLY account ALTER access_token SET DATA TYPE TEXT;"],
    ["MySQL", "ALTER TABLE `account` MODIFY COLUMN `access_token` TEXT;"],
    ["SQL Server", "ALTER TABLE account ALTER COLUMN [access_token] nvarchar(max);"],
  ])("counts the last statement about a column, as %s writes it", (_database, change) => {
    const create = "CREATE TABLE account (access_token varchar(255));";
    expect(found({ "/m/0002_longer.sql": change, "/m/0001_first.sql": create })).toEqual([]);
    expect(found({ "/m/20260102/migration.sql": change, "/m/20260101/migration.sql": create })).toEqual([]);
    expect(found({ "/m/0001.sql": change, "/m/0002.sql": create })).toEqual(["/m/0002.sql:1"]);
    expect(found({ "/a/1.sql": create, "/b/2.sql": change })).toEqual(["/a/1.sql:1"]);
    expect(found({ "/m/1.sql": create, "/m/2.sql": change.replace("account", "other") })).toEqual(["/m/1.sql:1"]);
  });

  it("does not take another change of a column for its type", () => {
    const create = "CREATE TABLE account (access_token varchar(255));";
    const change = "ALTER TABLE account ALTER COLUMN access_token SET NOT NULL;";
    expect(found({ "/m/1.sql": create, "/m/2.sql": change })).toEqual(["/m/1.sql:1"]);
  });

  it("reads schemas of Prisma and Drizzle", () => {
    const prisma = "model Account {\n  id_token String? @db.VarChar(255)\n  access_token String? @db.Text\n}";
    const drizzle = 'table("account", {\n  a: varchar("access_token", { length: 255 }),\n  id_token: text(),\n});';
    expect(found({ "/schema.prisma": prisma, "/schema.ts": drizzle })).toEqual(["/schema.prisma:2", "/schema.ts:2"]);
  });
});
