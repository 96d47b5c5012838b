// How a package of one source file is built: tsup for the code; the declarations straight from the syntax, which takes
// milliseconds where a type checker takes seconds. With 35 such packages that is a minute on two cores.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Options } from "tsup";
import ts from "typescript";

/** The tsup configuration of a package whose every entry is one file with explicit types (`isolatedDeclarations`). */
export function singleFileBuild({ entry }: { entry: Record<string, string> }): Options {
  return {
    entry,
    format: ["esm"],
    clean: true,
    sourcemap: false,
    target: "es2022",
    silent: true,
    onSuccess: async () => {
      for (const [name, source] of Object.entries(entry)) await writeDeclarations(source, `dist/${name}.d.ts`);
    },
  };
}

async function writeDeclarations(source: string, target: string): Promise<void> {
  const text = await readFile(source, "utf8");
  const compilerOptions = { isolatedDeclarations: true, strict: true, stripInternal: true };
  const { outputText, diagnostics } = ts.transpileDeclaration(text, {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions,
  });
  const [problem] = diagnostics ?? [];
  if (problem) throw new Error(`${source}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, outputText);
}
