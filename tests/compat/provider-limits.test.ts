import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Options by which other libraries limit who may sign in. */
const LIMITS = ["tenantId", "hd", "hostedDomain", "domain", "organization", "team", "allowedDomains"];

/** Those that one of our providers reads. */
const READ: Readonly<Record<string, readonly string[]>> = { WorkOS: ["organization"] };

const folder = join(import.meta.dirname, "../../packages");

/** The provider functions of every package: their names begin with a capital letter. */
const functions = (
  await Promise.all(
    readdirSync(folder)
      .filter((name) => name.startsWith("providers-"))
      .map(
        async (name): Promise<[string, unknown][]> => Object.entries(await import(join(folder, name, "src/index.ts"))),
      ),
  )
)
  .flat()
  .flatMap(([name, value]): [string, (options: object) => unknown][] =>
    typeof value === "function" && /^[A-Z]/.test(name) && !/^class\b/.test(String(value))
      ? [[name, (options) => Reflect.apply(value, undefined, [options])]]
      : [],
  );

it("knows every provider package", () => {
  expect(functions.length).toBeGreaterThan(40);
});

it.each(functions)("%s() rejects options that limit who may sign in, unless it reads them", (name, make) => {
  const isRejected = (option: string) => {
    try {
      make({ [option]: "example.com" });
      return false;
    } catch (error) {
      return error instanceof TypeError && error.message.includes(`\`${option}\``);
    }
  };
  expect(LIMITS.filter((option) => !isRejected(option))).toEqual(READ[name] ?? []);
});
