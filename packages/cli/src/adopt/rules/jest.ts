import { Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { successorOf } from "../former-modules.ts";
import { moduleReferences } from "../module-references.ts";

/** A text on one line that excepts packages from those that Jest does not transform: `/node_modules/(?!(next-auth)/)`. */
const EXCEPTION =
  /(["'`])(?:(?!\1)(?:[^\n\\]|\\.))*node_modules(?:(?!\1)(?:[^\n\\]|\\.))*\(\?!(?:(?!\1)(?:[^\n\\]|\\.))*\1/g;

/** A module that is mapped by its whole name: `"^next-auth/react$"`. */
const MAPPED = /(?<=["'`]\^)(?:next-auth|@auth\/(?:core|express|sveltekit))(?:\/[\w-]+)*(?=\$["'`])/g;

/** A mock of a package, which Jest finds by its path. */
const MOCK = /(?:^|\/)__mocks__\/((?:next-auth|@auth\/(?:core|express|sveltekit))(?:\/[\w/-]+)?)\.[cm]?[jt]sx?$/;

/** ES modules that Jest loads with the library. */
const MODULES = ["@cardea", "jose", "oauth4webapi"];

/**
 * Jest loads packages as CommonJS unless its configuration excepts them, and the new packages are ES modules:
 *
 * 1. `transformIgnorePatterns` that except the former packages except the new ones, with what these load.
 * 2. `moduleNameMapper` maps the new module instead of the former one.
 * 3. Mocks that are found by the name of their file are reported.
 * 4. Mocks of an adapter are reported: the methods that a configuration needs are required at startup.
 * 5. NextAuth v4 was CommonJS: without such a pattern, the report says how to add one.
 */
export function configureJest({ project, texts, manifest, former }: Application): Draft {
  const draft = new Draft();
  const sources = project.getSourceFiles().map((file): [string, string] => [file.getFilePath(), file.getFullText()]);
  for (const [path, text] of [...sources, ...texts]) {
    if (text.includes("transformIgnorePatterns")) exceptPackages(draft, path, text);
    if (text.includes("moduleNameMapper")) mapModules(draft, path, text);
  }
  for (const [path] of sources) {
    const module = MOCK.exec(path)?.[1]?.replace(/\/index$/, "");
    const target = module === undefined ? undefined : successorOf(module);
    if (target !== undefined)
      draft.note("left", path, `mock of ${module}, found by its path`, `move it to __mocks__/${target}`);
  }
  for (const file of project.getSourceFiles()) nameAdapterMocks(draft, file);
  const hasJest = manifest.devDependencies?.jest !== undefined || manifest.dependencies?.jest !== undefined;
  if (hasJest && former === "nextauth-v4" && draft.edits.length === 0)
    draft.note(
      "look",
      "/package.json",
      "Jest does not transform the new packages, which are ES modules",
      `for tests that load them without a mock, add "/node_modules/(?!(${MODULES.join("|")})/)" to \`transformIgnorePatterns\``,
    );
  return draft;
}

function nameAdapterMocks(draft: Draft, file: SourceFile): void {
  for (const { literal, specifier, kind } of moduleReferences(file)) {
    const call = literal.getParent();
    const isWritten = Node.isCallExpression(call) && call.getArguments().length > 1;
    if (kind === "mock" && isWritten && /^(?:@cardea\/adapter-|@auth\/[\w-]+-adapter$)/.test(specifier))
      draft.note(
        "look",
        literal,
        "a test mocks the adapter",
        "`createAuth()` requires the methods that the configuration needs (docs/errors.md#missingadaptermethods): add those that the mock lacks",
      );
  }
}

function exceptPackages(draft: Draft, path: string, text: string): void {
  for (const { 0: pattern, index } of text.matchAll(EXCEPTION)) {
    const former = /(?<=[(|!])next-auth(?=[|)/])/.exec(pattern);
    const place = former ?? /(?<=[(|!])(?=@auth\b)/.exec(pattern);
    if (place === null || pattern.includes("@cardea")) continue;
    const start = index + place.index;
    const missing = MODULES.filter((name) => !pattern.includes(name)).join("|");
    draft.editText(path, start, start + place[0].length, former === null ? `${missing}|` : missing);
    draft.notes.push({
      kind: "changed",
      path,
      at: index,
      what: "`transformIgnorePatterns` excepts the new packages, which are ES modules",
    });
  }
}

function mapModules(draft: Draft, path: string, text: string): void {
  for (const { 0: module, index } of text.matchAll(MAPPED)) {
    const target = successorOf(module);
    if (target === undefined) continue;
    draft.editText(path, index, index + module.length, target);
    draft.notes.push({ kind: "changed", path, at: index, what: `${module} → ${target}` });
  }
}
