/** Tells the roles of this process what other processes changed. A notification is only a hint: each loop's periodic sweep finds what was missed. */
import { backupDue } from "#domain/backups/backup-queue.ts";
import type { WorkspaceWatch } from "#domain/journeys/watch-workspace/workspace-watch.ts";
import { clockMovedChannel, readClockAhead } from "#domain/service-clock/service-clock-store.ts";
import { workspaceLook } from "#domain/workspaces/observed/look-store.ts";
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import { listen, type Listener } from "#platform/postgres/listen.ts";
import { webhookQueuedChannel } from "#payments/sandbox/webhooks/emit-event.ts";
import type { Gateway } from "../gateway/create-gateway.ts";
import type { Parts } from "./parts/open-parts.ts";
import type { Provisioner } from "./roles/start-provisioner.ts";

/** Listens until closed. `gateway` and `provisioner` are null if this process does not have the role. */
export function hearChanges(
  { db, connection, log, sandbox }: Parts,
  { gateway, provisioner, watch }: { gateway: Gateway | null; provisioner: Provisioner | null; watch: WorkspaceWatch },
): Promise<Listener> {
  const followClock = async () => {
    if (!sandbox) return;
    sandbox.clock.setAhead(await readClockAhead(db).catch(() => 0));
    sandbox.wake();
  };
  const byChannel: Record<string, (payload: string) => void> = {
    [workspaceChanged]: (payload) => {
      const [workspaceId = "", accountName = ""] = payload.split(" ");
      gateway?.invalidate(accountName);
      watch.changed(accountName);
      provisioner?.changed(workspaceId);
      provisioner?.wake();
    },
    [workspaceLook]: () => provisioner?.look(),
    [backupDue]: () => provisioner?.backUp(),
    [clockMovedChannel]: () => void followClock(),
    [webhookQueuedChannel]: () => sandbox?.wake(),
  };
  return listen({
    connection,
    channels: Object.keys(byChannel),
    onNotify: (channel, payload) => byChannel[channel]?.(payload),
    onReconnect: () => {
      gateway?.invalidateAll();
      watch.changedAll();
      provisioner?.wake();
      void followClock();
    },
    log,
  });
}
