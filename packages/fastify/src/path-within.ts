import { InvalidConfiguration } from "@cardea/core/errors";

/**
 * The base path, without the prefix of the plugin's registration.
 *
 * @throws InvalidConfiguration
 */
export function pathWithin(prefix: string, basePath: string): string {
  if (`${basePath}/`.startsWith(`${prefix}/`)) return basePath.slice(prefix.length);
  throw new InvalidConfiguration(
    `The plugin is registered below ${prefix}, but \`basePath\` is ${basePath || "/"}. Set \`basePath\` to a path below ${prefix}.`,
  );
}
