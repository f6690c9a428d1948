import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startSmtpServer, type TestSmtpServer } from "#testing/network/smtp-server.ts";
import type { QueuedMail } from "../mail.ts";
import { smtpTransport } from "./smtp-transport.ts";
import { MailRefused, MailServerTrouble, type MailTransport } from "./transport.ts";

let server: TestSmtpServer;
let transport: MailTransport;
const from = "Slipway <no-reply@slipway.test>";
beforeEach(async () => {
  server = await startSmtpServer();
  // It waits minutes for a reply, so that a machine that stands still for seconds is not taken for a silent server.
  transport = smtpTransport({ url: server.url, from });
});
afterEach(async () => {
  transport.close();
  await server.close();
});

const mail: QueuedMail = {
  id: "01980000-0000-7000-8000-000000000001",
  recipient: "ada@example.com",
  subject: "Grüße — 1 < 2",
  text: "Hallo Ada\n.\nEnd",
  html: "<p>Hallo Ada</p>",
  createdAt: new Date("2026-11-21T10:00:00Z"),
  attempts: 0,
};
const send = (signal = new AbortController().signal, by = transport) => by.send(mail, signal);
const failure = (by = transport) =>
  send(undefined, by).then(
    () => undefined,
    (error: unknown) => error,
  );

test("a mail arrives complete, with both parts and its Message-ID", async () => {
  await send();
  const [received] = server.received;
  expect(received).toMatchObject({ messageId: `<${mail.id}@slipway.test>`, from: "no-reply@slipway.test", to: ["ada@example.com"] });
  expect(received?.email.from).toEqual({ name: "Slipway", address: "no-reply@slipway.test" });
  expect(received?.email.to).toEqual([{ name: "", address: "ada@example.com" }]);
  expect(received?.email.subject).toBe(mail.subject);
  expect(received?.email.text?.trim()).toBe(mail.text);
  expect(received?.email.html?.trim()).toBe(mail.html);
  expect(new Date(received?.email.date ?? "")).toEqual(mail.createdAt);
});

test("an attached file arrives unchanged", async () => {
  const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 255, 13, 10]);
  await transport.send(
    { ...mail, attachment: { name: "2026-000123.pdf", type: "application/pdf", base64: pdf.toString("base64") } },
    new AbortController().signal,
  );
  const [file] = server.received[0]!.email.attachments;
  expect(file).toMatchObject({ filename: "2026-000123.pdf", mimeType: "application/pdf", disposition: "attachment" });
  expect(Buffer.from(file!.content as ArrayBuffer)).toEqual(pdf);
});

test("the Message-ID is the same at every attempt", async () => {
  server.behave({ refuse: 451, at: "message" });
  await failure();
  server.behave("accept");
  await send();
  await send();
  expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1);
});

test("mails share a connection", async () => {
  for (let count = 0; count < 5; count++) await send();
  expect(server.connectionCount()).toBe(1);
});

/** As mail servers and relays say it; what follows is for the first mail alone. */
test.each<[refuse: number, text: string, at: "sender" | "recipient" | "message", about: string]>([
  [550, "5.1.1 The email account that you tried to reach does not exist", "recipient", "MailRefused, certain"],
  [550, "5.1.10 Recipient not found", "recipient", "MailRefused, certain"],
  [550, "5.2.1 The mailbox is disabled", "recipient", "MailRefused, certain"],
  [556, "5.1.10 Domain does not accept mail", "recipient", "MailRefused, certain"],
  [552, "5.3.4 Message size exceeds fixed limit", "message", "MailRefused, certain"],
  [554, "5.6.0 Message contains invalid characters", "message", "MailRefused, certain"],
  [550, "No such user here", "recipient", "MailRefused"],
  [553, "Mailbox name not allowed", "recipient", "MailRefused"],
  [554, "Message refused", "message", "MailRefused"],
  [552, "5.2.2 Mailbox full", "recipient", "later"],
  [451, "4.7.1 Greylisted, please try again", "recipient", "later"],
  [452, "4.5.3 Too many recipients", "message", "later"],
  [554, "5.7.1 Relay access denied", "recipient", "MailServerTrouble"],
  [550, "5.7.1 Service unavailable; client host blocked using a list", "recipient", "MailServerTrouble"],
  [550, "5.7.26 Unauthenticated sender", "message", "MailServerTrouble"],
  [550, "5.4.5 Daily sending quota exceeded", "message", "MailServerTrouble"],
  [530, "5.7.0 Authentication required", "recipient", "MailServerTrouble"],
  [554, "No valid recipients", "recipient", "MailServerTrouble"],
  [530, "5.7.0 Authentication required", "sender", "MailServerTrouble, for all"],
  [553, "5.7.1 Sender address rejected: not owned by user", "sender", "MailServerTrouble, for all"],
  [421, "4.7.0 Try again later, closing connection", "recipient", "MailServerTrouble, for all"],
])("%i %s to the %s: %s", async (refuse, text, at, about) => {
  server.behave({ refuse, text, at });
  expect(describe(await failure())).toBe(about);
});

function describe(error: unknown): string {
  if (error instanceof MailRefused) return error.isUnambiguous ? "MailRefused, certain" : "MailRefused";
  if (error instanceof MailServerTrouble) return error.concernsAll ? "MailServerTrouble, for all" : "MailServerTrouble";
  return error instanceof Error ? "later" : "sent";
}

test("a connection that is lost within a message allows another attempt", async () => {
  server.behave("drop");
  expect(describe(await failure())).toBe("later");
});

test("a server that reads the message and never answers allows another attempt", async () => {
  server.behave("hang");
  const impatient = smtpTransport({ url: server.url, from, replyTimeoutMs: 1_000 });
  onTestFinished(() => impatient.close());
  const error = await failure(impatient);
  expect(error).toMatchObject({ code: "ETIMEDOUT" });
  expect(describe(error)).toBe("later");
});

test("a connection lost after the message does not cause the library to send it again", async () => {
  server.behave("drop");
  await failure();
  expect(server.readCount()).toBe(1);
});

test("an unreachable server concerns all mails", async () => {
  await server.close();
  expect(describe(await failure())).toBe("MailServerTrouble, for all");
  server = await startSmtpServer();
});

test("an aborted attempt ends immediately", async () => {
  server.behave("hang");
  const abort = new AbortController();
  const sending = send(abort.signal);
  await expect.poll(() => server.readCount()).toBe(1);
  abort.abort();
  await expect(sending).rejects.toThrow(/abort/i);
});

test("a sender without an address is refused at the start", () => {
  expect(() => smtpTransport({ url: server.url, from: "Slipway" })).toThrow("MAIL_FROM is not a mail address: Slipway");
});
