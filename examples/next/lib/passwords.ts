import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** A person with a password. A real application keeps the hashes in a table of its own, beside the users. */
export interface PasswordUser {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** `scrypt$N$r$p$salt$key`, as `scrypt` of node:crypto makes it. */
  readonly passwordHash: string;
}

/** The one person of the demo; the password is shown on its first page. */
export const DEMO_USER: PasswordUser & { readonly password: string } = {
  username: "grace",
  name: "Grace Hopper",
  email: "grace@example.com",
  password: "nanosecond",
  passwordHash: "scrypt$32768$8$3$YOcoFrOHs0sdjG6_bp8xLQ$1qMN8Rlk3dzUyHe21_iQSidt8Sh6rva-9nUml3f1QFM",
};

const USERS: ReadonlyMap<string, PasswordUser> = new Map([[DEMO_USER.username, DEMO_USER]]);

/** The address of whom user name and password fit, or null. An unknown name takes as long as a wrong password. */
export async function findEmailByPassword(username: string, password: string): Promise<string | null> {
  const user = USERS.get(username.trim().toLowerCase());
  const fits = await verifyPassword(password, user?.passwordHash ?? DEMO_USER.passwordHash);
  return user !== undefined && fits ? user.email : null;
}

async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const [, cost, blockSize, parallelization, salt = "", key = ""] = passwordHash.split("$");
  const expected = Buffer.from(key, "base64url");
  const options = { N: Number(cost), r: Number(blockSize), p: Number(parallelization) };
  const memory = 256 * options.N * options.r;
  const derived = await derive(password, Buffer.from(salt, "base64url"), expected.length, {
    ...options,
    maxmem: memory,
  });
  return timingSafeEqual(derived, expected);
}
