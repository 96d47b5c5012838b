/** Text and appearance of the e-mail. */

/** The content of an e-mail. */
interface MailContent {
  /** The link that signs in. */
  readonly url: string;
  /** Eight digits for the browser that requested the e-mail; undefined for none. */
  readonly code?: string | undefined;
  /** Host name of the application, so that users know where the link leads. */
  readonly host: string;
  /** A CSS colour for the button; only hexadecimal notation is used. */
  readonly brandColor: string | undefined;
  /** Hours or minutes for which the link is valid, in words. */
  readonly validFor: string;
  /** The same for the code. */
  readonly codeValidFor?: string | undefined;
}

/** An e-mail in both forms. */
interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const DEFAULT_COLOR = "#2f5bd8";

/** E-mail clients convert host names to links; a zero-width space before each dot keeps ours plain text. */
const unlinked = (host: string): string => host.replaceAll(".", "​.");

/** Creates the e-mail. Pure; all foreign text is escaped (CVE-2022-31127). */
export function writeMail(content: MailContent): Mail {
  const { url, code, host } = content;
  return {
    subject: `Sign in to ${host}`,
    text: [
      `Sign in to ${host}`,
      "",
      "Open this link to sign in:",
      url,
      "",
      ...(code === undefined ? [] : [`Or enter this code where you requested it: ${inGroups(code)}`, NEVER_TELL, ""]),
      `${worksOnce(content)}. If you didn't request this e-mail, you can ignore it.`,
      "",
    ].join("\n"),
    html: writeHtml(content),
  };
}

/** Protects users whom a caller asks for their code. */
const NEVER_TELL = "Never share this code: anyone who has it can sign in as you. We will never ask you for it.";

/** In two groups, which are easier to read and type; the page accepts spaces. */
const inGroups = (code: string): string => code.replace(/(?<=^\d{4})/, " ");

function worksOnce({ code, validFor, codeValidFor = validFor }: MailContent): string {
  if (code === undefined) return `The link works once and expires in ${validFor}`;
  const life = codeValidFor === validFor ? validFor : `${validFor}, the code for ${codeValidFor}`;
  return `The link and the code work once, together, for ${life}`;
}

function writeHtml(content: MailContent): string {
  const { url, code, host, brandColor } = content;
  const color = /^#(?:[0-9a-f]{3}){1,2}$/i.test(brandColor ?? "") ? (brandColor ?? DEFAULT_COLOR) : DEFAULT_COLOR;
  const name = escapeHtml(unlinked(host));
  const link = escapeHtml(url);
  const beside =
    code === undefined
      ? ""
      : `<tr><td style="padding:0 32px 28px" align="center"><p class="quiet" style="margin:0;font-size:14px;line-height:1.5;color:#5b6270">Or enter this code where you requested it:</p><p class="ink" style="margin:8px 0;font-size:28px;line-height:1.3;font-weight:600;letter-spacing:2px;color:#1a1d23">${escapeHtml(inGroups(code))}</p><p class="quiet" style="margin:0;font-size:14px;line-height:1.5;color:#5b6270">${escapeHtml(NEVER_TELL)}</p></td></tr>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Sign in to ${name}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important; }
  .card { background: #22252c !important; }
  .ink { color: #f2f3f5 !important; }
  .quiet { color: #b3b8c2 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:32px 16px;background:#f3f4f6;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;background:#ffffff;border-radius:14px">
<tr><td style="padding:36px 32px 0" align="center"><h1 class="ink" style="margin:0;font-size:22px;line-height:1.3;color:#1a1d23">Sign in to <strong>${name}</strong></h1></td></tr>
<tr><td style="padding:28px 32px" align="center"><a href="${link}" style="display:inline-block;padding:13px 30px;border-radius:9px;background:${color};color:${readableOn(color)};font-size:16px;font-weight:600;text-decoration:none">Sign in</a></td></tr>
${beside}<tr><td style="padding:0 32px 36px" align="center"><p class="quiet" style="margin:0;font-size:14px;line-height:1.5;color:#5b6270">${escapeHtml(worksOnce(content))}. If you didn't request this e-mail, you can ignore it.</p></td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** Black or white, whichever has the higher contrast (WCAG 2.2 §1.4.3). */
function readableOn(color: string): string {
  const digits = color.slice(1);
  const full = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((start) =>
    linear(Number.parseInt(full.slice(start, start + 2), 16) / 255),
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
