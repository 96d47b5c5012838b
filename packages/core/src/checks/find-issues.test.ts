import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { findIssues, type IssueCheck, type Members } from "./find-issues.ts";
import { OPTIONS } from "./options.ts";

/** The same description for zod, which has another way through objects and lists than ours. */
function toSchema(check: IssueCheck): z.ZodMiniType {
  if (check.kind === "value") {
    const schema = z.custom<unknown>(check.accepts, check.message);
    return check.accepts(undefined) ? z.optional(schema) : schema;
  }
  if (check.kind === "list") return z.optional(z.array(toSchema(check.each), check.message));
  const members = Object.fromEntries(Object.entries(check.members).map(([key, member]) => [key, toSchema(member)]));
  const { others } = check;
  return z.optional(
    others === undefined
      ? z.looseObject(members, "an object")
      : z.catchall(z.object(members, "an object"), toSchema(others)),
  );
}

const schema = toSchema(OPTIONS);

function issuesOfZod(value: unknown): unknown[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => ({ path, message }));
}

const values = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, "lax", "jwt", "/auth", "https://app.example.com", 0, 60, -1, [], {}),
  fc.constantFrom<unknown>(() => null, new Date(0), new Date(Number.NaN), 1n, Symbol("s"), [[]], ["a", undefined]),
  fc.anything(),
);

/** Values in the places of the description, and in a few others. */
function likely(check: IssueCheck): fc.Arbitrary<unknown> {
  if (check.kind === "value") return values;
  if (check.kind === "list") return fc.oneof(fc.array(values, { maxLength: 3 }), values);
  return fc.oneof({ weight: 4, arbitrary: likelyMembers(check) }, values);
}

function likelyMembers({ members }: Members): fc.Arbitrary<unknown> {
  const inner = Object.fromEntries(Object.entries(members).map(([key, member]) => [key, likely(member)]));
  return fc.record({ ...inner, another: values }, { requiredKeys: [] });
}

describe("findIssues()", () => {
  it("finds what zod finds, in the same order, in any configuration", () => {
    fc.assert(
      fc.property(likely(OPTIONS), (config) => {
        fc.pre(config !== undefined);
        expect(findIssues(config, OPTIONS).map(({ path, message }) => ({ path, message }))).toEqual(
          issuesOfZod(config),
        );
      }),
    );
  });

  it("keeps the value that was given, and refuses a configuration that is nothing", () => {
    expect(findIssues({ providers: [], debug: "yes" }, OPTIONS)).toEqual([
      { path: ["debug"], message: "a boolean", given: "yes" },
    ]);
    expect(findIssues(undefined, OPTIONS)).toEqual([{ path: [], message: "an object", given: undefined }]);
  });
});
