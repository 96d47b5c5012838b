import { isLong } from "../../../packages/testing/src/long-form.ts";
import { type Case, middlewareCases } from "./forms.ts";
import { honoCases } from "./hono-forms.ts";
import { passedFormCases } from "./passed-forms.ts";
import { resultCases } from "./result-forms.ts";
import { expressCases, sessionCases } from "./session-forms.ts";
import { sharedFormCases } from "./shared-forms.ts";
import { svelteKitCases } from "./sveltekit-forms.ts";

const all = [
  ...[...middlewareCases(), ...sessionCases(), ...expressCases(), ...honoCases(), ...svelteKitCases()],
  ...[...resultCases(), ...passedFormCases()],
];

const shared = sharedFormCases();

export const forms = [...new Set(all.map(({ form }) => form))];

/** Applications of a form in the short form of the tests. */
function fewOf(form: string): readonly Case[] {
  const ofForm = all.filter((one) => one.form === form);
  const step = Math.min(79, ofForm.length);
  return ofForm.filter((_, index) => index % step === (forms.indexOf(form) * 7) % step);
}

/** Applications of a form: some in the short form of the tests, each combination in the long one. */
export const casesOf = (form: string): readonly Case[] =>
  isLong ? all.filter((one) => one.form === form) : fewOf(form);

/** Applications with several configurations or changed options: every fifth in the short form. */
export const sharedCases = (): readonly Case[] => (isLong ? shared : fewShared);
const fewShared = shared.filter((_, index) => index % 5 === 0);

/** Applications whose name, with that of their form in front, fits a pattern. */
export const casesLike = (pattern: RegExp): readonly Case[] =>
  all.filter(({ form, name }) => pattern.test(`${form}: ${name}`)).slice(0, 4);

/** Patterns of {@link casesLike} that show that the tests can fail. */
export const CONTROLS = {
  authorized: /^auth as middleware: method,/,
  nextauth: /^req\.nextauth: member,/,
  wholeRow: /^callbacks\.session, auth\(\), database: (?:no callback|the session), (?:not banned|id of the row)/,
  tokenReaders: /^getToken\(\) of v4: (?:import\(\)|import\(\), followed|required|re-exported), boolean$/,
  secondInstance: /^getServerSession\(adminOptions\): beside the other, page,/,
};

/** All applications of the short form. */
export const shortCases = (): readonly Case[] => [
  ...new Set([...forms.flatMap(fewOf), ...fewShared, ...Object.values(CONTROLS).flatMap(casesLike)]),
];
