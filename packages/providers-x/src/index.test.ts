import { expect, it } from "vitest";
import { X } from "./index.ts";

it("vouches for the address where there is one", async () => {
  const data = { id: "1", name: "Ada", username: "ada", confirmed_email: "ada@example.com" };
  expect(await X().profile?.({ data }, {})).toMatchObject({ email: "ada@example.com", emailVerified: true });
});

it.each([
  ["Value passed for the token was invalid.", "invalid_grant"],
  ["Value passed for the authorization code was invalid.", "invalid_grant"],
  ["Missing required parameter [code_verifier].", undefined],
])("names a refused code or refresh token as the standard does: %s", async (error_description, expected) => {
  const response = Response.json({ error: "invalid_request", error_description }, { status: 400 });
  const conformed: Response | undefined = await Object(X().token).conform(response);
  expect([conformed?.status, (await conformed?.json())?.error]).toEqual([expected && 400, expected]);
});
