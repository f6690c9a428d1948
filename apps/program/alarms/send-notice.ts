/** Sends an alarm's notice directly, by webhook and by mail: not through the outbox, which may be what the alarm is about. */
import type { MailTransport } from "#domain/mail/sending/transport.ts";
import type { Notice } from "#domain/signals/alarm-store.ts";
import { escapeHtml } from "#platform/http/escape-html.ts";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { within } from "#platform/loops/within.ts";
import { alarmKinds, type AlarmKind, type AlarmKindName } from "./alarm-kinds.ts";

/** The body of a webhook. docs/runbooks/one-server.md#alarms has the same list. */
export interface AlarmBody {
  id: string;
  event: Notice["event"] | "test";
  kind: string;
  title: string;
  detail: string;
  todo: string;
  runbook: string;
  since: string;
  at: string;
  service: string;
  /** All of it in one text, which chat services show. */
  text: string;
}

export interface AlarmChannels {
  /** May contain a secret in its path, so it is never logged. */
  url: string | null;
  to: readonly string[];
  /** With short time limits; null without recipients. */
  mail: MailTransport | null;
  /** PUBLIC_URL. */
  service: string;
  log: Log;
}

/** Both channels together take no longer than this. */
export const sendWithinMs = 30 * secondMs;
const webhookWithinMs = 10 * secondMs;

const subjects: Record<AlarmBody["event"], string> = { began: "Alarm", reminder: "Still an alarm", over: "Over", test: "Test" };

export function describeNotice(notice: Omit<Notice, "event"> & Pick<AlarmBody, "event">, service: string, now: Date): AlarmBody {
  const { id, kind, event, detail, since } = notice;
  const { title, todo, runbook }: AlarmKind = alarmKinds[kind as AlarmKindName] ?? testKind;
  const text = [
    `${subjects[event]}: ${title} (${service})`,
    detail,
    `Since ${since.toISOString()}.`,
    ...(event === "over" ? [] : [todo, `More: ${runbook}`]),
  ].join("\n");
  return { id, event, kind, title, detail, todo, runbook, since: since.toISOString(), at: now.toISOString(), service, text };
}

/** For `npm run ops -- alert-test`. */
const testKind: AlarmKind = {
  title: "This is a test of the alarms",
  todo: "Nothing is wrong. If you read this, alarms reach you.",
  runbook: "docs/runbooks/one-server.md#alarms",
};

/** What became of it on each channel; null: it arrived. */
export interface SendResult {
  channel: string;
  problem: string | null;
}

/** Sends it on every channel, and logs each failure. Never rejects, and ends within `sendWithinMs`. */
export async function sendNotice(body: AlarmBody, { url, to, mail, log }: AlarmChannels): Promise<SendResult[]> {
  const sent = [
    ...(url ? [attempt(`webhook ${new URL(url).host}`, postWebhook(url, body))] : []),
    ...(mail ? to.map((recipient) => attempt(`mail to ${recipient}`, sendMail(mail, recipient, body))) : []),
  ];
  const results = await Promise.all(sent);
  for (const { channel, problem } of results)
    if (problem !== null) log.error({ kind: body.kind, event: body.event, channel, problem }, "an alarm could not be sent");
  return results;
}

/** Sends it, and says whether it arrived on at least one channel. */
export async function deliver(notice: Notice, channels: AlarmChannels, now: Date): Promise<boolean> {
  const results = await sendNotice(describeNotice(notice, channels.service, now), channels);
  return results.some(({ problem }) => problem === null);
}

const attempt = (channel: string, sending: Promise<void>): Promise<SendResult> =>
  within(sendWithinMs, channel, sending).then(
    () => ({ channel, problem: null }),
    (error: unknown) => ({ channel, problem: problemOf(error) }),
  );

/** A code where there is one: messages could contain the URL. */
function problemOf(error: unknown): string {
  const { cause, code, name, message } = error as { cause?: { code?: unknown }; code?: unknown; name?: string; message?: string };
  return String(cause?.code ?? code ?? (error instanceof Refused ? message : (name ?? "unknown")));
}

class Refused extends Error {}

async function postWebhook(url: string, body: AlarmBody): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "slipway" },
    body: JSON.stringify(body),
    // It would lead the alarm to a place that no operator set.
    redirect: "manual",
    signal: AbortSignal.timeout(webhookWithinMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Refused(`it answered ${response.status}`);
}

async function sendMail(mail: MailTransport, recipient: string, body: AlarmBody): Promise<void> {
  const content = {
    // The same for each attempt at this notice, so that mailboxes merge copies.
    id: `${body.id}-${body.event}`,
    recipient,
    subject: `[${new URL(body.service).host}] ${subjects[body.event]}: ${body.title}`,
    text: body.text,
    html: `<pre style="font:inherit;white-space:pre-wrap">${escapeHtml(body.text)}</pre>`,
    createdAt: new Date(body.at),
    attempts: 0,
  };
  await mail.send(content, AbortSignal.timeout(sendWithinMs));
}
