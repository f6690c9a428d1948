import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { selfSigned } from "#testing/network/self-signed.ts";
import { needsTls, smtpWeakness } from "./smtp-security.ts";
import { smtpTransport } from "./smtp-transport.ts";

const mail = {
  id: "01980000-0000-7000-8000-000000000001",
  recipient: "ada@example.com",
  subject: "A link",
  text: "secret link",
  html: "<p>secret link</p>",
  createdAt: new Date("2026-11-21T10:00:00Z"),
  attempts: 0,
};

/** A server with or without STARTTLS, and what it received of mails. */
async function startServer(disabledCommands: string[]) {
  const senders: string[] = [];
  const server = new SMTPServer({
    ...selfSigned("mail.example.com"),
    disabledCommands: ["AUTH", ...disabledCommands],
    logger: false,
    closeTimeout: 100,
    onMailFrom: ({ address }, _session, callback) => (senders.push(address), callback()),
  });
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return { senders, port: (listening.address() as AddressInfo).port };
}

async function failureOf(url: string): Promise<string> {
  const transport = smtpTransport({ url, from: "no-reply@slipway.test", requireTls: true });
  onTestFinished(() => transport.close());
  return transport.send(mail, new AbortController().signal).then(
    () => "sent",
    (error: Error) => error.message,
  );
}

test.each(["", "?ignoreTLS=true", "?opportunisticTLS=true"])(
  "a server without STARTTLS receives nothing of a mail if TLS is required%s",
  async (query) => {
    const { senders, port } = await startServer(["STARTTLS"]);
    expect(await failureOf(`smtp://127.0.0.1:${port}${query}`)).toMatch(/STARTTLS|upgrad|502|not implemented/i);
    expect(senders).toEqual([]);
  },
);

test.each(["", "?opportunisticTLS=true"])("a server with an untrusted certificate receives nothing either%s", async (query) => {
  const { senders, port } = await startServer([]);
  expect(await failureOf(`smtp://127.0.0.1:${port}${query}`)).toMatch(/self.signed/i);
  expect(senders).toEqual([]);
});

test.each<[url: string, weakness: RegExp | null]>([
  ["smtps://me:hunter2@mail.example.com", null],
  ["smtp://mail.example.com:587", null],
  ["smtp://mail.example.com?ignoreTLS=true", null],
  ["smtp://mail.example.com?requireTLS=true", null],
  ["smtps://mail.example.com?secure=false", null],
  ["smtp://localhost:25?tls.rejectUnauthorized=false", null],
  ["smtp://[::1]?requireTLS=false", null],
  ["smtp://mail.example.com?requireTLS=false", /requireTLS=false/],
  ["smtp://mail.example.com?tls.rejectUnauthorized=false", /believes every server/],
  ["smtps://mail.example.com?tls.rejectUnauthorized=false", /believes every server/],
  ["smtp://127.0.0.1?service=Maildev", /names a service/],
  ["smtp://mail.example.com?secured=true", /a foreign socket/],
])("%s in production: %s", (url, weakness) => {
  if (weakness) expect(smtpWeakness(url)).toMatch(weakness);
  else expect(smtpWeakness(url)).toBeNull();
});

test("only a server on this machine may lack TLS", () => {
  for (const url of ["smtp://localhost", "smtp://127.0.0.1:2525", "smtp://[::1]"]) expect(needsTls(url)).toBe(false);
  for (const url of ["smtp://10.0.0.3", "smtp://mail", "smtp://localhost.example.com"]) expect(needsTls(url)).toBe(true);
});
