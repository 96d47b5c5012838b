import {
  type EmailProvider,
  type EmailRateLimit,
  providerOptions,
  type VerificationRequest,
} from "@cardea/core/providers";
import type { Transport as MailTransport, TransportConfig } from "nodemailer";
import { emailCodes } from "./codes.ts";
import { writeMail } from "./message.ts";

/**
 * The mail server: a URL such as `smtp://user:password@mail.example.com:587`, the options of one of nodemailer's transports, or a
 * transport of your own.
 */
export type MailServer = string | TransportConfig | MailTransport;

/** Those of any e-mail provider, which core reads. */
type CommonOptions = Pick<EmailProvider, "secret" | "ownsAddress" | "allowDangerousEmailAccountLinking" | "style">;

/** Options of {@link Nodemailer}. */
export interface NodemailerOptions extends Partial<CommonOptions> {
  /** Default `nodemailer`. */
  id?: string;
  /** Shown on the sign-in page; default `E-mail`. */
  name?: string;
  /**
   * The mail server, such as `smtp://user:password@mail.example.com:587`. Startup fails if it is undefined, for example because
   * its environment variable is not set, unless `sendVerificationRequest` sends the e-mail.
   */
  server?: MailServer | undefined;
  /** The sender, such as `Example <no-reply@example.com>`. */
  from?: string | undefined;
  /** Seconds for which a link is valid; default 24 hours, with `code` ten minutes. */
  maxAge?: number;
  /** Adds an eight-digit code to the e-mail, for the browser that requested it. Requires a store; default false. */
  code?: boolean;
  /** Replaces our e-mail, or the way it is sent. Must reject if it could not be sent. */
  sendVerificationRequest?: (params: VerificationRequest) => Promise<void> | void;
  /** Default: 32 random bytes. A token of fewer than 16 bytes can be guessed (docs/email.md#custom-tokens). */
  generateVerificationToken?: () => Promise<string> | string;
  /** Changes an address after validation and normalisation; throw to reject it. The result is validated again. */
  normalizeIdentifier?: (identifier: string) => string;
  /** Accepts addresses whose domain has no dot, such as those of an intranet; default false. */
  allowLocalDomains?: boolean;
  /** Rate limit per mailbox; default five e-mails per ten minutes, in each process. */
  rateLimit?: EmailRateLimit;
}

type Transport = Awaited<ReturnType<typeof openTransport>>;

const DAY = 24 * 60 * 60;

/** Shorter than core's limit of ten seconds, so that the log names the step that did not respond. */
const SERVER_TIMEOUT_MS = 9_000;

/** Sign-in with a link in an e-mail, sent over SMTP. Needs an adapter, which stores the hashes of the tokens. */
export function Nodemailer(options: NodemailerOptions): EmailProvider {
  const {
    id = "nodemailer",
    name = "E-mail",
    code = false,
    server,
    ...rest
  } = providerOptions("Nodemailer", options, ["allowLocalDomains"]);
  const maxAge = options.maxAge ?? (code ? emailCodes.maxAge : DAY);
  let transport: Promise<Transport> | undefined;
  const send = async (request: VerificationRequest): Promise<void> => {
    transport ??= openTransport(server).catch((error: unknown) => {
      // The next e-mail tries again.
      transport = undefined;
      throw error;
    });
    await sendMail(await transport, options.from, maxAge, request);
  };
  const requires = options.sendVerificationRequest === undefined ? ["server"] : [];
  const codes = code ? { code: emailCodes } : {};
  return { sendVerificationRequest: send, ...rest, requires, id, name, type: "email", maxAge, server, ...codes };
}

export { Nodemailer as default };

async function sendMail(
  transport: Transport,
  from: string | undefined,
  maxAge: number,
  request: VerificationRequest,
): Promise<void> {
  const { identifier, url, code, theme } = request;
  const { host } = new URL(url);
  const mail = writeMail({
    url,
    code,
    host,
    brandColor: theme.brandColor,
    validFor: inWords(maxAge),
    codeValidFor: inWords(Math.min(maxAge, emailCodes.maxAge)),
  });
  // An object, never a list in a string: the address is one recipient whatever it contains (GHSA-mm7p-fcc7-pg87).
  const sent: unknown = await transport.sendMail({ ...mail, from, to: { name: "", address: identifier } });
  const { rejected }: { readonly rejected?: unknown } = Object(sent);
  if (Array.isArray(rejected) && rejected.length > 0) throw new Error("The mail server rejected the recipient.");
}

/** The mail client is loaded with the first e-mail: most requests, and many processes, send none. */
async function openTransport(server: MailServer | undefined) {
  if (server === undefined)
    throw new Error("Nodemailer requires `server`. Check that its environment variable is set.");
  const { createTransport } = await import("nodemailer");
  return createTransport(isTransport(server) ? server : withTimeouts(server));
}

/** A copy of a transport would lack the methods of its class. */
function isTransport(server: MailServer): server is MailTransport {
  return typeof server === "object" && "send" in server && typeof server.send === "function";
}

function withTimeouts(server: string | TransportConfig): TransportConfig {
  const limits = {
    connectionTimeout: SERVER_TIMEOUT_MS,
    greetingTimeout: SERVER_TIMEOUT_MS,
    socketTimeout: SERVER_TIMEOUT_MS,
  };
  return typeof server === "string" ? { ...limits, url: server } : { ...limits, ...server };
}

/** `24 hours`, `10 minutes`. */
function inWords(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const [amount, unit] = minutes >= 120 ? [Math.round(minutes / 60), "hour"] : [minutes, "minute"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
