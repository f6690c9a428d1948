/**
 * Enforces the workspace's plan: refuses executions, activations, credentials and invitations beyond it, but never reading, exporting or
 * deleting.
 */
import type { KnownPlan, Plan } from "../../../workspace-side/known-plan.mts";
import type { UsageStore } from "../../../workspace-side/usage-store.mts";
import { isApiCall } from "./api-callers.mts";
import type { RunWorkflow, WorkflowCounts } from "./workflow-counts.mts";
import { countedWorkflows, isCountedWorkflow, type WorkflowNode } from "./active-workflows.mts";
import type { HookContext, Internals, User } from "../internals.mts";

/** The modes that n8n itself counts as executions, not manual runs in the editor or workflows called by others. */
const countedModes: ReadonlySet<string> = new Set(["cli", "retry", "trigger", "webhook", "evaluation"]);

/** Whether executions of this mode count toward the plan. */
export const isCounted = (mode: string): boolean => countedModes.has(mode);

const quotaReached = "QuotaReached";

/** The error of an execution that the plan does not allow; n8n shows its message to people. */
export const quotaError = (message: string): Error => new QuotaReached(message);

/** What n8n reports about an execution that has ended. */
export interface EndedRun {
  mode?: string;
  status?: string;
  data?: { resultData?: { error?: { name?: string } } };
}

/** n8n shows the words of such an error to people. */
class QuotaReached extends Error {
  level = "warning";
  constructor(message: string) {
    super(message);
    this.name = quotaReached;
  }
  /** n8n stores errors as JSON, where a plain error has no message. */
  toJSON(): object {
    return { name: this.name, level: this.level, message: this.message };
  }
}

/** A workflow as n8n is about to publish it. */
export interface ActivatedWorkflow {
  id: string;
  nodes?: WorkflowNode[];
}

/** Why no execution may begin now. */
interface UsedUp {
  /** For people who open the refused execution in the editor: names the plan and links to larger ones. */
  ownersWords: string;
  /** The same in Markdown, for the editor. */
  banner: string;
  /** When executions may begin again (ISO); undefined if only a larger plan helps. */
  nextPeriod: string | undefined;
  isTrial: boolean;
}

export interface Quota {
  /** Undefined while executions may begin. */
  usedUp(): UsedUp | undefined;
  /** Before each execution: counts it, or refuses it. */
  beforeExecution(mode: string, workflow: RunWorkflow): void;
  /** After each execution: counts genuine failures. True if the execution was refused, which does not count. */
  afterExecution(run: EndedRun, workflow: RunWorkflow): boolean;
  /** Before a workflow becomes active. */
  beforeActivation(workflow: ActivatedWorkflow, context: HookContext, internals: Internals): Promise<void>;
  /** When a workflow stops being active, or is deleted. */
  afterDeactivation(workflowId: string): void;
  /** Adds the plan's number of credentials to n8n's own creation of credentials. */
  guardCredentials(context: HookContext, internals: Internals): void;
  /** Adds the plan's number of people to n8n's own invitations. */
  guardInvitations(context: HookContext, internals: Internals): void;
}

interface QuotaOptions {
  plan: KnownPlan;
  usage: UsageStore;
  workflows: WorkflowCounts;
  panelUrl: string;
  /** A link to a page of the panel that signs the owner in. */
  linkTo: (path: string) => string;
  now: () => Date;
}

/** n8n takes a moment to save an activation: until then it is counted from memory. */
const activationMs = 5000;

export function createQuota({ plan, usage, workflows, panelUrl, linkTo, now }: QuotaOptions): Quota {
  const activating = new Map<string, number>();
  const plansAddress = ({ changePlanPath }: Plan): string => `${panelUrl}${changePlanPath}`;
  // The editor shows this as a link that signs its owner in.
  const largerPlan = (known: Plan): string =>
    isApiCall() ? plansAddress(known) : `<a href="${linkTo(known.changePlanPath)}" target="_blank">${plansAddress(known)}</a>`;

  const usedUp = (): UsedUp | undefined => {
    const known = plan.read();
    const limit = known?.limits.executions ?? -1;
    if (!known || limit < 0 || plan.used() < limit) return undefined;
    const nextPeriod = plan.nextPeriod();
    const words = executionsUsed(known, nextPeriod);
    const banner = `${nextPeriod === undefined ? allUsed : `${allUsed} Workflows run again on ${dayOf(nextPeriod)}.`} [Choose a larger plan](${linkTo(known.changePlanPath)})`;
    return { ownersWords: `${words} ${largerPlan(known)}`, banner, nextPeriod, isTrial: known.status === "trialing" };
  };

  return {
    usedUp,
    beforeExecution: (mode, workflow) => {
      if (!isCounted(mode)) return;
      const refusal = usedUp();
      if (refusal) throw new QuotaReached(refusal.ownersWords);
      usage.countExecution(plan.period(), now());
      workflows.countExecution(workflow);
    },
    afterExecution: ({ mode, status, data }, workflow) => {
      const isRefused = data?.resultData?.error?.name === quotaReached;
      // A crash is found at the next start (count-crashes.mts), and may or may not be reported here as well.
      if (isCounted(mode ?? "") && status === "error" && !isRefused) {
        usage.countFailure(plan.period(), now());
        workflows.countFailure(workflow);
      }
      return isRefused;
    },
    beforeActivation: async ({ id, nodes }, context, { nodeKinds }) => {
      const known = plan.read();
      const limit = known?.limits.activeWorkflows ?? -1;
      if (!known || limit < 0 || !isCountedWorkflow(nodes, nodeKinds)) return;
      const active = await countedWorkflows(context);
      for (const [each, sinceMs] of activating) if (now().getTime() - sinceMs > activationMs) activating.delete(each);
      const others = new Set([...active, ...activating.keys()]);
      others.delete(id);
      if (others.size >= limit) {
        throw new QuotaReached(
          `Your ${known.displayName} plan allows ${number(limit)} active ${limit === 1 ? "workflow" : "workflows"}. Deactivate one first, or choose a larger plan: ${largerPlan(known)}`,
        );
      }
      activating.set(id, now().getTime());
    },
    afterDeactivation: (workflowId) => {
      activating.delete(workflowId);
    },
    guardCredentials: ({ dbCollections }, { credentials, BadRequestError }) => {
      const refuseTooMany = async () => {
        const known = plan.read();
        const limit = known?.limits.credentials ?? -1;
        if (!known || limit < 0 || (await dbCollections.Credentials.count()) < limit) return;
        throw new BadRequestError(
          `Your ${known.displayName} plan allows ${number(limit)} ${limit === 1 ? "credential" : "credentials"}. Delete one, or choose a larger plan: ${largerPlan(known)}`,
        );
      };
      // One after the other: of two created at the same time, the second sees the first.
      const inTurn = createTurns();
      for (const name of ["save", "createInstanceCredential"] as const) {
        const create = credentials[name]?.bind(credentials);
        if (create) credentials[name] = (...parameters) => inTurn(async () => (await refuseTooMany(), create(...parameters)));
      }
    },
    guardInvitations: (context, { users, BadRequestError }) => {
      const invite = users.inviteUser.bind(users);
      const refuseTooMany = async (invitations: { email: string }[]) => {
        const known = plan.read();
        const limit = known?.limits.users ?? -1;
        if (!known || limit < 0) return;
        const people = await context.dbCollections.User.find({ select: ["id", "email"] });
        const there = new Set(people.map(({ email }) => email?.toLowerCase()));
        const coming = new Set(invitations.map(({ email }) => email.toLowerCase()).filter((email) => !there.has(email)));
        if (coming.size > 0 && people.length + coming.size > limit) {
          throw new BadRequestError(
            `Your ${known.displayName} plan allows ${number(limit)} ${limit === 1 ? "person" : "people"} in this workspace, including its owner and open invitations. To invite more, choose a larger plan: ${largerPlan(known)}`,
          );
        }
      };
      // One after the other, as with credentials.
      const inTurn = createTurns();
      users.inviteUser = (inviter: User, invitations) =>
        inTurn(async () => (await refuseTooMany(invitations), invite(inviter, invitations)));
    },
  };
}

/** Runs tasks one after the other; a failure affects only its own caller. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function executionsUsed(plan: Plan, nextPeriod: string | undefined): string {
  const { displayName, limits } = plan;
  if (nextPeriod === undefined)
    return `Your ${displayName} plan includes ${number(limits.executions)} executions, and all of them are used. Workflows run again with a larger plan:`;
  return `Your ${displayName} plan includes ${number(limits.executions)} executions a month, and all of them are used. Workflows run again on ${dayOf(nextPeriod)}, or immediately with a larger plan:`;
}

const allUsed = "All executions of this workspace's plan are used.";

const dayOf = (iso: string): string =>
  new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

const number = (value: number): string => value.toLocaleString("en-US");
