import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compileProject } from "../../testing/src/compile-project.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { generateClient } from "./databases/generate-client.ts";
import { readModels } from "./databases/schemas.ts";

/** The lines that the compiler refuses, with what it says. */
async function compile(modules: Readonly<Record<string, string>>, uses: string): Promise<Map<string, string>> {
  const folder = new URL(`../artifacts/types-${crypto.randomUUID()}/`, import.meta.url);
  const imports = Object.entries({ ...modules, adapter: new URL("./index.ts", import.meta.url).href }).map(
    ([name, url]) => `import * as ${name} from "${fileURLToPath(url)}";`,
  );
  const lines = [...imports, ...uses.split("\n")];
  const config = { extends: "../../../../tsconfig.json", include: ["*.ts"] };
  await mkdir(folder);
  await writeFile(new URL("uses.ts", folder), lines.join("\n"));
  await writeFile(new URL("tsconfig.json", folder), JSON.stringify(config));
  const { output } = await compileProject(fileURLToPath(folder));
  await rm(folder, { recursive: true });
  const errors = output.split(/^(?=\S)/m).map((text) => {
    const [, line = "0", said = text] = /\((\d+),\d+\): error ([\s\S]*)$/.exec(text) ?? [];
    return [lines[Number(line) - 1] ?? "", said] as const;
  });
  return new Map(errors.filter(([line, said]) => line + said !== ""));
}

const sqlite = readModels("sqlite");
const withoutOptional = sqlite
  .replace(/\/\/ Pending[\s\S]*$/, "")
  .replace(/ {2}(?:authenticators|sessionInfos|credentials).*\n/g, "");

/** Models as applications have them that use Auth.js for a part of its work, and their own tables for the rest. */
const otherModels = `
model User {
  id            Int      @id @default(autoincrement())
  username      String   @unique
  emailVerified Boolean?
}
model Account {
  id      String @id
  balance Float
}
model VerificationToken {
  id      String   @id @default(cuid())
  email   String
  token   String   @unique
  expires DateTime
}
`;

describe("PrismaClientLike", () => {
  it("is every generated client with users, whatever its other models are, without a cast", async () => {
    // Each takes seconds to generate, but for the first, which other tests use as well.
    const others = async () => {
      const js = await generateClient({ provider: "sqlite", generator: "prisma-client-js" });
      return {
        six: await generateClient({ provider: "sqlite", version: 6 }),
        postgres: await generateClient({ provider: "postgresql" }),
        mysql: await generateClient({ provider: "mysql" }),
        js: js.replace(/ts$/, "js"),
        other: await generateClient({ provider: "sqlite", models: otherModels }),
        few: await generateClient({ provider: "sqlite", models: withoutOptional }),
      };
    };
    const modules = { seven: await generateClient({ provider: "sqlite" }), ...(isLong ? await others() : {}) };
    const lines = uses
      .split("\n")
      .filter((line) => isLong || !/\b(?:six|postgres|mysql|js|other|few|Database)\b/.test(line));
    const errors = await compile(modules, lines.join("\n"));
    expect([...errors.keys()]).toEqual(lines.filter((line) => line.endsWith("// refused")));
  });
});

const uses = `
declare function make<Client>(Class: new (...args: never[]) => Client): Client;
adapter.PrismaAdapter(make(seven.PrismaClient));
adapter.PrismaAdapter(make(six.PrismaClient));
adapter.PrismaAdapter(make(postgres.PrismaClient));
adapter.PrismaAdapter(make(mysql.PrismaClient));
adapter.PrismaAdapter(make(js.PrismaClient));
adapter.PrismaAdapter(make(few.PrismaClient));
adapter.PrismaAdapter(make(other.PrismaClient));
const globalForPrisma = globalThis as unknown as { prisma: js.PrismaClient };
adapter.PrismaAdapter(globalForPrisma.prisma || new js.PrismaClient());
declare const logging: seven.PrismaClient<"query">;
adapter.PrismaAdapter(logging);
declare const omitting: seven.PrismaClient<never, { user: { name: true } }>;
adapter.PrismaAdapter(omitting);
class Database extends js.PrismaClient {}
adapter.PrismaAdapter(new Database());
const extended = make(seven.PrismaClient).$extends({
  model: { user: { async one() { return 1; } } },
  result: { user: { initial: { needs: { name: true }, compute: ({ name }) => name?.[0] } } },
  query: { user: { $allOperations: ({ args, query }) => query(args) } },
});
adapter.PrismaAdapter(extended);
make(seven.PrismaClient).$transaction(async (transaction) => adapter.PrismaAdapter(transaction));
make(six.PrismaClient).nothing; // refused
make(js.PrismaClient).nothing; // refused
adapter.PrismaAdapter({}); // refused
adapter.PrismaAdapter({ account: make(seven.PrismaClient).account }); // refused
adapter.PrismaAdapter({ user: make(seven.PrismaClient).verificationToken }); // refused
`;
