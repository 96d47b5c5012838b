import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Outcome, questionsOf } from "./ask-application.ts";
import type { Case } from "./forms.ts";

/** What the former libraries answered to the applications of the short form; `former-answers.long.test.ts` asks again and writes it. */
export const RECORD = join(import.meta.dirname, "former-answers.json");

const LETTERS = { a: "admitted", r: "refused", s: "redirected to itself" } as const satisfies Record<string, Outcome>;

export const keyOf = ({ form, name }: Case): string => `${form}: ${name}`;

/** The application and its answers as they are recorded: another text of a file is another application. */
export function recordOf(of: Case, answers: readonly Outcome[]): string {
  const letters = answers.map((answer) => Object.entries(LETTERS).find(([, outcome]) => outcome === answer)?.[0]);
  return `${digestOf(of)} ${letters.join("")}`;
}

const digestOf = ({ former, runs, sessions, files }: Case) =>
  createHash("sha256")
    .update(JSON.stringify([former, runs, sessions, files]))
    .digest("base64url")
    .slice(0, 12);

let recorded: Readonly<Record<string, string>> | undefined;

/** What the former library answered to an application of the short form. */
export function recordedAnswers(of: Case): readonly Outcome[] {
  recorded ??= JSON.parse(readFileSync(RECORD, "utf8"));
  const [digest, letters = ""] = (recorded?.[keyOf(of)] ?? "").split(" ");
  const answers = [...letters].map((letter) => Object.entries(LETTERS).find(([one]) => one === letter)?.[1]);
  const known = answers.filter((answer) => answer !== undefined);
  if (digest !== digestOf(of) || known.length !== questionsOf(of).length)
    throw new Error(
      `No answers of the former library are recorded for "${keyOf(of)}" as it is. Run \`CARDEA_TEST_LONG=1 npx vitest run -u tests/compat/never-wider/former-answers\`.`,
    );
  return known;
}
