/** Database adapter: users, accounts, sessions, e-mail sign-ins and passkeys, through Kysely. */

export { type Codegen, type Database, KyselyAuth } from "./database.ts";
export { KyselyAdapter, type KyselyAdapterOptions } from "./kysely-adapter.ts";
