import { expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { startAnswering } from "#testing/network/start-answering.ts";
import { startSmtpServer } from "#testing/network/smtp-server.ts";
import type { Config } from "../../program/settings/config.ts";
import { CommandRefused, type OpsContext } from "../command.ts";
import { alertTest } from "./alert-test.ts";

async function run(config: Partial<Config>) {
  const lines: string[] = [];
  const context = {
    config: { publicUrl: "https://app.example.com", mailFrom: "Slipway <no-reply@example.com>", production: false, ...config },
    clock: systemClock,
    log: createLog("silent"),
    print: (line: string) => lines.push(line),
  };
  const ended = await alertTest.run(context as unknown as OpsContext, { arguments: [], options: {} }).then(
    () => null,
    (error: unknown) => error,
  );
  return { lines, ended };
}

test("a test alarm reaches webhook and mailbox, and says where it did not arrive", async () => {
  let status = 200;
  await using receiver = await startAnswering((response) => void response.writeHead(status).end());
  const smtp = await startSmtpServer();
  const config = { alerts: { url: `${receiver.url}/secret`, to: ["ops@example.com"] }, smtpUrl: smtp.url };
  const { host } = new URL(receiver.url);
  const all = await run(config);
  expect(all).toEqual({ lines: [`Sent: webhook ${host}.`, "Sent: mail to ops@example.com."], ended: null });
  expect(JSON.parse(receiver.asked[0]!.body)).toMatchObject({ event: "test", service: "https://app.example.com" });
  expect(smtp.received[0]!.email.subject).toBe("[app.example.com] Test: This is a test of the alarms");
  status = 404;
  const some = await run(config);
  expect(some.lines).toEqual([`Not sent: webhook ${host} (it answered 404).`, "Sent: mail to ops@example.com."]);
  expect(some.ended).toBeInstanceOf(CommandRefused);
  await smtp.close();
});

test("without a receiver it is refused, with the settings' names", async () => {
  const { ended } = await run({ alerts: null });
  expect((ended as Error).message).toContain("ALERTS_URL");
});
