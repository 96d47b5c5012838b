import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";

/**
 * Orders `AUTH_SECRET_1` to `_3` of tracked files: the newest one becomes `AUTH_SECRET`, which is used for encryption. The former names of
 * variables stay, because they are read: under the new one, an example in a tracked file would precede the secret of a deployment.
 */
export function orderSecrets(application: Application): Draft {
  const draft = new Draft();
  for (const [path, text] of application.texts) if (isEnvironmentFile(path)) reorderSecrets(draft, path, text);
  return draft;
}

function isEnvironmentFile(path: string): boolean {
  return /(?:^|\/)\.env[\w.-]*$/.test(path);
}

/** Auth.js encrypts with the highest number, Cardea with the plain name, so the values are swapped. */
function reorderSecrets(draft: Draft, path: string, text: string): void {
  const lines = [...text.matchAll(/^(AUTH_SECRET(?:_([123]))?)(\s*=\s*)([^\r\n]*)$/gm)];
  if (lines.length < 2) return;
  const newestFirst = [...lines].sort((a, b) => Number(b[2] ?? 0) - Number(a[2] ?? 0));
  const names = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"];
  newestFirst.forEach((line, index) => {
    const [, name = "", ,] = line;
    const renamed = names[index] ?? name;
    if (renamed === name) return;
    draft.editText(path, line.index, line.index + name.length, renamed);
    draft.notes.push({
      kind: "changed",
      path,
      at: line.index,
      what: `${name} → ${renamed}`,
      why: "`AUTH_SECRET` is used for encryption, and the numbered secrets are older; make the same change in each deployment",
    });
  });
}
