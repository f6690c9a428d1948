import { readCustomerFacts } from "#domain/journeys/assist-customer/customer-facts.ts";
import { acceptFiles, giveMemory, restartForCustomer } from "#domain/journeys/assist-customer/assist-workspace.ts";
import { nextSteps, stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { AppError } from "#platform/app-error.ts";
import { accountOf, noAccount } from "../account-of.ts";
import { CommandRefused, type Command, type CommandInput } from "../command.ts";
import { workspaceLines } from "./show.ts";

const usualEvents = 8;
const mostEvents = 500;

/** Less does not start a tool, and more is no workspace. */
const memoryRange = { least: 256, most: 65_536 } as const;

/** Shows why a workspace is in its state, and restarts it or gives it memory. */
export const workspace: Command = {
  name: "workspace",
  parameters: ["email or account name"],
  options: {
    events: { type: "string", summary: `how many of its last events are shown, up to ${mostEvents}; ${usualEvents} by default` },
    restart: { type: "boolean", summary: "start it again now, whatever pause its failures have led to" },
    memory: { type: "string", summary: "give it this much memory in MB, until the plan changes, and start it again" },
    "files-are-back": { type: "boolean", summary: "its files, which were missing, are in place again: start it with them" },
  },
  summary: "Show why this customer's workspace is in its state, with its last events; or restart it, or give it memory",
  async run(context, { arguments: [login = ""], options }) {
    const { db, clock, config, operator, reason, print } = context;
    const facts = await readCustomerFacts(db, await accountOf(context, login));
    if (!facts) throw noAccount(login);
    if (!facts.workspace) throw new CommandRefused(`${facts.account.name} has no workspace.`);
    const account = { accountId: facts.account.id, accountName: facts.account.name };
    const by = { operator, reason };
    const act = readAct(options);
    try {
      if (act?.kind === "restart")
        return print(
          (await restartForCustomer({ db, clock }, account, by))
            ? "It is being restarted."
            : "A restart requested moments ago is still under way.",
        );
      if (act?.kind === "files") {
        if (await acceptFiles({ db, clock }, account, by)) return print("It starts with the files that are there.");
        throw new CommandRefused("It is not waiting for its files.");
      }
      if (act?.kind === "memory") return print(memoryWords[await giveMemory({ db, clock }, account, by, act.memoryMb)](act.memoryMb));
    } catch (error) {
      if (error instanceof AppError) throw new CommandRefused(error.message);
      throw error;
    }
    const now = clock.now();
    for (const line of workspaceLines(facts.workspace, workspaceUrl(config.publicUrl, facts.account.name), now)) print(line);
    for (const { at, event, message, detail } of await readJournal(db, facts.workspace.id, { most: readEvents(options["events"]) })) {
      print(`${stamp(at)}  ${event}  ${message}`);
      // A detail may be a program's output; its end says why it stopped.
      for (const line of (detail ?? "").trim().split("\n").slice(-5)) if (line.trim()) print(`    ${line.slice(0, 200)}`);
    }
    for (const step of nextSteps(facts, now)) print(step);
  },
};

const memoryWords = {
  restarting: (memoryMb: number) => `It is being restarted with ${memoryMb} MB. The next change of plan replaces that.`,
  "next-start": (memoryMb: number) => `It gets ${memoryMb} MB at its next start: a restart requested moments ago is still under way.`,
  same: (memoryMb: number) => `It has ${memoryMb} MB already.`,
};

function readEvents(typed: string | boolean | undefined): number {
  const events = Number(typed ?? usualEvents);
  if (!Number.isInteger(events) || events < 1 || events > mostEvents) throw new CommandRefused(`--events must be from 1 to ${mostEvents}.`);
  return events;
}

type Act = { kind: "restart" } | { kind: "files" } | { kind: "memory"; memoryMb: number };

/** One thing at a time: each of them restarts the workspace. */
function readAct({ restart, memory, "files-are-back": filesAreBack }: CommandInput["options"]): Act | null {
  const acts: Act[] = [];
  if (restart === true) acts.push({ kind: "restart" });
  if (filesAreBack === true) acts.push({ kind: "files" });
  if (typeof memory === "string") {
    const memoryMb = Number(memory);
    const { least, most } = memoryRange;
    if (!Number.isInteger(memoryMb) || memoryMb < least || memoryMb > most)
      throw new CommandRefused(`--memory must be a number of MB from ${least} to ${most}.`);
    acts.push({ kind: "memory", memoryMb });
  }
  if (acts.length > 1) throw new CommandRefused("--restart, --memory and --files-are-back are used one at a time.");
  return acts[0] ?? null;
}
