import { type ModuleDeclaration, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { moduleReferences } from "../module-references.ts";
import { inStyle, styleOf } from "../source-style.ts";

/**
 * `declare module` extends a module only in a file with an import or export. In any other file it takes the module's place, so
 * that everything else of the module is gone. Such a file may have had an import of the former library that nothing used.
 *
 * 1. A file with nothing else imports the module that it extends.
 * 2. A file with further declarations, which are global without an import, is named.
 */
export function importAugmented({ project }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    const [first] = ambientModules(file);
    if (first === undefined) continue;
    const others = file.getStatements().filter((one) => !ambientModules(file).some((block) => block === one));
    const module = first.getName();
    if (others.length === 0) {
      draft.insert(file, first.getStart(), inStyle(`import ${module};\n\n`, styleOf(file.getFullText())));
      draft.note("changed", first, "the file imports the module that it extends");
    } else {
      draft.note(
        "left",
        first,
        `${module} is replaced by this declaration`,
        "move the declaration to a file of its own, with an import of the module",
      );
    }
  }
  return draft;
}

/** The modules of ours that a file without imports and exports declares. */
function ambientModules(file: SourceFile): readonly ModuleDeclaration[] {
  const isModule = file
    .getStatements()
    .some(
      (one) =>
        Node.isImportDeclaration(one) ||
        Node.isExportDeclaration(one) ||
        Node.isExportAssignment(one) ||
        (Node.isExportable(one) && one.hasExportKeyword()),
    );
  if (isModule) return [];
  return moduleReferences(file).flatMap(({ literal, specifier, kind }) => {
    const block = literal.getParent();
    return kind === "augmentation" && specifier.startsWith("@cardea/") && Node.isModuleDeclaration(block)
      ? [block]
      : [];
  });
}
