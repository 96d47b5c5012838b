import { describe, expect, it } from "vitest";
import { retryConflicts } from "./retry-conflicts.ts";

const conflict = () => Object.assign(new Error("conflict"), { code: "P2034" });

/** As Prisma reports an error of MariaDB that it does not know. */
const changed = () =>
  Object.assign(new Error("changed"), {
    code: "P2039",
    meta: { driverAdapterError: { cause: { originalCode: "1020" } } },
  });

describe("retryConflicts()", () => {
  it.each([conflict, changed])("attempts again what the database ended because of another (%#)", async (end) => {
    const errors = [end(), end()];
    const work = async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
      return "written";
    };
    expect(await retryConflicts(work)).toBe("written");
  });

  it.each(["P2002", undefined])("throws any other error at once (%s)", async (code) => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw Object.assign(new Error("refused"), { code, meta: {} });
    };
    await expect(retryConflicts(work)).rejects.toThrow("refused");
    expect(attempts).toBe(1);
  });
});
