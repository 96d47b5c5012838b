import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type OidcClient, type RunningOidcProvider, startOidcProvider } from "@cardea/testing/oidc-provider";

/** A provider whose token endpoint can be made to keep its callers waiting. */
export interface StallingProvider {
  readonly issuer: string;
  /**
   * Has the next caller of the token endpoint wait for an answer that never comes: before its code was looked at, or when it
   * has been used up. Resolves when a user waits.
   */
  stallNext(when: "before" | "after"): Promise<void>;
  close(): Promise<void>;
}

interface Stall {
  readonly when: "before" | "after";
  readonly reached: () => void;
}

/** Starts the local provider behind a proxy. */
export async function startStallingProvider(client: OidcClient): Promise<StallingProvider> {
  const state: { stall: Stall | undefined; target: RunningOidcProvider | undefined } = {
    stall: undefined,
    target: undefined,
  };
  const proxy = createServer((incoming, outgoing) => {
    const isToken = incoming.method === "POST" && incoming.url === "/token";
    const stall = isToken ? state.stall : undefined;
    if (stall !== undefined) state.stall = undefined;
    if (stall?.when === "before") return stall.reached();
    pass(incoming, outgoing, state.target?.url ?? "", stall);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  const address = proxy.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const target = await startOidcProvider({ issuer, clients: [client] });
  state.target = target;
  return {
    issuer,
    stallNext: (when) =>
      new Promise((reached) => {
        state.stall = { when, reached };
      }),
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await target.close();
    },
  };
}

/** The host stays the proxy's: it is the issuer, and the provider answers to no other name. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, target: string, stall: Stall | undefined): void {
  const onward = request(`${target}${incoming.url}`, { method: incoming.method, headers: incoming.headers });
  onward.on("response", (answer) => {
    if (stall !== undefined) return stall.reached();
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
}
