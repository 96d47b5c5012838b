import type { CallExpression, Node, ObjectLiteralExpression, Project } from "ts-morph";
import type { Manifest } from "../files/manifest.ts";

/** A response of the running application. */
export interface ProbedResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** A provider's responses to a logout request without a session. */
export interface ProbedEnding {
  /** The post-logout redirect URI of the application. */
  readonly uri: string;
  readonly without: ProbedResponse | undefined;
  /** Response to a request with that URI. */
  readonly returning: ProbedResponse | undefined;
}

/** Responses to a page of another origin; undefined if there was no response. */
export interface ProbedPage {
  readonly origin: string;
  /** Response to GET `session`. */
  readonly read: ProbedResponse | undefined;
  /** Response to the preflight of POST `session`. */
  readonly preflight: ProbedResponse | undefined;
}

/** Responses of the running application; undefined if there was no response. */
export interface Probe {
  readonly url: URL;
  /** Time of the responses, by the local clock. */
  readonly at: number;
  readonly session: ProbedResponse | undefined;
  readonly providers: ProbedResponse | undefined;
  /** Discovery documents by issuer. */
  readonly discovery: ReadonlyMap<string, ProbedResponse | undefined>;
  /** With `logout()`: by issuer, for providers with a known client id and an end-session endpoint. */
  readonly endings?: ReadonlyMap<string, ProbedEnding> | undefined;
  /** With `--page`: what a page of another origin gets. */
  readonly page?: ProbedPage | undefined;
  /** For passkeys on several domains: `/.well-known/webauthn`. */
  readonly relatedOrigins?: ProbedResponse | undefined;
  /** With `--mixed`: several responses of the `csrf` action, possibly from different processes. */
  readonly mixed?: readonly ProbedResponse[] | undefined;
}

/** Information about a Redis or Valkey server. */
export interface RedisFacts {
  /** Its address, without user and password. */
  readonly where: string;
  /** The fields of `INFO`; undefined if unavailable. */
  readonly info: ReadonlyMap<string, string> | undefined;
  /** The server's error message, if it rejected the request. */
  readonly refusal: string | undefined;
}

/** An address as the database stores it. */
export interface StoredAddress {
  readonly id: string;
  readonly email: string;
}

/** Information about a database. */
export interface DatabaseFacts {
  /** Its address, without user and password. */
  readonly where: string;
  /** Addresses with capitals, and those that differ from one of them in case alone. */
  readonly addresses: readonly StoredAddress[];
  /** Why it could not be read. */
  readonly refusal: string | undefined;
}

/** One `createAuth()` with the object literals that make up its configuration. */
export interface FoundConfiguration {
  readonly call: CallExpression;
  readonly literals: readonly ObjectLiteralExpression[];
}

/** The input of the checks. Collected once; checks do not read files or send requests. */
export interface Facts {
  readonly isProduction: boolean;
  /** Environment variables of the process, then of the `.env` files. */
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
  /** Only with `--database`. */
  readonly database?: DatabaseFacts | undefined;
}

/** A problem found by a check. */
export interface Finding {
  readonly id: string;
  /** Path and line, or the name of a variable or a URL. */
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

/** Checks for one problem. */
export type Check = (facts: Facts) => readonly Omit<Finding, "id">[];

/** Path and line of a node. */
export function placeOf(node: Node): string {
  return `${node.getSourceFile().getFilePath().slice(1)}:${node.getStartLineNumber()}`;
}
