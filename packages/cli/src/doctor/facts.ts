import type { CallExpression, Node, ObjectLiteralExpression, Project } from "ts-morph";
import type { Manifest } from "../files/manifest.ts";

/** One answer of the running application. */
export interface ProbedResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** What the running application answered; undefined where it was not reached. */
export interface Probe {
  readonly url: URL;
  /** When the answers came, by the clock of this machine. */
  readonly at: number;
  readonly session: ProbedResponse | undefined;
  readonly providers: ProbedResponse | undefined;
  /** Discovery documents by issuer. */
  readonly discovery: ReadonlyMap<string, ProbedResponse | undefined>;
  /** Several answers of the `csrf` action, with `--mixed`: whichever process each came from. */
  readonly mixed?: readonly ProbedResponse[] | undefined;
}

/** What a Redis or Valkey server said of itself. */
export interface RedisFacts {
  /** Its address, without user and password. */
  readonly where: string;
  /** The fields of `INFO`; undefined where it did not tell. */
  readonly info: ReadonlyMap<string, string> | undefined;
  /** Why it did not, in its words. */
  readonly refusal: string | undefined;
}

/** One `createAuth()` with the object literals that make up its configuration. */
export interface FoundConfiguration {
  readonly call: CallExpression;
  readonly literals: readonly ObjectLiteralExpression[];
}

/** What the checks look at. Collected once; no check reads a file or sends a request. */
export interface Facts {
  readonly isProduction: boolean;
  /** The process's environment over that of the `.env` files. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: ReadonlyMap<string, string>;
  /** Paths that git tracks. */
  readonly tracked: ReadonlySet<string>;
  readonly manifest: Manifest;
  readonly project: Project;
  readonly configurations: readonly FoundConfiguration[];
  /** Installed versions by package. */
  readonly installed: ReadonlyMap<string, string>;
  /** Only with `--url`. */
  readonly probe: Probe | undefined;
  /** Only with `--redis`. */
  readonly redis?: RedisFacts | undefined;
}

/** One fault. */
export interface Finding {
  readonly id: string;
  /** Path and line, or the name of a variable or a URL. */
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

/** Looks for one fault. */
export type Check = (facts: Facts) => readonly Omit<Finding, "id">[];

/** Path and line of a node. */
export function placeOf(node: Node): string {
  return `${node.getSourceFile().getFilePath().slice(1)}:${node.getStartLineNumber()}`;
}
