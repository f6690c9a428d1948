/** A problem whose message is all that a user needs: printed alone, without a stack. */
export class Trouble extends Error {}

/** Runs a command's main function: its result is the exit code; Trouble is printed, with exit code 1. */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Trouble ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
