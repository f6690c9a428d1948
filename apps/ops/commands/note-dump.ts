import { noteDump as note } from "#domain/signals/dump-store.ts";
import type { Command } from "../command.ts";

/** The last line of the script that dumps the control plane's database: without it, the service cannot know that dumps are made. */
export const noteDump: Command = {
  name: "note-dump",
  summary: "Record that the service's own database was dumped just now, so that a missing dump raises an alert",
  async run({ db, clock, print }) {
    await note(db, clock.now());
    print("Recorded. If no dump follows within 36 hours, the alert SlipwayDumpLate fires.");
  },
};
