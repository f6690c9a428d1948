import { classNames } from "../../../ui/class-names.ts";
import { passwordStrength, type PasswordStrength } from "./password-strength.ts";
import { t } from "./strength-words.ts";

const bars: Record<PasswordStrength, { filled: number; color: string }> = {
  weak: { filled: 1, color: "bg-danger" },
  fair: { filled: 2, color: "bg-warning" },
  good: { filled: 3, color: "bg-accent" },
  strong: { filled: 4, color: "bg-success" },
};

/** How good a password is, in bars and in words. */
export function StrengthHint({ password }: { password: string }) {
  if (password === "") return t("strength.hint");
  const strength = passwordStrength(password);
  const { filled, color } = bars[strength];
  return (
    <span className="flex items-center gap-2.5">
      <span className="flex gap-1" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={classNames("h-1 w-4 rounded-full sm:w-6", bar <= filled ? color : "bg-line")} />
        ))}
      </span>
      <span aria-live="polite">{t("strength.level", { level: t(`strength.${strength}`) })}</span>
    </span>
  );
}
