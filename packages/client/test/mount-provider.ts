import type { Session } from "@cardea/core";
import type { ReactNode } from "react";
import { expect } from "vitest";
import type { SessionProviderProps, SessionState, UseSessionOptions } from "../src/react.ts";
import type { ReactSuite } from "./load-react.ts";

type Props = SessionProviderProps<Session>;

/** A provider on the page, seen through the hook of a component below it. */
export interface MountedProvider {
  /** Every state that the component was rendered with. */
  readonly seen: SessionState<Session>[];
  /** The state now. */
  readonly now: SessionState<Session>;
  /** The status of every state so far. */
  readonly statuses: string[];
  /** Waits for a status. */
  becomes(status: SessionState<Session>["status"]): Promise<void>;
  /** Calls `update` of the hook. */
  update(data?: unknown): Promise<Session | null>;
  rerender(props: Props): void;
  unmount(): void;
}

interface ProbeProps {
  readonly useSession: ReactSuite["client"]["useSession"];
  readonly hook: UseSessionOptions;
  readonly see: (state: SessionState<Session>) => void;
}

function Probe({ useSession, hook, see }: ProbeProps): null {
  see(useSession(hook));
  return null;
}

/** Puts a provider on the page, with `components` components that use the session. */
export function mountProvider(
  { react, testing, client }: ReactSuite,
  props: Props = {},
  options: { components?: number; strict?: boolean; hook?: UseSessionOptions } = {},
): MountedProvider {
  const { components = 1, strict = false, hook = {} } = options;
  const seen: SessionState<Session>[] = [];
  const { useSession } = client;
  const see = (state: SessionState<Session>) => void seen.push(state);
  const children: ReactNode[] = Array.from({ length: components }, (_, key) =>
    react.createElement(Probe, { key, useSession, hook, see }),
  );
  const tree = (given: Props) => {
    const provider = react.createElement(client.SessionProvider, given, ...children);
    return strict ? react.createElement(react.StrictMode, null, provider) : provider;
  };
  const { rerender, unmount } = testing.render(tree(props));
  const now = () => {
    const state = seen.at(-1);
    if (state === undefined) throw new Error("Nothing was rendered.");
    return state;
  };
  return {
    seen,
    get now() {
      return now();
    },
    get statuses() {
      return seen.map(({ status }) => status);
    },
    becomes: (status) => testing.waitFor(() => expect(now().status).toBe(status)),
    update: (data) => testing.act(() => now().update(data)),
    rerender: (given) => rerender(tree(given)),
    unmount,
  };
}
