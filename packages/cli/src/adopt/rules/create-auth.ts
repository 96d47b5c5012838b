import { type ImportDeclaration, Node, type SourceFile, type VariableStatement } from "ts-morph";
import { type Application, mainPackage } from "../application.ts";
import { Draft } from "../draft.ts";
import { type FormerImport, findImport } from "../former-import.ts";
import { goneNames } from "../gone-names.ts";
import { hasName, usesOf } from "../identifiers.ts";
import { namesFrom } from "../module-names.ts";
import { moduleReferences } from "../module-references.ts";
import { styleOf } from "../source-style.ts";

/**
 * `NextAuth(config)` becomes `createAuth(config)`. Arguments and destructured results stay the same. An unused default
 * import, as in declaration files, is removed. Where a test mocks the module by a function, the default import stays:
 * the mock has no `createAuth`.
 */
export function renameCreateAuth(application: Application): Draft {
  const draft = new Draft();
  const isMocked = application.project.getSourceFiles().some(mocksLibrary);
  for (const file of application.project.getSourceFiles()) {
    const found = findImport(file, MODULES, "default");
    if (isMocked && found?.declaration !== undefined && usesOf(file, found.local).length > 0) continue;
    if (found?.declaration !== undefined) renameImported(draft, application, file, found, found.declaration);
    else if (found !== undefined) renameRequired(draft, application, file, found);
  }
  return draft;
}

const MODULES = ["next-auth", "next-auth/next"];

/** `jest.mock("next-auth", () => …)`. */
function mocksLibrary(file: SourceFile): boolean {
  return moduleReferences(file).some(({ literal, specifier, kind }) => {
    const call = literal.getParent();
    return (
      kind === "mock" && MODULES.includes(specifier) && Node.isCallExpression(call) && call.getArguments().length > 1
    );
  });
}

function renameImported(
  draft: Draft,
  application: Application,
  file: SourceFile,
  { local }: FormerImport,
  declaration: ImportDeclaration,
): void {
  const uses = usesOf(file, local);
  const { quote } = styleOf(file.getFullText());
  const target = `${quote}${mainPackage(application)}${quote}`;
  const isTaken = hasName(file, "createAuth");
  const [reference] = moduleReferences(file).filter(({ literal }) => literal.getParent() === declaration);
  const gone = reference === undefined ? [] : goneNames(application, reference).map(({ node }) => node.getText());
  const named = declaration.getNamedImports().flatMap((specifier) => {
    const text = specifier.getText();
    return gone.includes(text) || specifier.getName() === "default" ? [] : [text];
  });
  const own = uses.length === 0 ? [] : [isTaken ? `createAuth as ${local}` : "createAuth"];
  const names = [...own, ...named];
  const type = declaration.isTypeOnly() ? "type " : "";
  const semicolon = declaration.getText().endsWith(";") ? ";" : "";
  const clause = names.length === 0 ? "" : `${type}{ ${names.join(", ")} } from `;
  const { eol } = styleOf(file.getFullText());
  const former = declaration.getModuleSpecifier().getText();
  const kept = gone.length === 0 ? "" : `${eol}import { ${gone.join(", ")} } from ${former}${semicolon}`;
  draft.replace(declaration, `import ${clause}${target}${semicolon}${kept}`);
  draft.note(
    "changed",
    declaration,
    uses.length === 0
      ? `${declaration.getModuleSpecifierValue()} → ${mainPackage(application)}`
      : "`NextAuth` → `createAuth`",
  );
  draft.added.add(mainPackage(application));
  if (!isTaken) for (const use of uses) draft.replace(use, "createAuth");
}

function renameRequired(
  draft: Draft,
  application: Application,
  file: SourceFile,
  { local, statement }: FormerImport,
): void {
  const { quote } = styleOf(file.getFullText());
  const isTaken = hasName(file, "createAuth");
  if (!Node.isVariableStatement(statement) || takesMore(file, statement)) return;
  const semicolon = statement.getText().endsWith(";") ? ";" : "";
  const binding = isTaken ? `createAuth: ${local}` : "createAuth";
  draft.replace(statement, `const { ${binding} } = require(${quote}${mainPackage(application)}${quote})${semicolon}`);
  draft.note("changed", statement, "`NextAuth` → `createAuth`");
  draft.added.add(mainPackage(application));
  if (!isTaken) for (const use of usesOf(file, local)) draft.replace(use, "createAuth");
}

/** Whether a statement with `require()` takes more than the default export. Then only the module is renamed, which has one as well. */
function takesMore(file: SourceFile, statement: VariableStatement): boolean {
  const references = moduleReferences(file).filter(({ literal }) => literal.getAncestors().includes(statement));
  const parts = references.flatMap(({ literal }) => namesFrom(literal.getParentOrThrow()));
  return parts.some(({ name }) => name !== "default");
}
