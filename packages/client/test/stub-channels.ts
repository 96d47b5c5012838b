import { vi } from "vitest";

const Channel = globalThis.BroadcastChannel;

/**
 * Gives the tabs of one test channels of their own: real ones, but Node's reach every thread of the process. Returns those
 * that are open.
 */
export function stubChannels(): ReadonlySet<BroadcastChannel> {
  const open = new Set<BroadcastChannel>();
  const id = crypto.randomUUID();
  class SiteChannel extends Channel {
    constructor(name: string) {
      super(`${name} ${id}`);
      open.add(this);
    }
    override close() {
      super.close();
      open.delete(this);
    }
  }
  vi.stubGlobal("BroadcastChannel", SiteChannel);
  return open;
}
