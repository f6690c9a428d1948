/** A pictured state as a user of the panel's stand-in for the API. */
import type { PanelPerson, PanelServer } from "#testing/panel/serve-panel.ts";
import { now, type PicturedState } from "./states.ts";

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

/** Signs in the owner of an account in this state, at the moment of every picture. */
export function signInPictured(panel: PanelServer, { account, confirmed, usage, restore, firstDays }: PicturedState): PanelPerson {
  const person = panel.signIn({
    now,
    usage,
    firstDays,
    user: { email: "ada@acme.example", username: "acme-works", confirmed, account },
  });
  Object.assign(person.state.config, { workspaceHost: "slipway.example", supportEmail: "support@slipway.example" });
  person.answers = {
    getWorkspaceUrl: () => ({ url: "https://acme-works.slipway.example" }),
    getInstanceWebhooks: () => {
      const total = { calls: usage?.activeWorkflows ? 1204 : 0, clientErrors: 9, failed: 2, waited: 0, medianMs: 120, p95Ms: 480 };
      return { from: minutesAgo(24 * 60), to: now.toISOString(), spanMinutes: 15, total, points: [] };
    },
    listBackups: () => ({
      backups: [],
      next: null,
      restore,
      exports: [],
      keptDays: 30,
      nextNightlyAt: minutesAgo(-9 * 60),
      hasExports: true,
      canBackUp: true,
      canExport: true,
      canRestore: true,
    }),
    getInstanceJournal: () => ({
      entries: [
        { id: "3", at: minutesAgo(4), event: "online", message: "Your workspace is now online.", detail: null, by: null },
        { id: "2", at: minutesAgo(6), event: "restart-asked", message: "A restart was requested.", detail: null, by: "Ada Lovelace" },
        {
          id: "1",
          at: minutesAgo(8 * 60),
          event: "backed-up",
          message: "The nightly backup was made and checked.",
          detail: null,
          by: null,
        },
      ],
      next: null,
    }),
  };
  return person;
}
