import { LogOut } from "lucide-react";
import { useSignOut } from "../../features/sessions/use-sign-out.ts";
import { t } from "../../words/frame.ts";

/** Signs out here and on the server. */
export function SignOutButton({ className }: { className?: string }) {
  const signOut = useSignOut();
  return (
    <button type="button" aria-disabled={signOut.pending || undefined} onClick={() => void signOut.run()} className={className}>
      <span className="flex items-center gap-2">
        <LogOut className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">{t("nav.signOut")}</span>
      </span>
    </button>
  );
}
