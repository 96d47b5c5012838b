import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { OAuth2 } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
    provider: OAuth2,
    id: "oauth2",
    name: "OAuth 2",
    options: {
      authorization: { url: "https://id.example.com/authorize", params: { scope: "user" } },
      token: "https://id.example.com/token",
      userinfo: "https://api.example.com/user",
    },
    authorizationUrl: "https://id.example.com/authorize?scope=user",
    profile: {
      id: 1815,
      name: "Ada Lovelace",
      email: "ada@example.com",
      picture: "https://id.example.com/ada.png",
    },
    user: { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://id.example.com/ada.png" },
  },
);

it("turns any answer into a user by `profile`", async () => {
  interface Person {
    readonly key: string;
    readonly nick: string;
  }
  const { options } = OAuth2<Person>({ profile: ({ key, nick }) => ({ id: key, name: nick }) });
  expect(Object(options).profile({ key: "k", nick: "n" })).toEqual({ id: "k", name: "n" });
});
