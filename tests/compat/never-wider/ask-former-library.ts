import { ask, type Outcome, questionsOf } from "./ask-application.ts";
import { FORMER } from "./former-libraries.ts";
import type { Case } from "./forms.ts";
import { loadApplication, type Modules } from "./load-application.ts";

const loaded = new Map<string, Modules>();

/** What the real former library answers to each question of an application. */
export async function askFormerLibrary(of: Case): Promise<readonly Outcome[]> {
  const modules = loaded.get(of.former) ?? FORMER[of.former]();
  loaded.set(of.former, modules);
  const files = new Map(Object.entries(of.files).map(([name, text]) => [`/${name}`, text]));
  const guard = loadApplication(files, modules, "/guard.ts").default;
  const outcomes: Outcome[] = [];
  for (const question of questionsOf(of)) outcomes.push(await ask(of, guard, question, false));
  return outcomes;
}
