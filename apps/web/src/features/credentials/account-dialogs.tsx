import type { User } from "#contract/accounts/account.ts";
import { ChangeEmailDialog } from "./email-change/change-email-dialog.tsx";
import { ChangePasswordDialog } from "./change-password-dialog.tsx";

/** The dialogs of the account menu; a separate chunk, since most visits open none. */
export default function AccountDialogs({ open, user, onClose }: { open: string; user: User; onClose: () => void }) {
  if (open === "change-email") return <ChangeEmailDialog user={user} onClose={onClose} />;
  return open === "change-password" ? <ChangePasswordDialog user={user} onClose={onClose} /> : null;
}
