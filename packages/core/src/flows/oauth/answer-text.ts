/** Texts of responses that have been read, so that no reader has to copy the stream of a body to look at it. */
const texts = new WeakMap<Response, string>();

/** Remembers the text of a response that was made of it. */
export function rememberText(answer: Response, text: string): Response {
  texts.set(answer, text);
  return answer;
}

/** The body of a response, which stays readable. */
export async function textOf(answer: Response): Promise<string> {
  return texts.get(answer) ?? answer.clone().text();
}

/** The body of a response as JSON; null if it is not JSON. */
export async function jsonOf(answer: Response): Promise<unknown> {
  const text = await textOf(answer).catch(() => "");
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
