import { readModels } from "./schemas.ts";

const times = "  createdAt DateTime @default(now())\n  updatedAt DateTime @updatedAt\n";

/** Models for SQLite as applications have them that were made for `@auth/prisma-adapter`, and what core needs besides. */
export const authjsModels = readModels("sqlite")
  .replace("authenticators Authenticator[]", "Authenticator Authenticator[]")
  .replaceAll("  @@index([userId])\n", "")
  .replace(/(transports .*\n)(?: +(?:name|createdAt|usedAt) .*\n)+/, "$1")
  .replace(/^model (?:User|Account|Session) \{\n/gm, (start) => start + times);
