export type PasswordStrength = "weak" | "fair" | "good" | "strong";

const levels: readonly PasswordStrength[] = ["weak", "weak", "fair", "good", "strong"];

/** 12 and 16 characters: where guessing a hashed password offline becomes slow, and then hopeless, for most alphabets. */
const lengthSteps = [8, 12, 16];

/** A hint, not a rule: longer is better, more kinds of characters is better, repetition is worthless. */
export function passwordStrength(password: string): PasswordStrength {
  const distinct = new Set(password).size;
  if (password.length < 8 || distinct < 5) return "weak";
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length;
  const score = lengthSteps.filter((length) => password.length >= length && distinct >= length / 2).length + (kinds >= 3 ? 1 : 0);
  return levels[Math.min(score, 4)] ?? "weak";
}
