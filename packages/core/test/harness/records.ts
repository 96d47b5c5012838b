/** What a hostile case leaves behind: every visit with its answer, its log records and its events. Test-only. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { EventCallbacks, LoggerInstance } from "@cardea/core/types";

/** One call of the configured logger. */
export interface LogRecord {
  readonly level: "error" | "warn" | "debug";
  /** Message of the error, code of the warning, message of the debug line. */
  readonly text: string;
  /** Everything the logger was given. */
  readonly values: readonly unknown[];
}

/** One call of an event handler. */
interface EventRecord {
  readonly name: string;
  readonly message: unknown;
}

/** One request to the engine and its answer. */
export interface VisitRecord {
  readonly method: string;
  readonly url: URL;
  readonly requestHeaders: Headers;
  readonly logs: LogRecord[];
  readonly events: EventRecord[];
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly milliseconds: number;
}

/** Collects what happens, and knows during which visit. */
export interface Recorder {
  /** Without the steps. */
  readonly logs: LogRecord[];
  /** The lines of the steps of every action. */
  readonly steps: LogRecord[];
  readonly events: EventRecord[];
  readonly logger: LoggerInstance;
  /** Handlers for every event; those of `own` are called as well. */
  eventHandlers(own: EventCallbacks): EventCallbacks;
  /** Runs `visit`; what is logged and emitted meanwhile is also in the lists of `during`. */
  attribute<T>(during: Pick<VisitRecord, "logs" | "events">, visit: () => Promise<T>): Promise<T>;
}

const EVENTS = ["signIn", "signOut", "createUser", "updateUser", "linkAccount", "session"] as const;

/** A visit under way, and whose it is: what runs inside one case may visit another. */
interface Under {
  readonly recorder: object;
  readonly during: Pick<VisitRecord, "logs" | "events">;
}

/** One for all recorders: each one that was ever used slows down every promise after it. */
const underWay = new AsyncLocalStorage<readonly Under[]>();

/** Makes a recorder for one configuration. */
export function createRecorder(): Recorder {
  const recorder = {};
  const current = () => underWay.getStore()?.findLast((one) => one.recorder === recorder)?.during;
  const logs: LogRecord[] = [];
  const steps: LogRecord[] = [];
  const events: EventRecord[] = [];
  const log = (level: LogRecord["level"], text: string, values: readonly unknown[]): void => {
    const record = { level, text, values };
    if (level === "debug" && text.startsWith("step: ")) return void steps.push(record);
    logs.push(record);
    current()?.logs.push(record);
  };
  return {
    logs,
    steps,
    events,
    logger: {
      error: (error) => log("error", error.message, [error]),
      warn: (code) => log("warn", code, [code]),
      debug: (message, metadata) => log("debug", message, [message, metadata]),
    },
    eventHandlers: (own) => {
      const handler = (name: keyof EventCallbacks) => async (message: unknown) => {
        const record = { name, message };
        events.push(record);
        current()?.events.push(record);
        await parseHandler(own[name])?.(message);
      };
      return Object.fromEntries(EVENTS.map((name) => [name, handler(name)]));
    },
    attribute: (during, visit) => underWay.run([...(underWay.getStore() ?? []), { recorder, during }], visit),
  };
}

function parseHandler(handler: unknown): ((message: unknown) => unknown) | undefined {
  return typeof handler === "function" ? (handler as (message: unknown) => unknown) : undefined;
}

/** Every string in a value, members that are not enumerable (message, cause) included; stacks line by line. */
export function stringsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    const member: unknown = Reflect.get(value, key);
    const name = typeof key === "string" && !Array.isArray(value) ? [key] : [];
    if (key === "stack" && typeof member === "string") return member.split("\n");
    return [...name, ...stringsIn(member, seen)];
  });
}
