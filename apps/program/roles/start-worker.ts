/** The worker: every loop of the service, from reconciling workspaces to sending mails. */
import { endUnconfirmedAccounts } from "#domain/accounts/end-unconfirmed-accounts.ts";
import { startAuditShipping } from "#domain/audit/ship-audit.ts";
import { startBillingLoop } from "#domain/billing/provider-truth/billing-loop.ts";
import { healGrants } from "#domain/billing/provider-truth/sweep-billing.ts";
import { startReconciling } from "#domain/billing/reconcile/reconcile-loop.ts";
import { settleWaiting } from "#domain/invoices/issuing/settle-waiting.ts";
import { eraseDue } from "#domain/journeys/close-account/erasing/erase-account.ts";
import { closeErasedAgain, patienceOfStart } from "#domain/journeys/close-account/erasing/erased-marks.ts";
import { announceRenewals } from "#domain/journeys/manage-billing/announce-renewals/announce-renewals.ts";
import { endSuspensions } from "#domain/journeys/suspend-account/resume-account.ts";
import { warnOfEndingCards } from "#domain/journeys/warn-of-cards/warn-of-ending-cards.ts";
import { startMailLoop } from "#domain/mail/sending/mail-loop.ts";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { minuteMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { availableMb } from "#platform/host/available-mb.ts";
import { readHostMemory } from "#platform/loops/host-limits.ts";
import { startSweep } from "#platform/loops/start-sweep.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { Driver } from "../../provisioner/drivers/driver.ts";
import { drivers } from "../choices/create-driver.ts";
import { createMailTransport } from "../choices/create-mail-transport.ts";
import type { Ending } from "../ending.ts";
import type { Parts } from "../parts/open-parts.ts";
import { startPaymentSandbox } from "../parts/payment-sandbox.ts";
import { deleteOldRows } from "../retention/delete-old-rows.ts";
import type { Config } from "../settings/config.ts";
import { startObserving, type ObservingOptions } from "../watch/observe.ts";
import { startProvisioner, type Provisioner } from "./start-provisioner.ts";

/** As long as a lease, so that setting a clock back causes no longer delay. */
const clockMendingMs = 15_000;

/**
 * Starts every loop. Each is stopped by `ending` and woken by `parts.wakers`. What works on the data folder or the host's workspaces uses
 * `fenced`; the other loops are safe in any number of processes, by the leases of their rows.
 */
export async function startWorker(parts: Parts, driver: Driver, fenced: Database, ending: Ending): Promise<Provisioner> {
  const { config, log, db, notifications, clock, billing, rounds, sandbox, tracer, wakers } = parts;

  // Before all loops, so that none of them acts on what a restored database has forgotten.
  const erasing = { db, clock, log, storage: parts.backupStorage, secrets: parts.secrets, supportEmail: config.supportEmail };
  await closeErasedAgain(erasing, patienceOfStart).catch((err: unknown) =>
    log.error({ err }, "not everything could be learned about erased accounts that came back; the first sweep tries again"),
  );
  const reconciling = await startReconciling(billing, rounds);
  ending.add(() => reconciling.stop());
  wakers.push(reconciling.wake);

  const provisioner = await startProvisioner({ ...parts, db: fenced }, driver);
  ending.add((options) => provisioner.stop(options));
  wakers.push(provisioner.wake);

  const mail = await startMailLoop({ db, notifications, transport: createMailTransport(config), clock, log, tracer, rounds });
  ending.add(() => mail.stop());
  wakers.push(mail.wake);

  const billingLoop = await startBillingLoop(billing, notifications, rounds);
  ending.add(() => billingLoop.stop());
  wakers.push(billingLoop.wake);

  const payments = sandbox && startPaymentSandbox(sandbox);
  ending.add(async () => payments?.stop());
  wakers.push(() => payments?.wake());

  const auditShipping = startAuditShipping(db, log, rounds);
  ending.add(() => auditShipping.stop());

  const warnOfCards = () => warnOfEndingCards({ db, clock, log, publicUrl: config.publicUrl });
  const tellOfRenewals = () => announceRenewals({ ...billing, renewalNoticeDays: config.renewalNoticeDays });
  wakers.push(
    () => void warnOfCards(),
    () => void tellOfRenewals(),
  );
  const sweep = startSweep(
    {
      retention: (_db, now) => deleteOldRows(db, now, log),
      accounts: (to, now) => endUnconfirmedAccounts(to, now, config.unconfirmedDays),
      grants: async () => void (await healGrants(billing)),
      documents: () => settleWaiting(billing),
      cards: warnOfCards,
      renewals: tellOfRenewals,
      "erased accounts": async () => void (await closeErasedAgain(erasing)),
    },
    { db, clock, log, rounds },
  );
  ending.add(() => sweep.stop());

  const suspensions = createWakeLoop({
    work: () => endSuspensions({ db, clock, log, publicUrl: config.publicUrl, lastBackupDays: config.lastBackupDays }),
    followed: { by: rounds, name: "suspensions" },
    onError: (err) => log.warn({ err }, "ended suspensions could not be looked for"),
  });
  suspensions.start(minuteMs);
  ending.add(() => suspensions.stop());
  wakers.push(suspensions.wake);

  const erasures = createWakeLoop({
    work: (isStopping) => eraseDue(erasing, isStopping),
    followed: { by: rounds, name: "erasures" },
    onError: (err) => log.warn({ err }, "accounts to erase could not be looked for"),
  });
  erasures.start(minuteMs);
  ending.add(() => erasures.stop());
  wakers.push(erasures.wake);

  const clockMending = createWakeLoop({
    work: async () => void (await mendClockSetBack(db, clock.now())),
    followed: { by: rounds, name: "clock" },
    onError: (err) => log.warn({ err }, "the queues could not be checked for a clock that was set back"),
  });
  clockMending.start(clockMendingMs);
  ending.add(() => clockMending.stop());

  const observing = startObserving({
    db,
    clock,
    log,
    rounds,
    host: config.hostName,
    publicUrl: config.publicUrl,
    storage: parts.backupStorage,
    readResources: () => readResources(config),
  });
  ending.add(() => observing.stop());

  return provisioner;
}

/** Memory only where workspaces run: in a cluster, the scheduler knows the nodes'. */
async function readResources({
  dataDir,
  driver,
  hostDiskFloorMb,
  workspaceMemoryMb,
}: Config): ReturnType<ObservingOptions["readResources"]> {
  const memoryMb = readHostMemory().availableMb;
  const isMeasured = drivers[driver].isOnThisHost && Number.isFinite(memoryMb);
  return {
    disk: { freeMb: await availableMb(dataDir), floorMb: hostDiskFloorMb },
    ...(isMeasured && { memory: { freeMb: Math.floor(memoryMb), floorMb: workspaceMemoryMb } }),
  };
}
