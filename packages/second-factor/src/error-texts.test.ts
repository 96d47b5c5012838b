import { Passkey } from "@cardea/providers-webauthn";
import { describe, expect, it } from "vitest";
import { codeOf, startApplication } from "../test/open-application.ts";
import { passkey, recoveryCodes, totp } from "./index.ts";

/** Ann has an authenticator app, and her sign-in waits for it; `submit` returns the alert and the marked fields. */
async function start() {
  const provider = { id: "password", name: "Password", type: "credentials" as const };
  const authorize = ({ password }: Record<string, unknown>) =>
    password === "right" ? { id: "ann", name: "Ann", email: "ann@example.com" } : null;
  const app = startApplication(
    { factors: [totp({ issuer: "Acme" }), passkey(), recoveryCodes()], require: () => "always" },
    {
      experimental: { enableWebAuthn: true },
      providers: [Passkey(), { ...provider, credentials: { username: {}, password: {} }, authorize }],
    },
  );
  const ann = app.newBrowser();
  await ann.signIn();
  const { enrol } = await ann.asked();
  const code = codeOf(enrol?.secret ?? "", app.now());
  await ann.send("/auth/factor/totp", { step: "confirm", setup: enrol?.setup ?? "", code });
  const other = app.newBrowser();
  await other.signIn();
  const submit = async (form: string) => {
    const { csrfToken } = await (await other.browser.fetch("/auth/csrf")).json();
    const fields = { csrfToken, code: "000", data: "{}" };
    const text = await (await other.browser.navigate(`/auth/factor/${form}`, { method: "POST", form: fields })).text();
    const marked = [...text.matchAll(/<input id="(\w+)"[^>]*aria-invalid="true"/g)].map(([, id]) => id);
    return [/(?:id="[a-z]+-error" role="alert"|role="alert" id="error")>([^<]*)</.exec(text)?.[1], marked];
  };
  return { submit };
}

describe("the page of second factors, after a wrong proof", () => {
  it("is about the form that was sent", async () => {
    const { submit } = await start();
    expect(await submit("totp")).toEqual([expect.stringContaining("Wait for the next code"), ["code"]]);
    expect(await submit("recovery")).toEqual([expect.stringContaining("That recovery code"), ["recovery"]]);
    expect(await submit("passkey")).toEqual([expect.stringContaining("That passkey"), []]);
  });
});
