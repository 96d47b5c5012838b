import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { Admitted, SessionStrategy, SignedIn } from "../session/strategy.ts";

describe("Admitted", () => {
  it("is what issuing takes, and a sign-in that no gate let pass is not one", () => {
    expectTypeOf<Parameters<SessionStrategy["issue"]>[1]>().toEqualTypeOf<Admitted<SignedIn>>();
    expectTypeOf<SignedIn>().not.toExtend<Admitted<SignedIn>>();
    expectTypeOf<Admitted<SignedIn>>().toExtend<SignedIn>();
  });

  it("is made in one place", () => {
    const root = join(import.meta.dirname, "..");
    const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    const makers = sources.filter((name) => readFileSync(join(root, name), "utf8").includes("as Admitted"));
    expect(makers).toEqual([join("sign-in", "admit.ts")]);
  });
});
