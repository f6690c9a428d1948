/** A problem whose message is all that a user needs: printed alone, without a stack. */
export class Trouble extends Error {}

/** Runs a command's main function: its result is the exit code; Trouble is printed, with exit code 1. */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    const sentence =
      error instanceof Trouble ? error.message : error.syscall?.startsWith("spawn") ? undefined : explainDisk(error.code, error.path);
    console.error(sentence ? `\n${sentence}` : error);
    process.exitCode = 1;
  }
}

/** What to do about an error of the disk that holds `path`, as a sentence; undefined if the code is not one of those. */
export function explainDisk(code, path = "this clone") {
  if (code === "ENOSPC" || code === "EDQUOT") return `The disk of ${path} is full. Make room and try again.`;
  if (code === "EROFS") return `The disk of ${path} is read-only. Use a clone on a disk that can be written to.`;
  if (code === "EACCES" || code === "EPERM")
    return `This user may not write to ${path} (${code}). Change its owner or permissions, or remove it, and try again.`;
  return undefined;
}

/** The disk's error that a program has printed among other things. */
export const diskErrorIn = (output) => /\b(ENOSPC|EDQUOT|EROFS|EACCES)\b/.exec(output)?.[1];
