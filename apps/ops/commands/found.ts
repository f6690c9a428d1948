import { foundWords, listFound, noteRestored, settleFound } from "#domain/workspaces/hosts/found-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { ageBeat } from "#domain/memory-gap/memory-gap-store.ts";
import { listHosts } from "#domain/workspaces/hosts/host-store.ts";
import { CommandRefused, type Command } from "../command.ts";

const choices = {
  "keep-host": "host",
  "keep-row": "row",
  done: "listed",
} as const;

/** What a restored database does not explain. */
export const found: Command = {
  name: "found",
  options: {
    "keep-host": {
      type: "string",
      summary: "the workspace with this id is right as its host has it: it runs with that, also if it was deleted",
    },
    "keep-row": {
      type: "string",
      summary:
        "the database is right about the workspace with this id: what the host has is ended, replaced or removed as the database says",
    },
    done: { type: "string", summary: "takes the workspace with this id off the list, after you have dealt with it on its host" },
    "restored-otherwise": {
      type: "boolean",
      summary: "the database was restored by another tool than restore-control-plane; before the service starts",
    },
  },
  summary: "List workspaces that hosts have and a restored database does not explain, which are kept as they are; or decide about one",
  async run({ db, clock, operator, reason, print }, { options }) {
    if (options["restored-otherwise"] === true) {
      if ((await listHosts(db)).some(({ isHeard }) => isHeard)) throw new CommandRefused("Nothing was changed. Stop the service first.");
      await db.transaction(async (tx) => {
        await ageBeat(tx);
        await noteRestored(tx, clock.now());
      });
      return print("Noted. Start the service: each host compares what it has with the database, and keeps what that does not explain.");
    }
    const chosen = Object.entries(choices).filter(([option]) => options[option] !== undefined);
    if (chosen.length > 1) throw new CommandRefused("--keep-host, --keep-row and --done are used one at a time.");
    const list = await listFound(db);
    const [choice] = chosen;
    if (!choice) {
      for (const { id, host, accountName, isRunning, reason: why } of list)
        print(`${id}  ${host}  ${isRunning ? "runs" : "does not run"}  ${accountName ?? "no account"}: ${foundWords[why]}`);
      return print(
        list.length === 0
          ? "Nothing waits for a decision."
          : "They are kept as they are. Decide about each: docs/runbooks/move-the-control-plane.md",
      );
    }
    const [option, right] = choice;
    const it = list.filter(({ id }) => id === String(options[option]).toLowerCase());
    if (it.length === 0) throw new CommandRefused("No workspace with this id waits for a decision.");
    if (!reason) throw new CommandRefused('Say why, for the audit log: --reason "ticket 7".');
    if ((it[0]!.accountName === null) !== (right === "listed"))
      throw new CommandRefused(
        right === "listed"
          ? "It has an account: choose --keep-host or --keep-row."
          : "No account of this database has it: it can only be taken off the list, with --done.",
      );
    if (right === "host" && it.length > 1)
      throw new CommandRefused(
        `It is on several hosts (${it.map(({ host }) => host).join(", ")}). Stop it on the wrong ones, and choose --keep-row.`,
      );
    await db.transaction(async (tx) => {
      for (const each of it) await settleFound(tx, each, right, clock.now());
      const after = { workspaceId: it[0]!.id, right, operator, reason };
      await writeAudit(tx, { accountId: null, userId: null, action: "workspace.found-settled", after }, clock.now());
    });
    print(right === "listed" ? "It is off the list, and stays as it is." : "Its worker continues with it.");
  },
};
