/** A client of the package `ioredis`, of one server, of Sentinel or of a Cluster. */
export interface IoRedisLike {
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** A client of the package `redis`, of one server or of Sentinel. */
export interface NodeRedisLike {
  /** Sends a command. */
  sendCommand(args: string[]): Promise<unknown>;
}

/** A client of Redis or Valkey. The application makes it, connects it, listens to its errors and closes it. */
export type RedisClientLike = IoRedisLike | NodeRedisLike;

/** Sends one command; rejects with what the client says, or when the time is over. */
export type Send = (command: string, ...args: string[]) => Promise<unknown>;

/**
 * The client as one function with a deadline of our own: a client waits for as long as it likes for a server that hangs.
 *
 * @param timeout milliseconds until a command counts as failed; it may take effect nevertheless.
 */
export function sender(client: RedisClientLike, timeout: number): Send {
  const send: Send =
    "call" in client
      ? (command, ...args) => client.call(command, ...args)
      : (command, ...args) => client.sendCommand([command, ...args]);
  return async (command, ...args) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new RedisTimeout(command, timeout)), timeout);
    });
    try {
      return await Promise.race([send(command, ...args), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The server did not answer in time. */
class RedisTimeout extends Error {
  override readonly name = "RedisTimeout";

  constructor(command: string, timeout: number) {
    super(`Redis did not answer ${command} within ${timeout} ms. Is the server reachable, and is it not overloaded?`);
  }
}
