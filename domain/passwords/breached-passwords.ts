/** The port for checking passwords against known leaks. */
export interface BreachedPasswords {
  /** Whether the password is known from a leak; false also if the check cannot be made. Never throws and takes at most two seconds. */
  has(password: string): Promise<boolean>;
}

/** For operators without such a service. */
export const noBreachedPasswords: BreachedPasswords = { has: () => Promise.resolve(false) };
