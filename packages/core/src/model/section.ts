import type { OpenedSession } from "./opened-session.ts";
import type { Markup } from "./theme.ts";

/** A section that an extension adds to a built-in page. */
export interface Section {
  /** The heading; absent: none. */
  readonly title?: string;
  /** The content below the heading. */
  readonly main: Markup;
  /** What the section is about, such as `devices`, so that a page can order sections; absent: the id of the extension. */
  readonly name?: string;
  /** The same as JSON, for applications that have a page of their own. */
  readonly data?: unknown;
}

/** The page that a section is part of. */
export interface SectionPage {
  /** Destination afterwards; already validated. */
  readonly callbackUrl: string;
  /** The session whose user the page is about; only on the page `account`. */
  readonly session?: OpenedSession;
  /** For the forms of the section, on the page `account`; null if CSRF protection is disabled. */
  readonly csrfToken?: string | null;
}
