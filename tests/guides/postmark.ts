import type { EmailProvider } from "@cardea/core/providers";

export const postmark: EmailProvider = {
  id: "postmark",
  name: "E-mail",
  type: "email",
  from: "no-reply@example.com",
  async sendVerificationRequest({ identifier, url, provider }) {
    const response = await fetch("https://api.postmarkapp.com/email", {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        "x-postmark-server-token": String(provider.apiKey),
      },
      body: JSON.stringify({
        From: provider.from,
        To: identifier,
        Subject: "Sign in to Example",
        TextBody: `Sign in: ${url}\n\nIf you did not request this e-mail, ignore it.`,
        MessageStream: "outbound",
        TrackLinks: "None",
        TrackOpens: false,
      }),
      signal: AbortSignal.timeout(8000),
    });
    if (!response.ok) throw new Error(`Postmark responded with status ${response.status}.`);
  },
};
