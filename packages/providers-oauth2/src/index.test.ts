import { expect, it } from "vitest";
import { OAuth2 } from "./index.ts";

it("turns any answer into a user by `profile`", async () => {
  interface Person {
    readonly key: string;
    readonly nick: string;
  }
  const { options } = OAuth2<Person>({ profile: ({ key, nick }) => ({ id: key, name: nick }) });
  expect(Object(options).profile({ key: "k", nick: "n" })).toEqual({ id: "k", name: "n" });
});
