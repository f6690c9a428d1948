import { expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { helpTopic } from "./help-topic.ts";

type User = NonNullable<Parameters<typeof helpTopic>[0]>;
type Account = User["account"];

const halfWay = (next: Account["onboarding"]["next"]): Partial<Account> => ({ isSetup: false, onboarding: { next, steps: [] } });
const launched = (status: keyof typeof instanceStatus | null, billing: Account["billing"] = null): Partial<Account> => ({
  isSetup: true,
  billing,
  onboarding: { next: null, steps: [] },
  instance: status ? buildInstance({ status: instanceStatus[status] }) : null,
});
const person = (account: Partial<Account>): User => ({
  id: "1",
  email: "ada@example.com",
  fullName: "Ada",
  profile: { language: null, timezone: null, mutedMails: [], revision: "1" },
  username: "ada",
  confirmed: true,
  hasPassword: true,
  account: {
    name: "ada",
    isSetup: false,
    taxInclusive: false,
    billing: null,
    planSpec: null,
    instance: null,
    lastBackup: null,
    onboarding: { next: null, steps: [] },
    isFirstDay: false,
    firstDays: null,
    suspension: null,
    closing: null,
    templateId: null,
    ...account,
  },
});
const billing = (status: "past_due" | "paused") => ({ status, planId: "pro-1", updateUrl: null, cancelAt: null, isArranged: false });

test.each([
  ["signed out", null, true, { topic: "signedOut", to: "/register" }],
  ["survey next", person(halfWay("survey")), true, { topic: "onTheWay", step: "survey", to: "/account/survey" }],
  ["email next", person(halfWay("verify")), true, { topic: "onTheWay", step: "verify", to: "/verify-email" }],
  ["email next, operations off", person(halfWay("verify")), false, { topic: "onTheWay", step: "verify", to: "/verify-email" }],
  ["setup next", person(halfWay("setup")), true, { topic: "onTheWay", step: "setup", to: "/account/setup" }],
  ["setup next, operations off", person(halfWay("setup")), false, { topic: "operationsOff" }],
  ["online", person(launched("online")), true, { topic: "online", to: "/manage" }],
  ["online, operations off", person(launched("online")), false, { topic: "online", to: "/manage" }],
  ["offline", person(launched("offline")), true, { topic: "offline", to: "/manage" }],
  ["offline, operations off", person(launched("offline")), false, { topic: "operationsOff" }],
  ["pending", person(launched("pending")), true, { topic: "pending", to: "/account/launching" }],
  ["asked for, not there yet", person(launched(null)), true, { topic: "pending", to: "/account/launching" }],
  ["stopped", person(launched("stopped")), true, { topic: "stopped", to: "/manage" }],
  ["stopped because paused", person(launched("stopped", billing("paused"))), true, { topic: "paused", to: "/manage/billing" }],
  ["past due", person(launched("online", billing("past_due"))), true, { topic: "pastDue", to: "/manage/billing" }],
] as const)("with %s the help page says first what matters then", (_what, user, instanceOperations, topic) => {
  expect(helpTopic(user, instanceOperations)).toEqual(topic);
});
