import { once } from "node:events";
import { createServer } from "node:net";

/** A port that is free now, for servers that must be told theirs. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("The server is not listening on a port.");
  return address.port;
}
