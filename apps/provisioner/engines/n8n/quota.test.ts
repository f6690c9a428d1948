import { expect, test } from "vitest";
import type { KnownPlan, Plan } from "../workspace-side/known-plan.mts";
import type { UsageStore } from "../workspace-side/usage-store.mts";
import type { HookContext, Internals } from "./workspace-side/internals.mts";
import { createQuota } from "./workspace-side/quota/quota.mts";
import type { WorkflowCounts } from "./workspace-side/quota/workflow-counts.mts";

class BadRequestError extends Error {}

/** n8n's users, with invitations that take a moment to be saved. */
function fakeUsers(limit: number) {
  const people = [{ id: "0", email: "owner@example.com" }];
  const users = {
    inviteUser: async (_inviter: unknown, invitations: { email: string }[]) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      people.push(...invitations.map(({ email }) => ({ id: email, email })));
      return [];
    },
  };
  const known = {
    displayName: "Trial",
    limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: limit },
    changePlanPath: "/account/change-plan",
  } as unknown as Plan;
  const plan = { read: () => known } as unknown as KnownPlan;
  const quota = createQuota({
    plan,
    usage: {} as UsageStore,
    workflows: {} as WorkflowCounts,
    panelUrl: "http://panel",
    linkTo: (path) => path,
    now: () => new Date(),
  });
  const context = { dbCollections: { User: { find: async () => [...people] } } } as unknown as HookContext;
  quota.guardInvitations(context, { users, BadRequestError } as unknown as Internals);
  return { people, invite: (email: string) => users.inviteUser({}, [{ email }]) };
}

test("simultaneous invitations do not exceed the plan's number of people", async () => {
  const { people, invite } = fakeUsers(3);
  const outcomes = await Promise.allSettled(["a", "b", "c", "d"].map((name) => invite(`${name}@example.com`)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  expect(people).toHaveLength(3);
  // A person who is already there may be invited again.
  await expect(invite("a@example.com")).resolves.toEqual([]);
});
