import { Node } from "ts-morph";
import type { Application } from "./application.ts";
import { namesFrom } from "./module-names.ts";
import type { ModuleReference } from "./module-references.ts";

const INSTANCE = "call `auth()` of the instance that `createAuth()` returns";

const SERVER_SESSION = { getServerSession: INSTANCE, unstable_getServerSession: INSTANCE };

/** Exports of the former packages that have no counterpart of that name, with what replaces them. */
const GONE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "next-auth": SERVER_SESSION,
  "next-auth/next": SERVER_SESSION,
  "@auth/express": {
    ExpressAuth: "create one instance with `createAuth(config)`, and mount its `router`",
    getSession: "create one instance with `createAuth(config)`, and call its `auth(req, res)`",
  },
};

/** The handler of requests in NextAuth v4, reached by another way than an import of its own. */
const HANDLER = "import it with `import NextAuth from`, or write `createAuth(options)` and export its `handlers`";

/** A use of an export that has no counterpart. */
export interface GoneName {
  readonly node: Node;
  readonly what: string;
  readonly why: string;
}

/**
 * The exports without a counterpart that a reference to a former module uses. Such a reference keeps the former module, so that the file
 * does not load once the package is removed: under the new module, the name would be `undefined` in JavaScript, and the guard around it
 * might catch the error.
 *
 * A use of the whole module in a way that is not understood is one as well.
 */
export function goneNames(
  { former }: Pick<Application, "former">,
  { literal, specifier, kind }: ModuleReference,
): readonly GoneName[] {
  const listed = GONE[specifier];
  if (listed === undefined || kind === "mock" || kind === "augmentation") return [];
  const parent = literal.getParentOrThrow();
  const isNamed = Node.isImportDeclaration(parent) && parent.getNamespaceImport() === undefined;
  const gone = former === "nextauth-v4" && !isNamed ? { ...listed, default: HANDLER } : listed;
  return namesFrom(parent).flatMap(({ node, name }): GoneName[] => {
    if (name === undefined)
      return [{ node, what: `uses ${specifier} as a whole`, why: Object.values(listed).join("; ") }];
    const why = Object.hasOwn(gone, name) ? gone[name] : undefined;
    return why === undefined ? [] : [{ node, what: `\`${name}\` of ${specifier} was not moved`, why }];
  });
}
