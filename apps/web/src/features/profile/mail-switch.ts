/** Switches mails on and off: shown before it is saved, and saved one change after the other. */
import type { OptionalMail } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";

interface MailSwitchParts {
  known: () => User | null | undefined;
  /** Shows this user. */
  update: (user: User) => void;
  save: (mutedMails: OptionalMail[]) => Promise<User>;
}

/**
 * The returned function switches one mail, and rejects if the service refused it; what was refused is shown as the service has it. A save carries the
 * whole list, so of two at once either could come last: each waits for the one before it, and sends the list as it is by then.
 */
export function createMailSwitch({ known, update, save }: MailSwitchParts): (mail: OptionalMail, isOn: boolean) => Promise<void> {
  let lastSave: Promise<unknown> = Promise.resolve();
  let unsaved = 0;
  /** What the service has, while something is unsaved. */
  let saved: readonly OptionalMail[] = [];
  /** By mail: its newest switch. */
  const newest = new Map<OptionalMail, symbol>();

  const show = (mail: OptionalMail, isOn: boolean): void => {
    const user = known();
    if (!user) return;
    const others = user.profile.mutedMails.filter((muted) => muted !== mail);
    update({ ...user, profile: { ...user.profile, mutedMails: isOn ? others : [...others, mail] } });
  };

  return async (mail, isOn) => {
    if (unsaved === 0) saved = known()?.profile.mutedMails ?? [];
    const own = Symbol(mail);
    newest.set(mail, own);
    show(mail, isOn);
    unsaved += 1;
    const saving = lastSave.then(async () => {
      const user = known();
      const answer = user ? await save(user.profile.mutedMails) : null;
      saved = answer?.profile.mutedMails ?? saved;
      return answer;
    });
    lastSave = saving.catch(() => null);
    try {
      const answer = await saving;
      // An older answer would take back what was switched meanwhile.
      if (answer && unsaved === 1) update(answer);
    } catch (error) {
      // A later switch of the same mail decides for itself.
      if (newest.get(mail) === own) show(mail, !saved.includes(mail));
      throw error;
    } finally {
      unsaved -= 1;
    }
  };
}
