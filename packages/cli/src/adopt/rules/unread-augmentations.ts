import { type InterfaceDeclaration, type ModuleDeclaration, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { moduleReferences } from "../module-references.ts";
import { styleOf, wholeLines } from "../source-style.ts";

/** Modules of the former library that export neither the types of adapters nor that of the token. Their replacements do. */
const MAIN = /^(?:next-auth|@auth\/express|@auth\/core(?:\/types)?)$/;

const UNREAD =
  /^(?:JWT|Adapter|AdapterUser|AdapterAccount|AdapterSession|AdapterAuthenticator|Authenticator|VerificationToken)$/;

/**
 * `declare module "next-auth" { interface VerificationToken { … } }`, or `JWT`, added an interface that the library never
 * used, because it was declared in another module. Under the new module name, it would change ours. The interface is moved
 * out of the block and exported from the file, unless a file of the application imports it from the module.
 */
export function moveUnreadAugmentations({ project }: Pick<Application, "project">): Draft {
  const draft = new Draft();
  const files = project.getSourceFiles();
  for (const file of files) {
    for (const { literal, specifier, kind } of moduleReferences(file)) {
      const block = literal.getParent();
      if (kind !== "augmentation" || !MAIN.test(specifier) || !Node.isModuleDeclaration(block)) continue;
      const unread = block.getInterfaces().filter((one) => UNREAD.test(one.getName()) && !isTaken(file, one));
      for (const one of unread) {
        if (!files.some((other) => importsFrom(other, specifier, one.getName()))) moveOut(draft, block, one);
      }
    }
  }
  return draft;
}

function isTaken(file: SourceFile, one: InterfaceDeclaration): boolean {
  const imported = file.getImportDeclarations().flatMap((item) => item.getNamedImports());
  const names = imported.map((named) => (named.getAliasNode() ?? named.getNameNode()).getText());
  return file.getInterface(one.getName()) !== undefined || names.includes(one.getName());
}

function importsFrom(file: SourceFile, module: string, name: string): boolean {
  const from = file.getImportDeclarations().filter((item) => item.getModuleSpecifierValue() === module);
  return from.some((item) => item.getNamedImports().some((named) => named.getName() === name));
}

function moveOut(draft: Draft, block: ModuleDeclaration, one: InterfaceDeclaration): void {
  const file = block.getSourceFile();
  const text = file.getFullText();
  const { eol } = styleOf(text);
  const start = one.getStart(true);
  const indent = /[ \t]*$/.exec(text.slice(0, start))?.[0] ?? "";
  const own = text.slice(start, one.getEnd()).replaceAll(`\n${indent}`, "\n");
  const lines = wholeLines(text, start, one.getEnd());
  draft.edits.push({ path: file.getFilePath(), ...lines, text: "" });
  draft.insert(
    file,
    block.getEnd(),
    eol + eol + own.replace(/^((?:\/\*[\s\S]*?\*\/\s*)?)(?:export\s+)?interface/, "$1export interface"),
  );
  draft.note(
    "changed",
    block,
    `\`${one.getName()}\` was not a type of the former module: moved out of the augmentation`,
  );
}
