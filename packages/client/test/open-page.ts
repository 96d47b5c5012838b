import { Window } from "happy-dom";
import { type Mock, vi } from "vitest";

/** What a page has that Node has not. The rest, `fetch` and cookies above all, is the site's (see open-site.ts). */
const GLOBALS = [
  ...["document", "location", "navigator", "addEventListener", "removeEventListener", "dispatchEvent", "Event"],
  ...[
    "Node",
    "Element",
    "HTMLElement",
    "HTMLIFrameElement",
    "DocumentFragment",
    "MutationObserver",
    "getComputedStyle",
  ],
] as const;

/** The page of a test. */
export interface Page {
  /** Where the page was told to go. */
  readonly assign: Mock<(url: string) => void>;
  readonly reload: Mock<() => void>;
  /** Looks at the page, or away from it. */
  show(visibility: "visible" | "hidden"): void;
  /** Comes back to the page: as it was left, from the browser's memory, or loaded again. */
  restore(persisted: boolean): void;
  /** Changes a cookie as a response does; false: as in browsers that do not report it. */
  setCookie(line: string, isReported?: boolean): void;
  /** Loses or regains the network, as the browser sees it. */
  connect(online: boolean): void;
}

/** Gives this thread a window. Call it before React is imported, which looks for one. */
export function openPage(url = "https://app.example.com/page"): Page {
  const window = new Window({ url });
  vi.stubGlobal("window", window);
  for (const name of GLOBALS) {
    const value: unknown = Reflect.get(window, name);
    const isMethod = typeof value === "function" && /^[a-z]/.test(name);
    vi.stubGlobal(name, isMethod ? value.bind(window) : value);
  }
  const cookieStore = new window.EventTarget();
  vi.stubGlobal("cookieStore", cookieStore);
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  const reload = vi.spyOn(window.location, "reload").mockImplementation(() => undefined);
  return {
    assign,
    reload,
    show: (visibility) => {
      Object.defineProperty(window.document, "visibilityState", { value: visibility, configurable: true });
      window.document.dispatchEvent(new window.Event("visibilitychange"));
      if (visibility === "visible") window.dispatchEvent(new window.Event("focus"));
    },
    restore: (persisted) => {
      window.dispatchEvent(Object.assign(new window.Event("pageshow"), { persisted }));
    },
    setCookie: (line, isReported = true) => {
      window.document.cookie = line;
      if (isReported) cookieStore.dispatchEvent(new window.Event("change"));
    },
    connect: (online) => {
      Object.defineProperty(window.navigator, "onLine", { value: online, configurable: true });
      window.dispatchEvent(new window.Event(online ? "online" : "offline"));
    },
  };
}
