/** Prints the addresses to the terminal once everything runs. */
import { hasDevelopmentInbox, isAllInOne, type Config } from "./settings/config.ts";

export function printAddresses(config: Config): void {
  const url = new URL(config.publicUrl);
  const lines = [
    ["Panel", config.publicUrl],
    ...(hasDevelopmentInbox(config) ? [["Development inbox", `${config.publicUrl}/dev/inbox`]] : []),
    ["Workspaces", `${url.protocol}//{account}.${url.host}`],
    ["Data", config.dataDir],
  ] as const;
  const width = Math.max(...lines.map(([name]) => name!.length));
  process.stdout.write(`\nSlipway is running.\n\n${lines.map(([name, value]) => `  ${name!.padEnd(width)}  ${value}`).join("\n")}\n\n`);
  const stops = isAllInOne(config) ? "everything, workspaces included" : "this process; workspaces keep running";
  process.stdout.write(`Press Ctrl-C to stop ${stops}.\n\n`);
}
