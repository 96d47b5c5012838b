import type { IncomingMessage } from "node:http";
import { nodeHeaders, type OperationRequest } from "@cardea/core/operations";

/**
 * The request of an API route or of `getServerSideProps`, reduced to what reading a session needs. Next's server sets the
 * public origin in the headers, so the URL has none.
 */
export function toOperationRequest({ url, headers: given }: IncomingMessage): OperationRequest {
  return { url: `http://localhost${url?.startsWith("/") === true ? url : "/"}`, headers: nodeHeaders(given) };
}
