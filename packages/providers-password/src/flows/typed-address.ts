import type { ActionAnswer } from "@cardea/extend";
import { fieldOf, type PageName, type Step } from "./answer.ts";

/** Keeps the submitted address if the built-in page shows its form again with an error. */
export async function keepAddress(step: Step, page: PageName, answer: ActionAnswer): Promise<ActionAnswer> {
  const { action, settings } = step;
  const isRefused = answer.kind === "redirect" && new URL(answer.url).searchParams.has("error");
  const isShown = isRefused && !action.wantsJson && settings.pages[page] === undefined;
  if (isShown) await action.keepIdentifier(fieldOf(step, "email"));
  return answer;
}

/** The address that was typed in this browser. A user name, which other methods accept, is omitted. */
export async function typedAddress({ action }: Step): Promise<string | undefined> {
  const typed = await action.identifier();
  return typed?.includes("@") === true ? typed : undefined;
}
