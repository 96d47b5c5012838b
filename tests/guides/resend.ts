import type { EmailProvider } from "@cardea/core/providers";

export const resend: EmailProvider = {
  id: "resend",
  name: "E-mail",
  type: "email",
  from: "Example <no-reply@mail.example.com>",
  async sendVerificationRequest({ identifier, url, provider }) {
    const response = await fetch("https://api.resend.com/emails", {
      method: "POST",
      headers: {
        authorization: `Bearer ${provider.apiKey}`,
        "content-type": "application/json",
        "user-agent": "example.com", // Resend rejects requests without one
      },
      body: JSON.stringify({
        from: provider.from,
        to: [identifier],
        subject: "Sign in to Example",
        text: `Sign in: ${url}\n\nIf you did not request this e-mail, ignore it.`,
      }),
      signal: AbortSignal.timeout(8000),
    });
    if (!response.ok) throw new Error(`Resend responded with status ${response.status}.`);
  },
};
