import { describe, expectTypeOf, it } from "vitest";
import type { Session, SvelteKitAuthResult } from "./index.ts";

// What it does is tested with a built application, in tests/bindings/: its modules are those of SvelteKit's bundler.
describe("@cardea/sveltekit", () => {
  it("types App.Locals and App.PageData", () => {
    expectTypeOf<App.Locals["auth"]>().returns.toEqualTypeOf<Promise<Session | null>>();
    expectTypeOf<App.PageData["session"]>().toEqualTypeOf<Session | null | undefined>();
  });

  it("has the names that @auth/sveltekit has", () => {
    expectTypeOf<keyof SvelteKitAuthResult>().toEqualTypeOf<"handle" | "signIn" | "signOut">();
  });
});
