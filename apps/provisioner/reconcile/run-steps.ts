/** The steps that start a workspace, in order. Each looks at the current state, not at what an earlier pass remembers. */
import { finishUpdate } from "../updates/end-update.ts";
import { keepWhileInstalling } from "../updates/keep-while-installing.ts";
import { updateVersion } from "../updates/update-version.ts";
import type { Step } from "./step.ts";
import { finishExecutions } from "./steps/finish-executions.ts";
import { installEngine } from "./steps/install-engine.ts";
import { leaveHost } from "./steps/leave-host.ts";
import { noticeDeath } from "./steps/notice-death.ts";
import { noticeMissingFiles } from "./steps/notice-missing-files.ts";
import { markOnline, openGateway } from "./steps/open-gateway.ts";
import { finishRestore, restoreBackup } from "./steps/restore-backup.ts";
import { start } from "./steps/start.ts";
import { pageOutIdle } from "./steps/page-out.ts";
import { arrive } from "./steps/arrive.ts";
import { claimBlank } from "./steps/claim-blank.ts";
import { fallAsleep } from "./steps/sleep/fall-asleep.ts";
import { wakeUp } from "./steps/sleep/wake-up.ts";
import { noticeReadOnly, waitUntilReady } from "./steps/wait-until-ready.ts";
import { inviteMembers } from "./steps/tool/invite-members.ts";
import { passOwner, setUpOwner } from "./steps/tool/pass-owner.ts";
import { passPlan } from "./steps/tool/pass-plan.ts";
import { passProfile } from "./steps/tool/pass-profile.ts";
import { passVariables } from "./steps/tool/pass-variables.ts";

export const runSteps: readonly Step[] = [
  claimBlank,
  leaveHost,
  wakeUp,
  keepWhileInstalling,
  installEngine,
  arrive,
  finishExecutions,
  updateVersion,
  restoreBackup,
  noticeMissingFiles,
  noticeDeath,
  noticeReadOnly,
  start,
  waitUntilReady,
  setUpOwner,
  passOwner,
  passPlan,
  passVariables,
  openGateway,
  markOnline,
  finishUpdate,
  finishRestore,
  passProfile,
  inviteMembers,
  fallAsleep,
  pageOutIdle,
];
