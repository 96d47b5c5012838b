import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type Adapter,
  type AdapterUser,
  type CredentialsProvider,
  createAuth,
  type EmailProvider,
  type OAuth2Provider,
  type OIDCProvider,
  type Provider,
} from "./index.ts";

describe("@cardea/express", () => {
  it("names the types that an adapter and a provider of the application's own are made of", () => {
    const adapter: Adapter = createMemoryAdapter().adapter;
    const provider: OIDCProvider = { id: "example", name: "Example", type: "oidc", issuer: "https://id.example.com" };
    const client = { clientId: "id", clientSecret: "secret" };
    expect(createAuth({ adapter, providers: [{ ...provider, ...client }], secret: "x".repeat(32) })).toHaveProperty(
      "router",
    );
    expectTypeOf<OIDCProvider | OAuth2Provider | CredentialsProvider | EmailProvider>().toExtend<Provider>();
    expectTypeOf<AdapterUser["emailVerified"]>().toEqualTypeOf<Date | null>();
  });
});
