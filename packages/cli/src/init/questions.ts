import type { Terminal } from "../host.ts";
import { DEFAULT_PROVIDERS, PROVIDERS, type ProviderChoice } from "./sign-in-parts.ts";
import { TEMPLATES, type Template } from "./templates.ts";

/** Questions of `cardea init`. Each rejects with {@link Cancelled} on Ctrl-C or Escape. */
export interface Questions {
  readonly folder: () => Promise<string>;
  readonly framework: () => Promise<Template>;
  readonly providers: () => Promise<readonly ProviderChoice[]>;
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
  const { multiselect, select, text } = await import("@clack/prompts");
  const answered = <T extends string | readonly string[]>(answer: T | symbol): T => {
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
          options: parseChoices(Object.keys(PROVIDERS)).map((value) => ({ value, label: PROVIDERS[value] })),
          initialValues: [...DEFAULT_PROVIDERS],
          required: false,
        }),
      ),
  };
}

/** The ways to sign in with these names, each once; unknown names are left out. */
export function parseChoices(names: readonly string[]): readonly ProviderChoice[] {
  const isChoice = (name: string): name is ProviderChoice => Object.hasOwn(PROVIDERS, name);
  return [...new Set(names)].filter(isChoice);
}
