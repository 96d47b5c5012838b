import type { ResolvedConfig } from "@cardea/core/extension-host";
import type { Extension, Tools } from "@cardea/core/extension-kit";
import { describe, expect, it, vi } from "vitest";
import { defineExtension } from "./define-extension.ts";
import { endSessions } from "./end-sessions.ts";

const END = { by: "owner", reason: "password reset" } as const;

describe("endSessions()", () => {
  it.each([0, 1, 2])("carries every part out, also where part %i fails, and says that it did", async (broken) => {
    const parts = Array.from({ length: 3 }, (_, n) =>
      vi.fn(async () => {
        if (n === broken) throw new Error(`part ${n}`);
        return { e: n, value: n, former: 0 };
      }),
    );
    const [epoch, ...rest] = parts;
    const list: Extension[] = rest.map((run, n) =>
      defineExtension({ id: `e${n}`, endSessions: async () => (await run()) ?? {} }),
    );
    // Only these are asked of them here.
    const config = { extensions: { list } } as unknown as ResolvedConfig;
    const tools = { epoch: () => ({ raise: async () => epoch?.() }) } as unknown as Tools;
    await expect(endSessions(config, () => tools, "ann", END)).rejects.toThrow(`part ${broken}`);
    expect(parts.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  });
});
