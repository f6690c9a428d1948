/** A workspace that has run for days: measured, used, backed up, updated, with output and two members. For tests of how much fits on pages. */
import { say } from "#contract/sentences/say.ts";
import { workspaceOf, type Answers, type PanelState } from "./panel-answers.ts";
import type { PanelPerson } from "./serve-panel.ts";

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** This many minutes before the service's time. */
const ago = ({ now }: PanelState, minutes: number): string => new Date(now.getTime() - minutes * minuteMs).toISOString();
const id = (number: number): string => `019f0000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** Gives the owner such a workspace. */
export function liveIn(owner: PanelPerson): void {
  const { state } = owner;
  const history = Array.from({ length: 30 }, (_, day) => ({
    date: ago(state, (29 - day) * dayMinutes).slice(0, 10),
    executions: 40 + 7 * (day % 5),
    failed: day % 9 === 0 ? 3 : 0,
  }));
  state.usage = {
    executions: 612,
    activeWorkflows: 4,
    timeframe: { startsAt: ago(state, 2 * dayMinutes), endsAt: ago(state, -12 * dayMinutes) },
    limits: { executions: 1_000, activeWorkflows: 5 },
    history,
    workflows: [{ id: "orders", name: "Orders to the warehouse", executions: 512, failed: 14 }],
    countedAt: ago(state, 2),
  };
  Object.assign(owner.answers, livedInAnswers);
}

const livedInAnswers: Answers = {
  getInstanceJournal(_asked, state) {
    const engine = "n8n";
    const lines = [
      ["online", say("online"), null],
      ["started", say("started", { engine, version: "2.40.7" }), null],
      ["restart-requested", say("restartRequested"), state.user.fullName],
      ["out-of-memory", say("outOfMemory"), null],
      ["updated", say("updated", { engine, version: "2.40.7", before: "2.38.7" }), null],
      ["requested", say("requested"), state.user.fullName],
    ] as const;
    return {
      entries: lines.map(([event, message, by], index) => ({
        id: String(lines.length - index),
        at: ago(state, 4 + 190 * index),
        event,
        message,
        detail: event === "out-of-memory" ? "Killed process 4711 (node) total-vm:11534336kB" : null,
        by,
      })),
      next: null,
    };
  },
  getInstanceUpdate: (_asked, state) => ({ update: updateOf(state) }),
  getVersionHistory: (_asked, state) => ({
    updates: [updateOf(state)],
    next: null,
    launch: { version: "2.38.7", at: ago(state, 6 * dayMinutes) },
  }),
  getInstanceLogs: (_asked, state) => ({ text: output, readAt: ago(state, 0), isCurrent: true }),
  instanceOutput: (_asked, state) => ({ text: output, isWhole: true, isCut: false, readAt: ago(state, 0), isCurrent: true, isLive: true }),
  getInstanceMonitoring: (_asked, state) => ({
    from: ago(state, dayMinutes),
    to: ago(state, 0),
    ...limits,
    plannedMb: limits.limitMb,
    samples: Array.from({ length: 48 }, (_, index) => sampleOf(state, (47 - index) * 5)),
    marks: [
      { at: ago(state, 200), kind: "stop", message: say("outOfMemory") },
      { at: ago(state, 90), kind: "restart", message: say("restartRequested") },
      { at: ago(state, 60), kind: "backup", message: null },
    ],
  }),
  getInstanceWebhooks(_asked, state) {
    const point = { calls: 42, clientErrors: 3, failed: 1, waited: 2, medianMs: 120, p95Ms: 480 };
    const points = Array.from({ length: 12 }, (_, index) => ({ at: ago(state, (12 - index) * 15), ...point }));
    return { from: ago(state, dayMinutes), to: ago(state, 0), spanMinutes: 15, total: { ...point, calls: 504 }, points };
  },
  listCommunityNodes: (_asked, state) => ({
    isOffered: true,
    nodes: [{ name: "n8n-nodes-weather-of-yesterday", version: "1.4.2", isHeldBack: false }],
    askedAt: ago(state, 1),
    isCurrent: true,
  }),
  listMembers: (_asked, state) => ({
    members: [
      {
        id: "1",
        email: state.user.email,
        name: state.user.fullName,
        role: "owner",
        hasJoined: true,
        lastActiveOn: ago(state, 0).slice(0, 10),
      },
      { id: "2", email: "grace@example.com", name: null, role: "member", hasJoined: false, lastActiveOn: null },
    ],
    askedAt: ago(state, 1),
    isCurrent: true,
    usersLimit: -1,
  }),
  listInvitations: (_asked, state) => ({
    invitations: [
      {
        id: id(1),
        email: "grace@example.com",
        state: "sent",
        invitedAt: ago(state, 300),
        sentAt: ago(state, 299),
        acceptedAt: null,
        resendInSeconds: 0,
      },
    ],
    usersLimit: -1,
  }),
  hasBackups: () => undefined,
  listBackups: (_asked, state) => ({
    backups: (["manual", "nightly", "before-update"] as const).map((kind, index) => ({
      id: id(10 + index),
      kind,
      state: "successful",
      versionName: workspaceOf(state).versionName,
      createdAt: ago(state, 60 + 500 * index),
      finishedAt: ago(state, 59 + 500 * index),
      verifiedAt: ago(state, 58 + 500 * index),
      keptUntil: ago(state, -2 * dayMinutes),
      size: 1_834_112,
      workflows: 7,
      credentials: 3,
      executions: 612,
      leftOut: null,
      reason: null,
      isOfThisWorkspace: true,
      isRestorable: true,
    })),
    next: null,
    restore: null,
    exports: [
      {
        id: id(20),
        state: "ready",
        withCredentials: true,
        createdAt: ago(state, 30),
        finishedAt: ago(state, 29),
        keptUntil: ago(state, -7 * dayMinutes),
        size: 48_213,
        workflows: 7,
        credentials: 3,
        reason: null,
      },
    ],
    keptDays: 3,
    nextNightlyAt: ago(state, -600),
    hasExports: true,
    canBackUp: true,
    canExport: true,
    canRestore: true,
  }),
};

const limits = { limitMb: 1_024, cpuLimitPercent: 100, diskLimitMb: 5_120 };
const output = "Initializing n8n process\nn8n ready on ::, port 5678\nEditor is now accessible via:\nhttp://ada.localhost:3000\n";

const sampleOf = (state: PanelState, minutes: number) => ({
  at: ago(state, minutes),
  memoryMb: 610 + (minutes % 7) * 20,
  cpuPercent: 4 + (minutes % 11),
  diskMb: 320,
});

const updateOf = (state: PanelState) => ({
  fromVersion: "2.38.7",
  toVersion: "2.40.7",
  askedBy: "owner" as const,
  state: "successful" as const,
  isRollBack: false,
  reason: null,
  startedAt: ago(state, 800),
  finishedAt: ago(state, 798),
  canRollBackUntil: ago(state, -2 * dayMinutes),
});
