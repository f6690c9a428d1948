/** The steps that open the gateway and report the workspace as online. */
import { say } from "#contract/sentences/say.ts";
import { isDesiredAsRead } from "#domain/workspaces/observed/observation-store.ts";
import { sinceMs } from "#platform/clock.ts";
import { GatewaySilent } from "../gateway-silent.ts";
import { begins, progressMs, done, wait, type Step } from "../step.ts";

/** Not sooner: before the workspace has an owner, the first visitor could become the owner. */
export const openGateway: Step = {
  name: "open-gateway",
  async run(scope) {
    const { workspace, observed, engine } = scope;
    if (!observed.gatewayOpen) {
      await scope.showProgress("open-gateway", say("publishing"), begins.gateway);
      await scope.observe({ gatewayOpen: true });
    }
    const probe = () => scope.probeThroughGateway(workspace.accountName, engine.healthPath).catch(unlessSilent);
    const isReached = async () => (await probe()) === true;
    const first = await probe();
    if (first === true) return done;
    if (first === "silent") {
      scope.log.error({ event: "gateway-silent", workspaceId: workspace.id }, "the gateway does not answer: no workspace can be checked");
      return wait(progressMs, isReached);
    }
    const waitedMs = sinceMs(observed.startedAt ?? scope.clock.now(), scope.clock.now());
    if (waitedMs < scope.readyTimeoutMs) return wait(progressMs, isReached);
    // A busy host may make it miss one.
    if ((await probe()) !== false) return done;
    // The gateway closes as soon as a stop or a restart is requested, which may be after this pass began.
    if (!(await isDesiredAsRead(scope.db, workspace))) return wait(0);
    return {
      kind: "failed",
      event: "unreachable",
      reason: say("unreachable"),
    };
  },
};

function unlessSilent(error: unknown): "silent" {
  if (error instanceof GatewaySilent) return "silent";
  throw error;
}

/** After ten minutes without a fault, the next one counts as the first again. */
const forgiveAfterMs = 10 * 60_000;

export const markOnline: Step = {
  name: "mark-online",
  async run(scope) {
    const { observed, target, clock } = scope;
    const settled =
      observed.observedState === "online" &&
      observed.observedGeneration === target.generation &&
      observed.observedVersion === target.version;
    if (!settled) {
      const { generation: observedGeneration, version: observedVersion } = target;
      await scope.observe(
        {
          observedState: "online",
          observedGeneration,
          observedVersion,
          coldSince: null,
          progressStep: null,
          progressLabel: null,
          progressPercent: null,
          reason: null,
          reasonCode: null,
        },
        observed.coldSince ? undefined : { event: "online", message: say("online") },
      );
    }
    const upSince = observed.startedAt;
    if (observed.failures > 0 && upSince && sinceMs(upSince, clock.now()) > forgiveAfterMs) await scope.observe({ failures: 0 });
    return done;
  },
};
