import { describe, expect, it } from "vitest";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { callAdapter } from "./call-adapter.ts";

/** A configuration with one adapter method; nothing else of it is read. */
const returning = (result: unknown) =>
  ({ adapter: { listAccountsByUserId: () => result } }) as unknown as ResolvedConfig;

describe("callAdapter()", () => {
  it.each(["id", "userId", "providerAccountId"])(
    "refuses a `%s` that lost digits on its way from the database",
    async (name) => {
      const call = callAdapter(returning([{ [name]: 2 ** 53 }]), "listAccountsByUserId", "u1");
      await expect(call).rejects.toMatchObject({
        type: "AdapterError",
        cause: { err: { message: /not a safe integer/ } },
      });
    },
  );

  it("keeps ids of every exact kind", async () => {
    const accounts = [{ id: 7, userId: 2n ** 60n, providerAccountId: "9007199254740993" }];
    expect(await callAdapter(returning(accounts), "listAccountsByUserId", "u1")).toEqual(accounts);
  });
});
