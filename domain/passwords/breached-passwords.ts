/** The port of what knows the passwords that leaked elsewhere: another service, or nobody. */
export interface BreachedPasswords {
  /** Whether the password is known from a leak; false also where nobody can tell now. Never throws, and ends within two seconds. */
  has(password: string): Promise<boolean>;
}

/** For operators who ask nobody. */
export const noBreachedPasswords: BreachedPasswords = { has: () => Promise.resolve(false) };
