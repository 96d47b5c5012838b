// A registry on this machine, for dry runs and for tests that install what would be published.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runServer } from "verdaccio";

/**
 * Starts verdaccio on a port of 127.0.0.1, by default a free one, and resolves to `{ url, npmrc, close() }`. It has only what is
 * published to it, and leads nowhere else: a package of ours that is missing is missing, and not another user's.
 */
export async function startLocalRegistry({ port = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cardea-registry-"));
  const storage = join(folder, "storage");
  mkdirSync(storage);
  const server = await runServer({
    storage,
    self_path: folder,
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
    packages: { "**": { access: "$all", publish: "$all" } },
    web: { enable: false },
    max_body_size: "20mb",
    log: { type: "stdout", format: "pretty", level: "fatal" },
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${server.address().port}`;
  return {
    url: `http://${host}/`,
    /** Where our packages come from, and the token that clients want before they publish; the registry asks for none. */
    npmrc: `@cardea:registry=http://${host}/\n//${host}/:_authToken=unknown\n`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
