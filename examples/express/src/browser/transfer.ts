/** The form of a transfer: opens the page that asks for the passkey, and sends the form once more. */
import { withStepUp } from "@cardea/step-up/client";

const form = document.querySelector<HTMLFormElement>("#transfer");
const status = document.querySelector<HTMLElement>("#sent");

/** The key is the same both times, so that a server can tell a repetition. */
async function send(body: URLSearchParams): Promise<string> {
  const transfer = withStepUp(({ idempotencyKey }) =>
    fetch("/transfer", { method: "POST", body, headers: { "idempotency-key": idempotencyKey } }),
  );
  const response = await transfer();
  if (!response.ok) return "Nothing was sent.";
  const { message }: { readonly message: string } = await response.json();
  return message;
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.set(name, String(value));
  const text = await send(body);
  if (status !== null) status.textContent = text;
});
if (form !== null) form.hidden = false;
