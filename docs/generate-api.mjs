// The API reference, docs/api/, from the doc comments of every package: a page for each entry point. Not committed.
import { join } from "node:path";
import { Application, Converter } from "typedoc";
import { privateEntries } from "../tools/layer-table.mjs";
import { packageNames, publicEntries } from "../tools/source-files.mjs";

const root = join(import.meta.dirname, "..");

const entries = packageNames(root)
  .flatMap((name) => publicEntries(root, name))
  .filter(({ specifier }) => !(specifier in privateEntries));
// typedoc calls a module by the path of its source: `core/src/model/errors`. Here it is called as it is imported.
const specifiers = new Map(
  entries.map(({ specifier, source }) => [
    source.replace(/^packages\//, "").replace(/(?:\/index)?\.ts$/, ""),
    specifier,
  ]),
);

const app = await Application.bootstrapWithPlugins({
  plugin: ["typedoc-plugin-markdown"],
  entryPoints: entries.map(({ source }) => join(root, source)),
  tsconfig: join(root, "tsconfig.json"),
  outputs: [{ name: "markdown", path: join(import.meta.dirname, "api") }],
  name: "API",
  readme: "none",
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  // `npm test` checks types, with a newer compiler, which knows more of what browsers have.
  skipErrorChecking: true,
  // What is not exported is not part of the interface, and has no page that could be linked to.
  validation: false,
  logLevel: "Warn",
  router: "module",
  entryFileName: "index",
  hideGenerator: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  useCustomAnchors: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeDeclarationFormat: "table",
});
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.children ?? []) module.name = specifiers.get(module.name) ?? module.name;
});

const project = await app.convert();
if (project === undefined || app.logger.hasErrors()) throw new Error("typedoc could not read the packages");
await app.generateOutputs(project);
