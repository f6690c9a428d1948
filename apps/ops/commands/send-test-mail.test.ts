import { expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { startSmtpServer } from "#testing/network/smtp-server.ts";
import type { Config } from "../../program/settings/config.ts";
import type { OpsContext } from "../command.ts";
import { sendTestMail } from "./send-test-mail.ts";

async function run(smtpUrl: string | undefined, address = "ada@example.com") {
  const lines: string[] = [];
  const config: Partial<Config> = {
    smtpUrl,
    mailFrom: "Slipway <no-reply@example.com>",
    production: false,
    publicUrl: "https://a.example",
  };
  const context = { config, clock: systemClock, print: (line: string) => lines.push(line) };
  const ended = await sendTestMail.run(context as unknown as OpsContext, { arguments: [address], options: {} }).then(
    () => null,
    (error: Error) => error.message,
  );
  return { lines, ended };
}

test("the server's answer is printed, for a mail that is taken and for each kind of failure", async () => {
  const server = await startSmtpServer();
  const taken = await run(server.url);
  expect(taken.ended).toBeNull();
  expect(taken.lines[0]).toMatch(/^The mail server took it from Slipway <no-reply@example\.com>: 250 /);
  expect(server.received[0]).toMatchObject({ from: "no-reply@example.com", to: ["ada@example.com"] });
  server.behave({ refuse: 550, text: "5.1.1 No such user", at: "recipient" });
  expect((await run(server.url)).ended).toMatch(/given up now\. .*550 5\.1\.1 No such user$/);
  server.behave({ refuse: 554, text: "5.7.1 Relay access denied", at: "recipient" });
  expect((await run(server.url)).ended).toMatch(/no mail from us for this address; .*four days\. .*Relay access denied$/);
  server.behave({ refuse: 451, text: "4.7.1 Greylisted", at: "recipient" });
  expect((await run(server.url)).ended).toMatch(/tried again\. .*Greylisted$/);
  await server.close();
  expect((await run(server.url)).ended).toMatch(/takes no mail from us; customers.* ECONNREFUSED/);
});

test.each([
  [undefined, "ada@example.com", "SMTP_URL is not set"],
  ["smtp://127.0.0.1:1", "ada@example.com\r\nBcc: x@example.com", "is not an email address"],
])("%s and %j: refused before anything is sent", async (url, address, reason) => {
  expect((await run(url, address)).ended).toContain(reason);
});
