import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startSmtpServer, type TestSmtpServer } from "#testing/network/smtp-server.ts";
import type { QueuedMail } from "../mail.ts";
import { smtpTransport } from "./smtp-transport.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

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

test.each(["recipient", "message"] as const)("a 5xx about the %s is permanent", async (at) => {
  server.behave({ refuse: 550, at });
  expect(await failure()).toBeInstanceOf(MailRefused);
});

test.each([
  { refuse: 451, at: "recipient" } as const,
  { refuse: 452, at: "message" } as const,
  // Our settings are wrong, not the mail.
  { refuse: 553, at: "sender" } as const,
  "drop" as const,
])("%j allows another attempt", async (behaviour) => {
  server.behave(behaviour);
  const error = await failure();
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MailRefused);
});

test("a server that reads the message and never answers allows another attempt", async () => {
  server.behave("hang");
  const impatient = smtpTransport({ url: server.url, from, replyTimeoutMs: 1_000 });
  onTestFinished(() => impatient.close());
  const error = await failure(impatient);
  expect(error).toMatchObject({ code: "ETIMEDOUT" });
  expect(error).not.toBeInstanceOf(MailRefused);
});

test("a connection lost after the message does not cause the library to send it again", async () => {
  server.behave("drop");
  await failure();
  expect(server.readCount()).toBe(1);
});

test("an unreachable server is a temporary failure", async () => {
  await server.close();
  const error = await failure();
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MailRefused);
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
