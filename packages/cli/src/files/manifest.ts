/** The members of a package.json that the commands read. */
export interface Manifest {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly packageManager?: string | undefined;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>> | undefined;
  readonly scripts: Readonly<Record<string, string>>;
}

/**
 * Parses a package.json. Missing members and members of another type are left empty. @throws SyntaxError if it is not
 * JSON.
 */
export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  const members: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
  const stringAt = (name: string) => (typeof members[name] === "string" ? members[name] : undefined);
  return {
    name: stringAt("name"),
    type: stringAt("type"),
    packageManager: stringAt("packageManager"),
    dependencies: parseStrings(members.dependencies),
    devDependencies: parseStrings(members.devDependencies),
    peerDependencies: parseStrings(members.peerDependencies),
    optionalDependencies: parseStrings(members.optionalDependencies),
    scripts: parseStrings(members.scripts),
  };
}

/** The version range of a package, in any kind of dependencies. */
export function rangeOf(manifest: Manifest, name: string): string | undefined {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  return dependencies[name] ?? devDependencies[name] ?? optionalDependencies?.[name] ?? peerDependencies[name];
}

/** The major version at the start of a range; undefined for tags and links. */
export function majorOf(range: string | undefined): number | undefined {
  const [, major] = /^(?:npm:@?[^@]+@)?[\^~>=v\s]*(\d+)/.exec(range ?? "") ?? [];
  return major === undefined ? undefined : Number(major);
}

function parseStrings(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
