/** A problem that keeps the program from starting, and that an operator can understand and fix. */

/** `message` says what is wrong and what to do; the program prints it alone, without a stack, and exits with 1. */
export class StartTrouble extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartTrouble";
  }
}

/** The start was told to stop before it could finish: nothing is wrong. */
export class StartStopped extends Error {
  override readonly name = "StartStopped";
}
