import { once } from "node:events";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { explainListenError } from "./explain-listen-error.ts";

/** A received e-mail. */
export interface ReceivedMail {
  /** The header `From`; empty if there is none. */
  readonly from: string;
  /** The recipients, including those of `Bcc`. */
  readonly to: readonly string[];
  /** The subject line, decoded; empty if there is none. */
  readonly subject: string;
  /** The text part, decoded; empty if there is none. */
  readonly text: string;
  /** The HTML part, decoded; empty if there is none. */
  readonly html: string;
  /** The links of the text part, in order. */
  readonly links: readonly string[];
  /** When it was accepted. */
  readonly receivedAt: Date;
}

/** What the sink does instead of accepting an e-mail. */
export type SmtpFault = "accept" | "refuse-recipient" | "refuse-data" | "hang" | "drop";

/** A local mail server that stores e-mails. */
export interface SmtpSink {
  /** For a client: `smtp://127.0.0.1:…`. */
  readonly url: string;
  /** The TCP port on 127.0.0.1. */
  readonly port: number;
  /** The received e-mails, oldest first. */
  readonly mails: readonly ReceivedMail[];
  /** May be changed at any time; default `accept`. */
  fault: SmtpFault;
  /** Resolves to the next e-mail, or immediately to one already received; optionally for one recipient. */
  nextMail(to?: string): Promise<ReceivedMail>;
  /** Removes all e-mails. */
  clear(): void;
  /** Stops the server; resolves when the port is free. */
  close(): Promise<void>;
}

/** Options of {@link startSmtpSink}. */
export interface SmtpSinkOptions {
  /** Default: a free one. */
  readonly port?: number;
}

/**
 * Starts a mail server on 127.0.0.1 that accepts e-mails without delivering them.
 *
 * @throws Error if NODE_ENV is production, or the port is in use.
 */
export async function startSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  if (process.env.NODE_ENV === "production") {
    throw new Error("The mail sink does not deliver e-mails. It refuses to run with NODE_ENV=production.");
  }
  const inbox = createInbox();
  const state: { fault: SmtpFault } = { fault: "accept" };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    hideSize: true,
    logger: false,
    onRcptTo: (_address, _session, done) => {
      if (state.fault === "refuse-recipient") done(new Error("550 No such mailbox"));
      else if (state.fault !== "hang") done();
    },
    onData: (stream, session, done) => {
      receive(stream, session, state.fault)
        .then((mail) => {
          if (mail !== null) inbox.add(mail);
          done(mail === null ? new Error("552 Refused") : undefined);
        })
        .catch((error: unknown) => done(error instanceof Error ? error : new Error(String(error))));
    },
    onConnect: (_session, done) => done(state.fault === "drop" ? new Error("421 Not now") : undefined),
  });
  server.on("error", () => undefined);
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server.server, "listening").catch((error: unknown) => {
    throw explainListenError(error, "startSmtpSink()");
  });
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails: inbox.mails,
    get fault() {
      return state.fault;
    },
    set fault(fault: SmtpFault) {
      state.fault = fault;
    },
    nextMail: inbox.next,
    clear: inbox.clear,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  fault: SmtpFault,
): Promise<ReceivedMail | null> {
  // Loaded for the first e-mail, because loading it takes longer than starting the server.
  const { simpleParser } = await import("mailparser");
  const parsed = await simpleParser(stream);
  if (fault === "refuse-data") return null;
  const text = parsed.text ?? "";
  return {
    from: parsed.from?.text ?? "",
    to: session.envelope.rcptTo.map(({ address }) => address),
    subject: parsed.subject ?? "",
    text,
    html: typeof parsed.html === "string" ? parsed.html : "",
    links: text.match(/https?:\/\/\S+/g) ?? [],
    receivedAt: new Date(),
  };
}

/** Stores e-mails and pending waits for them. */
function createInbox() {
  const mails: ReceivedMail[] = [];
  const unread: ReceivedMail[] = [];
  const waiting: { readonly to: string | undefined; readonly take: (mail: ReceivedMail) => void }[] = [];
  const fits = (mail: ReceivedMail, to: string | undefined) => to === undefined || mail.to.includes(to);
  return {
    mails,
    add: (mail: ReceivedMail): void => {
      mails.push(mail);
      const index = waiting.findIndex(({ to }) => fits(mail, to));
      const [waiter] = index === -1 ? [] : waiting.splice(index, 1);
      if (waiter === undefined) unread.push(mail);
      else waiter.take(mail);
    },
    next: (to?: string): Promise<ReceivedMail> => {
      const index = unread.findIndex((mail) => fits(mail, to));
      const [mail] = index === -1 ? [] : unread.splice(index, 1);
      return mail === undefined ? new Promise((take) => waiting.push({ to, take })) : Promise.resolve(mail);
    },
    clear: (): void => {
      mails.length = 0;
      unread.length = 0;
    },
  };
}
