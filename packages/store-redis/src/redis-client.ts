/** A client of the package `ioredis`, for a single server, Sentinel or Cluster. */
export interface IoRedisLike {
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** A client of the package `redis`, for a single server or Sentinel. */
export interface NodeRedisLike {
  /** Sends a command. */
  sendCommand(args: string[]): Promise<unknown>;
}

/** A client for Redis or Valkey. The application creates it, connects it, handles its errors and closes it. */
export type RedisClientLike = IoRedisLike | NodeRedisLike;

/** Sends one command; rejects with the client's error, or on timeout. */
export type Send = (command: string, ...args: string[]) => Promise<unknown>;

/**
 * Lets a process that was busy or stopped for the whole time read what has arrived before a limit counts; where there is no such turn of the
 * event loop, with the next timer.
 */
const immediate: unknown = Reflect.get(globalThis, "setImmediate");
const afterReading = (run: () => void): unknown =>
  typeof immediate === "function" ? Reflect.apply(immediate, globalThis, [run]) : setTimeout(run, 0);

/**
 * Wraps the client in a function with a timeout, because clients can wait indefinitely for a server that hangs.
 *
 * @param timeout Milliseconds until a command counts as failed. The command may still take effect.
 */
export function sender(client: RedisClientLike, timeout: number): Send {
  const send: Send =
    "call" in client
      ? (command, ...args) => client.call(command, ...args)
      : (command, ...args) => client.sendCommand([command, ...args]);
  return async (command, ...args) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const end = () => reject(new RedisTimeout(command, timeout));
      timer = setTimeout(() => afterReading(end), timeout);
    });
    try {
      return await Promise.race([send(command, ...args), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The server did not respond in time. */
class RedisTimeout extends Error {
  override readonly name = "RedisTimeout";

  constructor(command: string, timeout: number) {
    super(
      `Redis did not respond to ${command} within ${timeout} ms. Check that the server is reachable and not overloaded.`,
    );
  }
}
