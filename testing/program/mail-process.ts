/** A process that only sends mails, for the test that kills it. Its one argument is JSON: MailProcess. */
import type { PoolConfig } from "pg";
import { startMailLoop } from "#domain/mail/sending/mail-loop.ts";
import { smtpTransport } from "#domain/mail/sending/smtp-transport.ts";
import { after, type Clock } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createNotifications } from "#platform/postgres/listen.ts";

export interface MailProcess {
  connection: PoolConfig;
  smtpUrl: string;
  /** How far the clock is ahead, so that the leases of killed processes end without waiting. */
  aheadMs: number;
}

const { connection, smtpUrl, aheadMs } = JSON.parse(process.argv[2] ?? "") as MailProcess;
const clock: Clock = { now: () => after(new Date(), aheadMs) };
const log = createLog("warn");
const { db, close } = openDatabase(connection, log);
const transport = smtpTransport({ url: smtpUrl, from: "no-reply@slipway.test" });
const loop = await startMailLoop({ db, notifications: createNotifications({ connection, log }), transport, clock, log });
process.once("SIGTERM", () => void loop.stop().then(close));
