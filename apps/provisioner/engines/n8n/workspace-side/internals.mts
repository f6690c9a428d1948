/**
 * The few internals of n8n that the hook uses, found from n8n's own program file. n8n guarantees none of them: qualification checks each on
 * every release.
 */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { quotaError } from "./quota/quota.mts";
import type { Handler as AnyHandler, Request as AnyRequest, Response } from "../../workspace-side/handler.mts";

export interface User {
  id: string;
  email: string | null;
  password: string | null;
  firstName?: string | null;
  lastName?: string | null;
  /** A day in UTC; SQLite returns it as text. */
  lastActiveAt?: Date | string | null;
  role?: { slug: string };
}

interface Repository<Row> {
  findOne(options: object): Promise<Row | null>;
  find(options?: object): Promise<Row[]>;
  count(options?: object): Promise<number>;
  /** Runs on n8n's own connection. */
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
  manager: {
    /** Commits when `work` resolves. */
    transaction<Result>(work: (tx: { query(sql: string): Promise<unknown> }) => Promise<Result>): Promise<Result>;
  };
}

interface Setting {
  key: string;
  value: string;
  loadOnStartup: boolean;
}

/** What n8n hands to hooks as `this`. */
export interface HookContext {
  dbCollections: {
    User: Repository<User>;
    Credentials: Repository<{ id: string; name: string; type: string; data: unknown }>;
    Workflow: Repository<{ id: string; name: string; triggerCount: number }>;
    Settings: Repository<Setting> & { save(setting: Setting): Promise<Setting>; delete(which: { key: string }): Promise<unknown> };
  };
}

/** n8n's own middleware sets the caller. */
interface Request extends AnyRequest {
  user?: User;
}

export type Handler = AnyHandler<Request>;

export interface ExpressApp {
  get(path: string | string[], ...handlers: Handler[]): void;
  post(path: string, ...handlers: Handler[]): void;
  use(handler: Handler): void;
  router?: { stack: unknown[] };
}

/** What n8n hands to `n8n.ready`. */
export interface Server {
  app: ExpressApp;
  restEndpoint: string;
}

interface AuthService {
  issueCookie(response: Response, user: User, usedMfa: boolean): void;
  createAuthMiddleware(options: { allowSkipMFA: boolean; allowUnauthenticated?: boolean }): Handler;
}

interface OwnershipService {
  setupOwner(owner: { email: string; firstName: string; lastName: string; password: string }): Promise<User>;
}

interface UserService {
  inviteUser(
    inviter: User,
    invitations: { email: string; role: string }[],
  ): Promise<{ user: { id: string; inviteAcceptUrl?: string }; error: string }[]>;
  deleteUser(actor: User, id: string): Promise<unknown>;
  update(id: string, details: { email: string; firstName: string; lastName: string }): Promise<void>;
}

/** n8n's registry of node types. */
export interface NodeKinds {
  /** Whether this node type starts workflows; unknown types count as triggers. */
  isTrigger(type: string, version: number): boolean;
}

/** Both create one credential; the second makes a connection that the whole instance uses. */
interface CredentialsService {
  save(...parameters: unknown[]): Promise<unknown>;
  createInstanceCredential?(...parameters: unknown[]): Promise<unknown>;
}

/** A call of a webhook, form or MCP server, as n8n's router passes it on. */
export interface WebhookRequest extends AnyRequest {
  params: { path: string | string[] };
  /** Of n8n's first middleware: n8n reads a body when it needs it, or a node does (Webhook with "Raw Body"). */
  readRawBody?: () => Promise<void>;
  /** Set by it. */
  rawBody?: Buffer;
  /** Of Node's streams, like the next. */
  unpipe(): unknown;
  resume(): unknown;
}

export type WebhookResponse = Response & { headersSent: boolean };

export interface LiveWebhooks {
  /** A webhook's own rules for pages of other sites. Throws if there is no such webhook. */
  findAccessControlOptions(path: string, method: string): Promise<{ allowedOrigins?: string } | undefined>;
  executeWebhook(request: WebhookRequest, response: WebhookResponse, nodeType?: unknown): Promise<unknown>;
}

interface WorkflowRow {
  id: string;
  nodes: { type: string; disabled?: boolean }[];
}

/** The parts of n8n's mailer for forgotten passwords and invitations. */
interface Mailer {
  isEmailSetUp: boolean;
  passwordReset(mail: { email: string; passwordResetUrl: string }): Promise<{ emailSent: boolean }>;
  invite(mail: { email: string; inviteAcceptUrl: string }): Promise<{ emailSent: boolean }>;
}

interface Config {
  license: { activationKey: string };
  endpoints: { payloadSizeMax: number };
  executions: { concurrency: { productionLimit: number } };
}

interface CrashedExecution {
  id: string;
  mode: string;
  startedAt: Date | null;
  workflowId: string;
  waitTill?: Date | null;
}

export interface Internals {
  version: string;
  /** The editor in n8n's package. */
  editorFolder: string;
  auth: AuthService;
  ownership: OwnershipService;
  users: UserService;
  credentials: CredentialsService;
  nodeKinds: NodeKinds;
  /** Maximum size of a request body in megabytes. */
  payloadMb: number;
  webhooks: {
    live: LiveWebhooks;
    /** The workflow that a live call of this path would run. */
    find(method: string, path: string): Promise<{ workflowId: string } | null>;
  };
  executions: {
    /** Records a failed execution of this workflow with this message. Nothing runs and nothing counts. */
    keepRefused(context: HookContext, workflowId: string, words: string): Promise<void>;
    /** Removes executions from the history. */
    forget(ids: readonly string[]): Promise<void>;
  };
  mailers: {
    /** For forgotten passwords and invitations; n8n's other mails stay as they are. */
    replace(mailer: Mailer): void;
  };
  license: {
    /** Makes n8n forget the activation key, which it keeps with its settings. */
    forgetKey(): void;
    /** Returns the license and deletes its certificate. */
    clear(): Promise<void>;
  };
  /** n8n's queue of executions by webhooks and triggers. */
  productionQueue: {
    /** How many run at a time; -1: no limit. What runs already is never interrupted. */
    setLimit(limit: number): void;
  };
  /** n8n answers 400 with its message. */
  BadRequestError: new (message: string) => Error;
  /** A node that throws it fails with its message; n8n does not report it as a fault of its own. */
  UserError: new (message: string) => Error;
  nodesConfig: { pythonEnabled: boolean };
  countRunningExecutions(): number;
  /** Executions that began before this time and still run. n8n keeps waiting ones in memory as well. */
  countRunningSince(since: Date): number;
  /** Whether any execution runs now. n8n keeps waiting ones in memory as well. */
  isExecuting(): boolean;
  /** Whether any active workflow waits in memory for its schedule, its poller or its own connection, or is still being activated. */
  hasTriggersInMemory(): boolean;
  /** Executions that have begun or are queued, and do not wait for a time or a call. */
  countStarted(): Promise<number>;
  /** When the next waiting execution resumes; null: none waits. */
  nextResumption(): Promise<Date | null>;
  /** On n8n's own connection to its database. */
  query(sql: string): Promise<unknown>;
  /** The newest hundred. */
  listCrashed(): Promise<CrashedExecution[]>;
  /** Successful executions that count, by n8n's own statistics, since its database was created. */
  countSucceeded(): Promise<number>;
  /** Executions that have begun and not ended, including waiting ones. */
  countUnfinished(): Promise<number>;
}

/** Finds n8n's services in its container. Throws if this version has different ones. */
export function findInternals(): Internals {
  const require = createRequire(process.argv[1]!);
  const { Container } = require("@n8n/di") as { Container: { get<Service>(type: unknown): Service } };
  const get = <Service,>(path: string, name: string): Service => Container.get<Service>((require(path) as Record<string, unknown>)[name]);
  const executionRows = get<Repository<CrashedExecution> & { deleteByIds(ids: readonly string[]): Promise<unknown> }>(
    "@n8n/db",
    "ExecutionRepository",
  );
  const webhookRows = get<{ findWebhook(method: string, path: string): Promise<{ workflowId: string } | null> }>(
    "../dist/webhooks/webhook.service",
    "WebhookService",
  );
  const executionService = get<{
    createErrorExecution(error: Error, node: object, row: object, workflow: { id: string }, mode: string): Promise<void>;
  }>("../dist/executions/execution.service", "ExecutionService");
  const statistics = get<Repository<{ rootCount: number }>>("@n8n/db", "WorkflowStatisticsRepository");
  const nodeTypes = get<{ getByNameAndVersion(type: string, version: number): { description?: { group?: string[] } } }>(
    "../dist/node-types",
    "NodeTypes",
  );
  const config = get<Config>("@n8n/config", "GlobalConfig");
  const license = get<{ clear(): Promise<void> }>("../dist/license", "License");
  const mailing = [
    get<{ mailer?: unknown }>("../dist/controllers/password-reset.controller", "PasswordResetController"),
    get<{ mailer?: unknown }>("../dist/services/user.service", "UserService"),
  ];
  const activations = get<{ allActiveInMemory(): string[]; queuedActivations: Record<string, unknown>; isActivationInProgress: boolean }>(
    "../dist/active-workflow-manager",
    "ActiveWorkflowManager",
  );
  if (typeof activations.allActiveInMemory !== "function" || typeof activations.queuedActivations !== "object")
    throw new Error("n8n keeps its triggers elsewhere in this version");
  const executions = get<{ getActiveExecutions(): { status: string; startedAt: Date }[] }>("../dist/active-executions", "ActiveExecutions");
  const countIn = (states: readonly string[]): Promise<number> =>
    Promise.all(states.map((status) => executionRows.count({ where: { status } }))).then((counts) =>
      counts.reduce((sum, each) => sum + each, 0),
    );
  return {
    version: (require("../package.json") as { version: string }).version,
    editorFolder: dirname(require.resolve("n8n-editor-ui/package.json")),
    auth: get("../dist/auth/auth.service", "AuthService"),
    ownership: get("../dist/services/ownership.service", "OwnershipService"),
    users: get("../dist/services/user.service", "UserService"),
    credentials: get("../dist/credentials/credentials.service", "CredentialsService"),
    license: {
      forgetKey: () => void (config.license.activationKey = ""),
      clear: () => license.clear(),
    },
    payloadMb: config.endpoints.payloadSizeMax,
    webhooks: {
      live: get("../dist/webhooks/live-webhooks", "LiveWebhooks"),
      find: (method, path) => webhookRows.findWebhook(method, path),
    },
    executions: {
      keepRefused: async ({ dbCollections }, workflowId, words) => {
        const row = (await dbCollections.Workflow.findOne({ where: { id: workflowId } })) as unknown as WorkflowRow | null;
        const node = row?.nodes.find(({ type, disabled }) => !disabled && /trigger|webhook/i.test(type));
        if (row && node) await executionService.createErrorExecution(quotaError(words), node, row, { id: workflowId }, "webhook");
      },
      forget: async (ids) => void (await executionRows.deleteByIds(ids)),
    },
    mailers: {
      replace: (mailer) => {
        for (const service of mailing) {
          if (service.mailer === undefined) throw new Error("n8n keeps its mailer elsewhere in this version");
          service.mailer = mailer;
        }
      },
    },
    productionQueue: findProductionQueue(
      get<{ queues: Map<string, ProductionQueue> }>("../dist/concurrency/concurrency-control.service", "ConcurrencyControlService"),
      config,
    ),
    nodeKinds: { isTrigger: (type, version) => isTriggerOf(nodeTypes, type, version) },
    UserError: (require("n8n-workflow") as { UserError: new (message: string) => Error }).UserError,
    nodesConfig: get("@n8n/config", "NodesConfig"),
    BadRequestError: (require("../dist/errors/response-errors/bad-request.error") as { BadRequestError: new (message: string) => Error })
      .BadRequestError,
    countRunningExecutions: () => executions.getActiveExecutions().length,
    countRunningSince: (since) =>
      executions.getActiveExecutions().filter(({ status, startedAt }) => status !== "waiting" && startedAt < since).length,
    isExecuting: () => executions.getActiveExecutions().some(({ status }) => status !== "waiting"),
    hasTriggersInMemory: () =>
      activations.isActivationInProgress ||
      activations.allActiveInMemory().length > 0 ||
      Object.keys(activations.queuedActivations).length > 0,
    countStarted: () => countIn(["new", "running"]),
    nextResumption: async () => {
      const [next] = await executionRows.find({
        select: ["id", "waitTill"],
        where: { status: "waiting" },
        order: { waitTill: "ASC" },
        take: 1,
      });
      return next?.waitTill ?? null;
    },
    query: (sql) => executionRows.query(sql),
    listCrashed: () =>
      executionRows.find({
        select: ["id", "mode", "startedAt", "workflowId"],
        where: { status: "crashed" },
        order: { id: "DESC" },
        take: 100,
      }),
    // Refused executions are among the failed ones there, and other names count other things.
    countSucceeded: async () =>
      (await statistics.find({ select: ["rootCount"], where: { name: "production_success" } })).reduce(
        (sum, { rootCount }) => sum + Number(rootCount),
        0,
      ),
    countUnfinished: () => countIn(["new", "running", "waiting"]),
  };
}

/** n8n's queue: `capacity` is the number of free places, below zero that of waiting executions. */
interface ProductionQueue {
  capacity: number;
  /** Gives a place back: the first that waits gets it. */
  dequeue(): void;
}

const noLimit = 100_000;

function findProductionQueue({ queues }: { queues: Map<string, ProductionQueue> }, { executions }: Config): Internals["productionQueue"] {
  const queue = queues?.get("production");
  if (typeof queue?.capacity !== "number" || typeof queue.dequeue !== "function")
    throw new Error("n8n limits its executions otherwise in this version");
  // Kept beside n8n's own setting, which has -1 for "no limit".
  let places = executions.concurrency.productionLimit;
  return {
    setLimit: (limit) => {
      const next = limit < 0 ? noLimit : Math.max(1, limit);
      // One by one: those that waited for the new places begin in their order.
      for (let more = next - places; more > 0; more -= 1) queue.dequeue();
      if (next < places) queue.capacity -= places - next;
      places = next;
      executions.concurrency.productionLimit = limit < 0 ? -1 : next;
    },
  };
}

function isTriggerOf(
  nodeTypes: { getByNameAndVersion(type: string, version: number): { description?: { group?: string[] } } },
  type: string,
  version: number,
): boolean {
  try {
    return nodeTypes.getByNameAndVersion(type, version).description?.group?.includes("trigger") ?? true;
  } catch {
    return true;
  }
}

/** The owner's row, which n8n creates at first boot without e-mail and password; undefined until they are set. */
export async function findOwner(context: HookContext): Promise<User | undefined> {
  const owner = await context.dbCollections.User.findOne({ where: { role: { slug: "global:owner" } }, relations: ["role"] });
  return owner?.password ? owner : undefined;
}
