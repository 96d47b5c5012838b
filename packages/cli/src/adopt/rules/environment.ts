import { Node, type ObjectLiteralExpression, type PropertyAccessExpression, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { objectIn, unwrap, valueNamed } from "../object-literals.ts";

/** New names of NextAuth v4 variables. The former names are still read. */
const RENAMED = { NEXTAUTH_SECRET: "AUTH_SECRET", NEXTAUTH_URL: "AUTH_URL" } as const;

/**
 * Names of environment variables:
 *
 * 1. In code, `secret: process.env.NEXTAUTH_SECRET` is renamed in a configuration, in `getToken()` and in `withAuth()`, which read both
 *    names. Elsewhere only the named variable is read, as by `encode()` and other libraries.
 * 2. In tracked files (`.env.example`, Dockerfile, Compose, CI), a variable is renamed unless other code still reads
 *    it. Names of stored secrets, such as `secrets.NEXTAUTH_SECRET` in a workflow, are kept, because they are not
 *    defined in the repository.
 * 3. `AUTH_SECRET_1` to `_3`: the newest one becomes `AUTH_SECRET`, which is used for encryption.
 */
export function renameEnvironment(application: Application): Draft {
  const draft = new Draft();
  for (const [former, name] of Object.entries(RENAMED)) {
    const isRead = renameInCode(draft, application, former, name);
    if (isRead) continue;
    for (const [path, text] of application.texts) renameInText(draft, path, text, former, name);
  }
  for (const [path, text] of application.texts) if (isEnvironmentFile(path)) reorderSecrets(draft, path, text);
  return draft;
}

/** Renames the value of `secret`. @returns whether other code reads the variable. */
function renameInCode(draft: Draft, application: Application, former: string, name: string): boolean {
  let isRead = false;
  const ours = secretsOf(application).filter((node) => node.getName() === former);
  for (const file of application.project.getSourceFiles()) {
    const text = file.getFullText();
    for (const match of text.matchAll(new RegExp(`\\b${former}\\b`, "g"))) {
      const before = text.slice(0, match.index);
      const isOurs = ours.some(
        (node) => node.getSourceFile() === file && node.getNameNode().getStart() === match.index,
      );
      if (isOurs) {
        draft.editText(file.getFilePath(), match.index, match.index + former.length, name);
        draft.notes.push({ kind: "changed", path: file.getFilePath(), at: match.index, what: `${former} → ${name}` });
      } else if (!/^\s*(?:\/\/|\*)/.test(before.slice(before.lastIndexOf("\n") + 1))) {
        isRead = true;
        draft.notes.push({
          kind: "look",
          path: file.getFilePath(),
          at: match.index,
          what: `${former} is named in this file and was not renamed`,
          why: "Cardea itself reads both names; keep the former one until no code names it",
        });
      }
    }
  }
  return isRead;
}

/** The variables that are the `secret` of a configuration, of `getToken()` or of `withAuth()`: without a value, both names are read. */
function secretsOf(application: Application): readonly PropertyAccessExpression[] {
  const configurations = createAuthCalls(application).flatMap((call) => configurationOf(application, call));
  const objects = [...configurations, ...application.project.getSourceFiles().flatMap(tokenOptions)];
  return objects.flatMap((object) => {
    const given = valueNamed(object, "secret");
    const value = given && unwrap(given);
    const isVariable = Node.isPropertyAccessExpression(value) && value.getExpression().getText() === "process.env";
    return isVariable ? [value] : [];
  });
}

function tokenOptions(file: SourceFile): readonly ObjectLiteralExpression[] {
  const readers = [
    findImport(file, ["@cardea/next/jwt", "@cardea/core/jwt"], "getToken"),
    findImport(file, ["@cardea/bridge-authjs/middleware"], "withAuth"),
    findImport(file, ["@cardea/bridge-authjs/middleware"], "default"),
  ];
  const calls = readers.flatMap((reader) => (reader === undefined ? [] : callsOf(file, reader.local)));
  return calls.flatMap((call) => call.getArguments().flatMap((one) => objectIn(one) ?? []));
}

function renameInText(draft: Draft, path: string, text: string, former: string, name: string): void {
  if (
    !/(?:^|\/)(?:\.env[\w.-]*|[\w.-]*Dockerfile[\w.-]*|[\w./-]+\.ya?ml|turbo\.json|app\.json|fly\.toml)$/i.test(path) ||
    /lock/.test(path)
  )
    return;
  for (const match of text.matchAll(new RegExp(`(?<!(?:secrets|vars|github|inputs)\\.)\\b${former}\\b`, "g"))) {
    draft.editText(path, match.index, match.index + former.length, name);
    draft.notes.push({
      kind: "changed",
      path,
      at: match.index,
      what: `${former} → ${name}`,
      why: "set it in each deployment; the former name still works",
    });
  }
}

function isEnvironmentFile(path: string): boolean {
  return /(?:^|\/)\.env[\w.-]*$/.test(path);
}

/** Auth.js encrypts with the highest number, Cardea with the plain name, so the values are swapped. */
function reorderSecrets(draft: Draft, path: string, text: string): void {
  const lines = [...text.matchAll(/^(AUTH_SECRET(?:_([123]))?)(\s*=\s*)([^\r\n]*)$/gm)];
  if (lines.length < 2) return;
  const newestFirst = [...lines].sort((a, b) => Number(b[2] ?? 0) - Number(a[2] ?? 0));
  const names = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"];
  newestFirst.forEach((line, index) => {
    const [, name = "", ,] = line;
    const renamed = names[index] ?? name;
    if (renamed === name) return;
    draft.editText(path, line.index, line.index + name.length, renamed);
    draft.notes.push({
      kind: "changed",
      path,
      at: line.index,
      what: `${name} → ${renamed}`,
      why: "`AUTH_SECRET` is used for encryption, and the numbered secrets are older; make the same change in each deployment",
    });
  });
}
