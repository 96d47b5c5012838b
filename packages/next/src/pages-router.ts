import type { IncomingMessage } from "node:http";
import type { OperationRequest } from "@cardea/core/operations";

/**
 * The request of an API route or of `getServerSideProps`, reduced to what reading a session needs. Next's server sets the
 * public origin in the headers, so the URL has none.
 */
export function toOperationRequest({ url, headers: given }: IncomingMessage): OperationRequest {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  return { url: `http://localhost${url?.startsWith("/") === true ? url : "/"}`, headers };
}
