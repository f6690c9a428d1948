/** Runs the steps of one command in order, each with a line that says what happened and how long it took. */

/** A step cannot go on. Its message says what to do; it is printed alone. */
export class StepStopped extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StepStopped";
  }
}

export interface Step {
  /** What it does, in a few words. */
  title: string;
  /** Why there is nothing to do, as a sentence; null if there is. Looks at what is there, so that a run continues one that was interrupted. */
  settled(): Promise<string | null>;
  /** What it would do, as a sentence, for a dry run. */
  plan(): Promise<string>;
  /** Does it, and returns what there is to say about it, as a sentence. Throws StepStopped. */
  act(): Promise<string>;
}

interface Run {
  isDry: boolean;
  print(line: string): void;
  /** Milliseconds since any moment. */
  nowMs(): number;
}

/** Stops at the first step that fails. False: one did. Rejects with what a step throws besides StepStopped. */
export async function runSteps(steps: readonly Step[], { isDry, print, nowMs }: Run): Promise<boolean> {
  const startedAtMs = nowMs();
  for (const [at, step] of steps.entries()) {
    const name = `${at + 1}/${steps.length} ${step.title}`;
    const stepAtMs = nowMs();
    try {
      const settled = await step.settled();
      if (settled !== null) print(`${name}: nothing to do. ${settled}`);
      else if (isDry) print(`${name}: ${await step.plan()}`);
      else {
        print(`${name} …`);
        const what = await step.act();
        print(`${name}: done in ${describeDuration(nowMs() - stepAtMs)}. ${what}`);
      }
    } catch (error) {
      if (!(error instanceof StepStopped)) throw error;
      print(`${name}: stopped after ${describeDuration(nowMs() - stepAtMs)}. ${error.message}`);
      return false;
    }
  }
  print(isDry ? "Nothing was changed." : `All steps took ${describeDuration(nowMs() - startedAtMs)}.`);
  return true;
}

/** `8 s`, or `12 min 5 s` from a minute on. */
export function describeDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
