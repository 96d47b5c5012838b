import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import type { EventCallbacks, LoggerInstance } from "../model/callbacks.ts";
import { emitEvent } from "./events.ts";

const MESSAGE = { user: { id: "1" } };

function collect() {
  const errors: Error[] = [];
  const logger: LoggerInstance = { error: (error) => errors.push(error), warn: () => {}, debug: () => {} };
  return { errors, logger };
}

describe("emitEvent()", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("gives the handler its message and waits for it", async () => {
    const { logger, errors } = collect();
    const seen: unknown[] = [];
    const events: EventCallbacks = {
      signIn: async (message) => {
        await Promise.resolve();
        seen.push(message);
      },
    };
    await emitEvent(events, logger, "signIn", MESSAGE);
    expect(seen).toEqual([MESSAGE]);
    expect(errors).toEqual([]);
  });

  it("does nothing where there is no handler", async () => {
    const { logger, errors } = collect();
    await emitEvent({}, logger, "signIn", MESSAGE);
    expect(errors).toEqual([]);
  });

  it.each([
    ["throws", () => Promise.reject(new TypeError("handler"))],
    [
      "throws at once",
      () => {
        throw new TypeError("handler");
      },
    ],
  ])("R54 logs a handler that %s as an EventError, with the event's name", async (_, handler) => {
    const { logger, errors } = collect();
    await expect(emitEvent({ createUser: handler }, logger, "createUser", MESSAGE)).resolves.toBeUndefined();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      type: "EventError",
      cause: { event: "createUser", err: { message: "handler" } },
    });
  });

  it.each([["a string"], [null], [undefined], [Object.freeze(new Error("frozen"))]])(
    "R54 logs %o thrown by a handler",
    async (thrown) => {
      const { logger, errors } = collect();
      await emitEvent({ signIn: () => Promise.reject(thrown) }, logger, "signIn", MESSAGE);
      expect(errors).toMatchObject([{ type: "EventError", cause: { err: expect.any(Error) } }]);
    },
  );

  it("R54 waits three seconds for a handler that never settles, and no longer", async () => {
    const timers = useOwnTimers();
    const { logger, errors } = collect();
    let done = false;
    const emitting = emitEvent({ signIn: () => new Promise(() => {}) }, logger, "signIn", MESSAGE).then(() => {
      done = true;
    });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await emitting;
    expect(errors).toMatchObject([{ type: "EventError" }]);
    expect(timers.count()).toBe(0);
  });

  it("R54 leaves no timer behind a handler that settles", async () => {
    const timers = useOwnTimers();
    await emitEvent({ signIn: async () => {} }, collect().logger, "signIn", MESSAGE);
    expect(timers.count()).toBe(0);
  });

  it("R54 lets a handler that fails after its time be, without an unhandled rejection", async () => {
    vi.useFakeTimers();
    const { logger, errors } = collect();
    const late = () => new Promise<void>((_, reject) => setTimeout(() => reject(new Error("late")), 5_000));
    const emitting = emitEvent({ signIn: late }, logger, "signIn", MESSAGE);
    await vi.advanceTimersByTimeAsync(10_000);
    await emitting;
    expect(errors).toHaveLength(1);
  });
});
