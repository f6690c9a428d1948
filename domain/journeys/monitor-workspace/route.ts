import type { MonitoringRange, WebhookFigures } from "#contract/workspaces/monitoring/monitoring.ts";
import { routes } from "#contract/routes.ts";
import { readHours, readPeaks } from "#domain/workspaces/observed/load-store.ts";
import { addCalls, latencyAt, noCalls, type WebhookCalls } from "#domain/workspaces/webhooks/webhook-calls.ts";
import { readWebhookCalls, type KeptMinutes } from "#domain/workspaces/webhooks/webhook-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import type { Mount, Services } from "../services.ts";
import { readMarks } from "./read-marks.ts";

/**
 * How far back, and how many minutes each point covers; those of an hour have their own table, because single samples are kept for two
 * days.
 */
const spans: Record<MonitoringRange, { ms: number; minutes?: number }> = {
  "1h": { ms: hourMs, minutes: 1 },
  "24h": { ms: dayMs, minutes: 5 },
  "7d": { ms: 7 * dayMs },
  "30d": { ms: 30 * dayMs },
};

/** The rows that are read, and how many minutes of them are one point: at most 96, as bars on a phone. */
const webhookSpans: Record<MonitoringRange, { kept: KeptMinutes; spanMinutes: number }> = {
  "1h": { kept: 1, spanMinutes: 1 },
  "24h": { kept: 1, spanMinutes: 15 },
  "7d": { kept: 60, spanMinutes: 180 },
  "30d": { kept: 60, spanMinutes: 720 },
};

export function monitorWorkspaceRoutes(mount: Mount, services: Services): void {
  mount(routes.getInstanceMonitoring, async ({ signedIn: { workspace, accountId }, query: { range } }) => {
    if (!workspace) throw new AppError("workspace_not_found");
    const to = services.clock.now();
    const { ms, minutes } = spans[range];
    const from = after(to, -ms);
    const samples = await (minutes
      ? readPeaks(services.db, workspace.id, { from, to }, minutes)
      : readHours(services.db, workspace.id, { from, to }));
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      limitMb: workspace.runningMemoryMb ?? workspace.memoryMb,
      cpuLimitPercent: Math.round(services.workspace.cpus * 100),
      diskLimitMb: services.workspace.diskMb,
      plannedMb: workspace.memoryMb,
      samples: samples.map(({ at, ...load }) => ({ at: at.toISOString(), ...load })),
      marks: await readMarks(services.db, { id: workspace.id, accountId }, { from, to }),
    };
  });

  mount(routes.getInstanceWebhooks, async ({ signedIn: { workspace }, query: { range } }) => {
    if (!workspace) throw new AppError("workspace_not_found");
    const to = services.clock.now();
    const from = after(to, -spans[range].ms);
    const points = await readWebhookCalls(services.db, workspace.id, { from, to }, webhookSpans[range]);
    const total = noCalls();
    for (const point of points) addCalls(total, point);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      spanMinutes: webhookSpans[range].spanMinutes,
      total: figuresOf(total),
      points: points.map((point) => ({ at: point.at.toISOString(), ...figuresOf(point) })),
    };
  });
}

const figuresOf = ({ calls, clientErrors, failed, waited, latency }: WebhookCalls): WebhookFigures => ({
  calls,
  clientErrors,
  failed,
  waited,
  medianMs: latencyAt(latency, 0.5),
  p95Ms: latencyAt(latency, 0.95),
});
