// How the applications of the generator decide: each decision in each spelling of a callback.

/** Names of what a decision is made from: the claims of NextAuth v4, or the session of Auth.js v5. */
export interface Subject {
  readonly name: string;
  readonly role: string;
  readonly banned: string;
}

/** `token` of NextAuth v4 and of `getToken()`. */
export const claims = (name: string): Subject => ({ name, role: `${name}?.role`, banned: `${name}?.banned` });
/** `session`, `auth`: its user has the members that `callbacks.session` adds. */
export const session = (name: string): Subject => ({
  name,
  role: `${name}?.user?.role`,
  banned: `${name}?.user?.banned`,
});

/** The body of a function that decides. */
export type Decision = (of: Subject) => string;

/** True values, missing values and errors, in each combination that the former libraries judge differently from a plain boolean. */
export const DECISIONS: Readonly<Record<string, Decision>> = {
  boolean: ({ role }) => `return ${role} === "admin";`,
  "not null": ({ name }) => `return ${name} !== null;`,
  "nothing unless banned": ({ banned }) => `if (${banned}) return false;`,
  "nothing unless admin": ({ role }) => `if (${role} === "admin") return true;`,
  "nothing at all": () => "",
  "a text": ({ name, role }) => `return ${name} && ${role};`,
  "the subject": ({ name }) => `return ${name};`,
  "try and catch": ({ name, role }) =>
    `try { if (!${name}) throw new Error("none"); return ${role} === "admin"; } catch { return; }`,
  "an early null": ({ name, banned }) => `if (!${name}) return null; return !${banned};`,
  "an error for some": ({ name, banned }) => `if (${banned}) throw new Error("banned"); return ${name} ? 1 : 0;`,
  "a switch": ({ role }) => `switch (${role}) { case "admin": return "yes"; default: }`,
  "false or nothing": ({ name }) => `return ${name} === null ? false : undefined;`,
  "a promise": ({ role }) => `return Promise.resolve(${role});`,
  "an early return": ({ name, banned }) => `if (${name} === null) return false; if (${banned}) return ""; return true;`,
  "a choice": ({ name, role, banned }) => `return ${banned} ? undefined : ${name} ? ${role} ?? {} : 0;`,
};

/** A configuration as it is written, with what it needs in front of it and in other files. */
interface Written {
  readonly before: string;
  readonly options: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The members of a configuration besides `authorized`. */
export interface Shape {
  /** The name of the parameter's member: `token` or `auth`. */
  readonly given: string;
  /** Options, such as `pages: { … },`. */
  readonly members: string;
  /** Further callbacks, each with a comma. */
  readonly callbacks: string;
}

type Spelling = (shape: Shape, body: (name: string) => string) => Written;

const inline = ({ members, callbacks }: Shape, member: string, before = "", files = {}): Written => ({
  before,
  options: `{ ${members} callbacks: { ${callbacks} ${member} } }`,
  files,
});

/** The spellings of `callbacks.authorized` and of the options around it. */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  arrow: (shape, body) => inline(shape, `authorized: ({ ${shape.given} }) => { ${body(shape.given)} }`),
  "async arrow": (shape, body) => inline(shape, `authorized: async ({ ${shape.given} }) => { ${body(shape.given)} }`),
  method: (shape, body) => inline(shape, `authorized({ ${shape.given} }) { ${body(shape.given)} }`),
  "async method": (shape, body) => inline(shape, `async authorized({ ${shape.given} }) { ${body(shape.given)} }`),
  "function expression": (shape, body) =>
    inline(shape, `authorized: function ({ ${shape.given} }) { ${body(shape.given)} }`),
  quoted: (shape, body) => inline(shape, `"authorized": ({ ${shape.given} }) => { ${body(shape.given)} }`),
  computed: (shape, body) => inline(shape, `["authorized"]: ({ ${shape.given} }) => { ${body(shape.given)} }`),
  "computed by a constant": (shape, body) =>
    inline(shape, `[NAME]: ({ ${shape.given} }) => { ${body(shape.given)} }`, 'const NAME = "authorized";\n'),
  cast: (shape, body) => inline(shape, `authorized: (({ ${shape.given} }) => { ${body(shape.given)} }) as never`),
  "renamed member": (shape, body) => inline(shape, `authorized: ({ ${shape.given}: who }) => { ${body("who")} }`),
  "whole parameter": (shape, body) =>
    inline(shape, `authorized: (given) => { const who = given.${shape.given}; ${body("who")} }`),
  identifier: (shape, body) =>
    inline(shape, "authorized: decide", `const decide = ({ ${shape.given} }) => { ${body(shape.given)} };\n`),
  "declared function": (shape, body) =>
    inline(shape, "authorized: decide", `function decide({ ${shape.given} }) { ${body(shape.given)} }\n`),
  shorthand: (shape, body) =>
    inline(shape, "authorized", `const authorized = ({ ${shape.given} }) => { ${body(shape.given)} };\n`),
  spread: (shape, body) =>
    inline(shape, "...rules", `const rules = { authorized: ({ ${shape.given} }) => { ${body(shape.given)} } };\n`),
  "a helper in another file": (shape, body) =>
    inline(
      shape,
      `authorized: ({ ${shape.given} }) => isAllowed(${shape.given})`,
      'import { isAllowed } from "./rules";\n',
      {
        "rules.ts": `export function isAllowed(who) { ${body("who")} }\n`,
      },
    ),
  imported: (shape, body) =>
    inline(shape, "authorized", 'import { authorized } from "./rules";\n', {
      "rules.ts": `export async function authorized({ ${shape.given} }) { ${body(shape.given)} }\n`,
    }),
  "callbacks as a constant": ({ given, members, callbacks }, body) => ({
    before: `const callbacks = { ${callbacks} authorized({ ${given} }) { ${body(given)} } };\n`,
    options: `{ ${members} callbacks }`,
    files: {},
  }),
  "options as a constant": (shape, body) => {
    const { options } = inline(shape, `authorized: ({ ${shape.given} }) => { ${body(shape.given)} }`);
    return { before: `const options = ${options};\n`, options: "options", files: {} };
  },
  "options of another file": (shape, body) => {
    const { options } = inline(shape, `authorized: ({ ${shape.given} }) => { ${body(shape.given)} }`);
    return {
      before: 'import { options } from "./options";\n',
      options: "options",
      files: { "options.ts": `export const options = ${options};\n` },
    };
  },
  "options that are spread": (shape, body) => {
    const { options } = inline(shape, `authorized: ({ ${shape.given} }) => { ${body(shape.given)} }`);
    return { before: `const base = ${options};\n`, options: "{ ...base, debug: false }", files: {} };
  },
};
