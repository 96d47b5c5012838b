import { expect, it } from "vitest";
import { Cognito } from "./index.ts";

// https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
it("has the parameters of Cognito's logout endpoint", () => {
  const returnTo = "https://app.example.com/auth/signedout/cognito";
  const params = Cognito().endSessionParams?.({ clientId: "1example23456789", returnTo });
  expect(params).toEqual({ client_id: "1example23456789", logout_uri: returnTo });
});
