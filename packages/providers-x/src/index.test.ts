import { expect, it } from "vitest";
import { X } from "./index.ts";

it("vouches for the address where there is one", async () => {
  const data = { id: "1", name: "Ada", username: "ada", confirmed_email: "ada@example.com" };
  expect(await X().profile?.({ data }, {})).toMatchObject({ email: "ada@example.com", emailVerified: true });
});
