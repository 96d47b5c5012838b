import { expect, it } from "vitest";
import { Twitch } from "./index.ts";

// https://dev.twitch.tv/docs/authentication/refresh-tokens/: with and without `error`, which is the text of the status.
it.each([
  [{ error: "Bad Request", status: 400, message: "Invalid refresh token" }, "invalid_grant"],
  [{ status: 400, message: "Invalid authorization code" }, "invalid_grant"],
  [{ status: 400, message: "missing client id" }, "invalid_request"],
])("names an error as the standard does: %j", async (body, error) => {
  const conformed: Response = await Object(Twitch().token).conform(Response.json(body, { status: 400 }));
  expect(await conformed.json()).toEqual({ error, error_description: body.message });
});
