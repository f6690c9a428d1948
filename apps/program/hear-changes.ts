/**
 * Tells the roles of this process what other processes changed. A notification is only a hint: the periodic sweep of each loop finds missed
 * changes.
 */
import { backupDue } from "#domain/backups/backup-queue.ts";
import type { OutputWatch } from "#domain/journeys/look-into-workspace/output-watch.ts";
import type { WorkspaceWatch } from "#domain/journeys/watch-workspace/workspace-watch.ts";
import { clockMovedChannel, readClockAhead } from "#domain/service-clock/service-clock-store.ts";
import { workspaceLook } from "#domain/workspaces/observed/look-store.ts";
import { workspaceOutput } from "#domain/workspaces/observed/output-channel.ts";
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import type { Listener } from "#platform/postgres/listen.ts";
import { webhookQueuedChannel } from "#payments/sandbox/webhooks/emit-event.ts";
import type { Gateway } from "../gateway/create-gateway.ts";
import type { Parts } from "./parts/open-parts.ts";
import type { Provisioner } from "./roles/start-provisioner.ts";

/** The listeners. `gateway` and `provisioner` are null until they have started, and if this process does not have the role. */
export interface Hearing {
  gateway: Gateway | null;
  provisioner: Provisioner | null;
  watch: WorkspaceWatch;
  outputWatch: OutputWatch;
}

/** Listens until closed. */
export function hearChanges({ db, notifications, sandbox }: Parts, told: Hearing): Promise<Listener> {
  const followClock = async () => {
    if (!sandbox) return;
    sandbox.clock.setAhead(await readClockAhead(db).catch(() => 0));
    sandbox.wake();
  };
  const byChannel: Record<string, (payload: string) => void> = {
    [workspaceChanged]: (payload) => {
      const [workspaceId = "", accountName = ""] = payload.split(" ");
      told.gateway?.invalidate(accountName);
      told.watch.changed(accountName);
      told.provisioner?.changed(workspaceId);
      told.provisioner?.wake();
    },
    [workspaceLook]: () => told.provisioner?.look(),
    [workspaceOutput]: (payload) => told.outputWatch.arrived(payload),
    [backupDue]: () => told.provisioner?.backUp(),
    [clockMovedChannel]: () => void followClock(),
    [webhookQueuedChannel]: () => sandbox?.wake(),
  };
  return notifications.listen({
    channels: Object.keys(byChannel),
    onNotify: (channel, payload) => byChannel[channel]?.(payload),
    onReconnect: () => {
      told.gateway?.invalidateAll();
      told.watch.changedAll();
      told.outputWatch.lost();
      told.provisioner?.wake();
      void followClock();
    },
  });
}
