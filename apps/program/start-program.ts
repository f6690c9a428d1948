/** Starts the roles of this process in the order in which they need each other, and stops them in the reverse. */
import { createFlags } from "#domain/experiments/flags.ts";
import { offeredRelease } from "../provisioner/engines/releases/offered-release.ts";
import { prepareCurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { startBillingLoop } from "#domain/billing/provider-truth/billing-loop.ts";
import { mayBePaid } from "#domain/billing/purchases/checkout/checkout-store.ts";
import { settleWaiting } from "#domain/invoices/issuing/settle-waiting.ts";
import { healGrants, sweepBilling } from "#domain/billing/provider-truth/sweep-billing.ts";
import { centralBankRates } from "#domain/invoices/tax/exchange-rates.ts";
import { viesRegister } from "#domain/invoices/tax/vat-register.ts";
import { createBilling } from "#domain/journeys/manage-billing/create-billing.ts";
import { warnOfEndingCards } from "#domain/journeys/warn-of-cards/warn-of-ending-cards.ts";
import { createWorkspaceWatch } from "#domain/journeys/watch-workspace/workspace-watch.ts";
import { startAuditShipping } from "#domain/audit/ship-audit.ts";
import { sweepCredentials } from "#domain/accounts/sweep-credentials.ts";
import { workspaceLook } from "#domain/workspaces/observed/look-store.ts";
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import { inboxTransport } from "#domain/mail/sending/inbox-transport.ts";
import { startMailLoop } from "#domain/mail/sending/mail-loop.ts";
import { needsTls } from "#domain/mail/sending/smtp-security.ts";
import { smtpTransport } from "#domain/mail/sending/smtp-transport.ts";
import { sweepMails } from "#domain/mail/sweep-mails.ts";
import { clockMovedChannel, readClockAhead } from "#domain/service-clock/service-clock-store.ts";
import { dayMs, systemClock } from "#platform/clock.ts";
import { sessionCookie } from "#platform/http/session-cookie.ts";
import { listen } from "#platform/postgres/listen.ts";
import type { Log } from "#platform/log.ts";
import { createRounds } from "#platform/loops/rounds.ts";
import { createSecrets } from "#platform/secrets.ts";
import { noteSecretKey } from "#domain/secret-rotation/note-secret-key.ts";
import { startSweep } from "#platform/loops/start-sweep.ts";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createBackupStorage } from "#domain/backups/storage/create-backup-storage.ts";
import { backupDue } from "#domain/backups/backup-store.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { buildApi } from "../api/build-api.ts";
import { deliveryOf, type Config } from "./settings/config.ts";
import { webhookQueuedChannel } from "#payments/sandbox/webhooks/emit-event.ts";
import { buildHealth } from "./build-health.ts";
import { createChallenge } from "./choices/create-challenge.ts";
import { createEngine } from "./choices/create-engine.ts";
import { createPasswordRules } from "./choices/create-password-rules.ts";
import { createPaymentProvider, providerPage } from "#payments/providers.ts";
import { openMovableClock, sandboxSite, startPaymentSandbox, timeTravel } from "./parts/payment-sandbox.ts";
import { openFrontDoor } from "./front-door/front-door.ts";
import { openCatalogue } from "./parts/open-catalogue.ts";
import { openData } from "./parts/open-data.ts";
import { createDriver } from "./choices/create-driver.ts";
import { readinessOf } from "./readiness.ts";
import { startGateway } from "./roles/start-gateway.ts";
import { startWorker, type Worker } from "./roles/start-provisioner.ts";

/** As long as a lease: a clock that was set back holds nothing up for much longer. */
const clockMendingMs = 15_000;

export interface Program {
  /** Ends every role; with `workspaces`, the workspaces of this host too. */
  stop(options: { workspaces: boolean }): Promise<void>;
}

/** Resolves once everything this process was asked for runs. Refuses with StartTrouble, leaving nothing behind. */
export async function startProgram(config: Config, log: Log): Promise<Program> {
  const undo: ((options: { workspaces: boolean }) => Promise<void>)[] = [];
  const stop = async (options: { workspaces: boolean }) => {
    for (const close of undo.splice(0).toReversed())
      await close(options).catch((error: unknown) => log.error({ err: error }, "a part did not stop cleanly"));
  };
  try {
    await startRoles(config, log, undo);
    return { stop };
  } catch (error) {
    await stop({ workspaces: false });
    throw error;
  }
}

async function startRoles(config: Config, log: Log, undo: ((options: { workspaces: boolean }) => Promise<void>)[]): Promise<void> {
  const data = await openData(config, log);
  undo.push(() => data.close());
  // Without the lock another program may start on the same workspaces: ending at once is the safe answer.
  void data.lost.then(() => {
    log.fatal("the data folder was lost: the database ended this program's session");
    process.exit(1);
  });
  const { db } = data.database;
  const movable = await openMovableClock(config, db);
  const clock = movable ?? systemClock;
  const secrets = createSecrets(config.secretKey, config.previousSecretKey);
  await noteSecretKey(db, secrets);
  // Workspaces have the machine's time, wherever the service's was moved to.
  const engine = createEngine(config, secrets, systemClock);
  const wakers: (() => void)[] = [];
  const sandbox = movable && { config, db, clock: movable, secrets, log, wake: () => wakers.forEach((wake) => wake()) };
  const backupStorage = await createBackupStorage(config.backupsUrl, join(config.dataDir, "backups"));
  const watch = createWorkspaceWatch();
  const probeToken = secrets.derive("gateway probe").toString("base64url");

  const driver = config.roles.has("worker") ? await createDriver({ config, db, clock, log }) : null;
  const rounds = createRounds();
  const gateway = config.roles.has("gateway")
    ? startGateway({ config, db, clock, machineClock: systemClock, log, probeToken, executionSign: engine.executionSign, rounds })
    : null;
  if (gateway) undo.push(() => gateway.close());

  const catalogue = openCatalogue(config, engine, log);
  // Asked once before anybody does, so that the first visitor already gets the engine's own nodes and pictures.
  if (config.roles.has("api")) void catalogue.current();

  let ready = false;
  let worker: Worker | null = null;
  const troubles = () => [
    ...(worker?.hostTroubles() ?? []).map((kind) => `host: ${kind}`),
    ...rounds.standing().map((loop) => `loop: ${loop}`),
  ];
  const checkReadiness = readinessOf(db, () => ready, troubles);
  const billing = createBilling({
    db,
    clock,
    log,
    secrets,
    provider: createPaymentProvider(config.payments, { db, clock, secrets, publicUrl: config.publicUrl }),
    publicUrl: config.publicUrl,
    workspaceMemoryMb: config.workspaceMemoryMb,
    delivery: deliveryOf(config),
    leastNoticeMs: config.production ? 3 * dayMs : 0,
    seller: config.seller,
    register: config.viesUrl ? viesRegister({ url: config.viesUrl, requester: config.seller.vatId, clock, log }) : null,
    rates: config.exchangeRatesUrl ? centralBankRates({ url: config.exchangeRatesUrl, clock, log }) : null,
  });
  const api = config.roles.has("api")
    ? await buildApi({
        db,
        clock,
        log,
        secrets,
        stored: { storage: backupStorage, keys: createBackupKeys(secrets, secrets.previous ? [secrets.previous] : []) },
        billing,
        timeTravel: sandbox && timeTravel(sandbox),
        sandbox: sandbox && sandboxSite(sandbox),
        providerPage: providerPage(config.payments, {
          publicUrl: config.publicUrl,
          mayBePaid: (id) => mayBePaid(db, config.payments.provider, id),
        }),
        watch,
        nodeCatalogue: catalogue,
        introspection: !config.production,
        instanceOperations: config.instanceOperations,
        challenge: createChallenge(config.challenge, secrets, clock),
        passwords: createPasswordRules(config, clock, log),
        publicUrl: config.publicUrl,
        cookie: sessionCookie(config.secure),
        workspace: {
          engine: config.engine,
          engineName: engine.displayName,
          version: engine.releases[0]!.version,
          releases: engine.releases.map(offeredRelease),
          memoryMb: config.workspaceMemoryMb,
          hasCommunityNodes: engine.communityNodes !== undefined,
          hasExports: engine.exports !== undefined,
          createSecrets: () => engine.createSecrets(),
          loginPath: (workspaceId, landingPath) => engine.loginPath(workspaceId, landingPath),
          readLoginCode: (code) => engine.readLoginCode(code),
        },
        findCurrentUser: prepareCurrentUser(db, clock, log),
        evaluateFlags: await createFlags(log),
        outside: {
          challenge: config.challenge.kind,
          analytics: config.analytics,
          sentryDsn: config.sentryDsn,
          sentryEnvironment: config.sentryEnvironment,
        },
        webFolder: fileURLToPath(new URL("../web/dist", import.meta.url)),
        callsPerMinute: config.callsPerMinute,
        trustedProxyHops: config.trustedProxyHops,
        developmentInbox: !config.production && !config.smtpUrl,
        delivery: deliveryOf(config),
        supportEmail: config.supportEmail,
        links: config.links,
        termsVersion: config.termsVersion,
        checkReadiness,
      })
    : null;
  const health = api ?? (await buildHealth(checkReadiness));
  undo.push(() => health.close());

  const door = await openFrontDoor({ panelHost: config.panelHost, port: config.port, hosts: config.hosts, api, health, gateway, log });
  undo.push(() => door.close());
  undo.push(() => Promise.resolve(watch.close()));

  worker = driver ? await startWorker({ config, db, driver, engine, backupStorage, secrets, clock, log, rounds }) : null;
  const started = worker;
  if (started) undo.push((options) => started.stop(options));

  if (config.roles.has("worker")) {
    const transport = config.smtpUrl
      ? smtpTransport({ url: config.smtpUrl, from: config.mailFrom, requireTls: config.production && needsTls(config.smtpUrl) })
      : inboxTransport;
    const mail = await startMailLoop({ db, connection: data.connection, transport, clock, log, rounds });
    undo.push(() => mail.stop());
    const selling = await startBillingLoop(billing, data.connection, rounds);
    undo.push(() => selling.stop());
    const payments = sandbox && startPaymentSandbox(sandbox);
    undo.push(async () => payments?.stop());
    const warnOfCards = () => warnOfEndingCards({ db, clock, log, publicUrl: config.publicUrl });
    wakers.push(
      mail.wake,
      selling.wake,
      warnOfCards,
      () => worker?.wake(),
      () => payments?.wake(),
    );
    const auditShipping = startAuditShipping(db, log, rounds);
    undo.push(() => auditShipping.stop());
    const healing = async () => void (await healGrants(billing));
    const sweep = startSweep(
      {
        credentials: sweepCredentials,
        mails: sweepMails,
        billing: sweepBilling,
        grants: healing,
        documents: () => settleWaiting(billing),
        cards: warnOfCards,
      },
      { db, clock, log, rounds },
    );
    undo.push(() => sweep.stop());
    const clockMending = createWakeLoop({
      work: async () => void (await mendClockSetBack(db, clock.now())),
      followed: { by: rounds, name: "clock" },
      onError: (err) => log.warn({ err }, "the queues could not be looked at"),
    });
    clockMending.start(clockMendingMs);
    undo.push(() => clockMending.stop());
  }

  const followClock = async () => {
    if (!movable) return;
    movable.setAhead(await readClockAhead(db).catch(() => 0));
    sandbox?.wake();
  };
  const listener = await listen({
    connection: data.connection,
    channels: [workspaceChanged, workspaceLook, backupDue, clockMovedChannel, webhookQueuedChannel],
    onNotify: (channel, payload) => {
      if (channel === clockMovedChannel) return void followClock();
      if (channel === webhookQueuedChannel) return sandbox?.wake();
      if (channel === workspaceLook) return void worker?.look();
      if (channel === backupDue) return void worker?.backUp();
      const accountName = payload.split(" ")[1] ?? "";
      gateway?.invalidate(accountName);
      watch.changed(accountName);
      worker?.wake();
    },
    onReconnect: () => {
      gateway?.invalidateAll();
      watch.changedAll();
      worker?.wake();
      void followClock();
    },
    log,
  });
  undo.push(() => listener.close());
  ready = true;
}
