import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type SmtpSink, startSmtpSink } from "./smtp-sink.ts";

let sink: SmtpSink | undefined;

afterEach(async () => {
  vi.unstubAllEnvs();
  await sink?.close();
  sink = undefined;
});

/** Speaks SMTP by hand: sends the lines one by one, each after the answer to the one before. */
function converse(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const left = [...lines];
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString();
      const next = left.shift();
      if (next === undefined) socket.end();
      else socket.write(`${next}\r\n`);
    });
    socket.on("close", () => resolve(heard));
    socket.on("error", reject);
  });
}

const MAIL = ["HELO test", "MAIL FROM:<a@example.com>", "RCPT TO:<b@example.com>", "DATA"];
const BODY = "Subject: Hello\r\n\r\nOpen https://app.example.com/x?y=1 now\r\n.";

describe("startSmtpSink()", () => {
  it("rejects when the port is taken, and says so", async () => {
    sink = await startSmtpSink();
    const { port } = sink;
    await expect(startSmtpSink({ port })).rejects.toMatchObject({
      code: "EADDRINUSE",
      message: `startSmtpSink(): port ${port} is already in use. End the process that uses it, or choose another \`port\`.`,
    });
  });

  it("keeps a mail with its envelope and its links", async () => {
    sink = await startSmtpSink();
    await converse(sink.port, [...MAIL, BODY, "QUIT"]);
    expect(await sink.nextMail("b@example.com")).toMatchObject({
      to: ["b@example.com"],
      subject: "Hello",
      links: ["https://app.example.com/x?y=1"],
    });
    expect(sink.mails).toHaveLength(1);
  });

  it("hands a mail to anyone who waited for it", async () => {
    sink = await startSmtpSink();
    const waited = sink.nextMail();
    await converse(sink.port, [...MAIL, BODY, "QUIT"]);
    expect((await waited).subject).toBe("Hello");
  });

  it("refuses when told to", async () => {
    sink = await startSmtpSink();
    sink.fault = "refuse-recipient";
    expect(await converse(sink.port, [...MAIL, "QUIT"])).toMatch(/^550/m);
    expect(sink.mails).toEqual([]);
  });

  it("refuses to run in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    await expect(startSmtpSink()).rejects.toThrow(/NODE_ENV=production/);
  });
});
