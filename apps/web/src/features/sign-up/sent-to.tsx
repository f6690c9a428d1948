import { t } from "./registration/words.ts";

/** The address that an email went to, set off so that a typo is seen, and the way to correct it. */
export function SentTo({ email, onChange, className = "mt-4" }: { email: string; onChange: () => void; className?: string }) {
  return (
    <p
      className={`flex flex-wrap items-center justify-between gap-x-4 gap-y-0.5 rounded-lg border border-line bg-sunken px-3.5 py-2.5 ${className}`}
    >
      <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{email}</span>
      <button type="button" onClick={onChange} className="link min-h-6 text-sm">
        {t("verify.changeAddress")}
      </button>
    </p>
  );
}
