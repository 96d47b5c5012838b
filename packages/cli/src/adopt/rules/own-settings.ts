import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";

/** Code that removes a way to sign in, or a user. */
const MANAGES = /\b(?:unlinkAccount|deleteUser)\(|\b(?:account|user)\.delete(?:Many)?\(/;

/** An adapter has the same methods. */
const ADAPTER = /\b(?:createUser|linkAccount)\b/;

/** Names the application's own settings pages, which stay as they are, and what could replace them. */
export function nameOwnSettings({ project }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    const text = file.getFullText();
    if (!MANAGES.test(text) || ADAPTER.test(text)) continue;
    draft.note(
      "look",
      file.getFilePath(),
      "removes accounts or users: it stays as it is",
      "`@cardea/account` has a page for it, which keeps the last way to sign in, revokes tokens and ends sessions (docs/account.md)",
    );
  }
  return draft;
}
