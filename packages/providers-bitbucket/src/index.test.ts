import { expect, it } from "vitest";
import { Bitbucket } from "./index.ts";

// https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination: ten in a page unless more are asked for.
it("finds the primary address among the hundred of the longest page", async () => {
  const answers: Record<string, Response> = {
    "https://api.bitbucket.org/2.0/user": Response.json({ account_id: "557058:1815" }),
    "https://api.bitbucket.org/2.0/user/emails?pagelen=100": Response.json({
      values: [{ email: "ada@example.com", is_primary: true, is_confirmed: true }],
    }),
  };
  const provider = Bitbucket();
  const fetch = async (url: string | URL | Request) => answers[String(url)] ?? new Response(null, { status: 404 });
  const profile = await Object(provider.userinfo).request({ tokens: { access_token: "at" }, provider, fetch });
  expect(profile).toMatchObject({ email: "ada@example.com", email_verified: true });
});
