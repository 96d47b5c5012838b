import type { Terminal } from "../host.ts";
import { DATABASES, type DatabaseChoice } from "./databases.ts";
import { TEMPLATES, type Template } from "./frameworks.ts";
import { DEFAULT_PROVIDERS, PROVIDERS, type ProviderChoice } from "./providers.ts";

/** Questions of `cardea init`. Each rejects with {@link Cancelled} on Ctrl-C or Escape. */
export interface Questions {
  readonly folder: () => Promise<string>;
  readonly framework: () => Promise<Template>;
  readonly providers: () => Promise<readonly ProviderChoice[]>;
  readonly database: (usual: DatabaseChoice) => Promise<DatabaseChoice>;
  readonly account: () => Promise<boolean>;
}

/** The user ended the questions. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

const LABELS: Readonly<Record<Template, string>> = {
  next: "Next.js",
  express: "Express",
  hono: "Hono",
  fastify: "Fastify",
  sveltekit: "SvelteKit",
  nuxt: "Nuxt",
  fetch: "none: Bun, Deno, Workers, or Node.js alone",
};

/** Returns the questions for this terminal. What shows them is loaded only here. */
export async function questionsFor(terminal: Terminal): Promise<Questions> {
  const { confirm, multiselect, select, text } = await import("@clack/prompts");
  const answered = <T extends string | boolean | readonly string[]>(answer: T | symbol): T => {
    if (typeof answer === "symbol") throw new Cancelled();
    return answer;
  };
  const here = ". (this folder)";
  return {
    folder: async () => {
      const answer = answered<string>(
        await text({ ...terminal, message: "Where do the files go?", placeholder: here, defaultValue: "." }),
      );
      return answer.trim() || ".";
    },
    framework: async () =>
      answered<Template>(
        await select<Template>({
          ...terminal,
          message: "Which framework?",
          options: TEMPLATES.map((value) => ({ value, label: LABELS[value] })),
        }),
      ),
    providers: async () =>
      answered<readonly ProviderChoice[]>(
        await multiselect<ProviderChoice>({
          ...terminal,
          message: "How do users sign in, beside the local provider for development?",
          options: optionsOf(PROVIDERS),
          initialValues: [...DEFAULT_PROVIDERS],
          required: false,
        }),
      ),
    database: async (usual) =>
      answered<DatabaseChoice>(
        await select<DatabaseChoice>({
          ...terminal,
          message: "Where are users stored?",
          options: optionsOf(DATABASES),
          initialValue: usual,
        }),
      ),
    account: async () =>
      answered<boolean>(
        await confirm({
          ...terminal,
          message: "Add a page on which users manage their account?",
          initialValue: false,
        }),
      ),
  };
}

/** Whether an answer is a key of a table of answers. */
export const isOneOf = <T extends string>(labels: Readonly<Record<T, string>>, value: string | undefined): value is T =>
  value !== undefined && Object.hasOwn(labels, value);

/** The ways to sign in with these names, each once; unknown names are left out. */
export function parseChoices(names: readonly string[]): readonly ProviderChoice[] {
  return [...new Set(names)].filter((name) => isOneOf(PROVIDERS, name));
}

/** The answers of a table, for a question. */
function optionsOf<T extends string>(labels: Readonly<Record<T, string>>) {
  const values = Object.keys(labels).filter((name) => isOneOf<T>(labels, name));
  return values.map((value) => ({ value, label: labels[value] }));
}
