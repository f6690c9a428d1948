/** Switches mails on and off: shown before it is saved, and saved one change after the other. */
import type { OptionalMail } from "#contract/accounts/account-values.ts";
import type { User } from "#contract/accounts/account.ts";
import { ApiError, hasCode } from "../../lib/api/api-error.ts";

interface MailSwitchParts {
  known: () => User | null | undefined;
  /** Shows this user. */
  update: (user: User) => void;
  /** Refused (changed_elsewhere) if the service's profile has another revision. */
  save: (mutedMails: OptionalMail[], revision: string) => Promise<User>;
  /** The user as the service has them now. */
  read: () => Promise<User | null>;
}

/** The switches of one person, kept apart from those of the next one who signs in here. */
interface Switching {
  lastSave: Promise<unknown>;
  unsaved: number;
  /** The user as the service last had them. */
  saved: User;
  /** By mail: its newest switch that is not saved yet. */
  newest: Map<OptionalMail, { isOn: boolean }>;
}

/**
 * The returned function switches one mail, and rejects if the service refused; a refused switch is shown as the service has it. A save
 * contains the whole list, so of two simultaneous saves either could win: each waits for the one before it, and sends the list as it is by
 * then. If another tab has changed the profile, the switches are applied to what the service has now.
 */
export function createMailSwitch({ known, update, save, read }: MailSwitchParts): (mail: OptionalMail, isOn: boolean) => Promise<void> {
  let current: Switching | undefined;

  return async (mail, isOn) => {
    const user = known();
    if (!user) return;
    const isTheirs = () => known()?.id === user.id;
    if (!current || current.saved.id !== user.id) current = { lastSave: Promise.resolve(), unsaved: 0, saved: user, newest: new Map() };
    const own = current;
    if (own.unsaved === 0) {
      own.saved = user;
      own.newest.clear();
    }
    const wish = { isOn };
    own.newest.set(mail, wish);
    const show = (from: User | null | undefined, switches: Iterable<readonly [OptionalMail, { isOn: boolean }]>): void => {
      if (from && isTheirs()) update({ ...from, profile: { ...from.profile, mutedMails: switched(from.profile.mutedMails, switches) } });
    };
    show(user, [[mail, wish]]);
    own.unsaved += 1;

    const saveOver = async (): Promise<User> => {
      const shown = isTheirs() ? known() : null;
      // Nothing is saved, and the outcome does not concern the next user.
      if (!shown) throw new ApiError("signed_out", 401);
      try {
        return await save(shown.profile.mutedMails, own.saved.profile.revision);
      } catch (error) {
        const now = hasCode(error, "changed_elsewhere") ? await read() : null;
        if (!now || now.id !== user.id || !isTheirs()) throw error;
        own.saved = now;
        show(now, own.newest);
        return save(switched(now.profile.mutedMails, own.newest), now.profile.revision);
      }
    };
    const saving = own.lastSave.then(async () => {
      own.saved = await saveOver();
      return own.saved;
    });
    own.lastSave = saving.catch(() => null);
    try {
      const answer = await saving;
      // An older answer would undo switches made meanwhile.
      if (own.unsaved === 1) update(answer);
    } catch (error) {
      // A later switch of the same mail takes precedence.
      if (own.newest.get(mail) === wish) {
        own.newest.delete(mail);
        show(known(), [[mail, { isOn: !own.saved.profile.mutedMails.includes(mail) }]]);
      }
      throw error;
    } finally {
      own.unsaved -= 1;
    }
  };
}

function switched(muted: readonly OptionalMail[], switches: Iterable<readonly [OptionalMail, { isOn: boolean }]>): OptionalMail[] {
  const set = new Set(muted);
  for (const [mail, { isOn }] of switches) {
    if (isOn) set.delete(mail);
    else set.add(mail);
  }
  return [...set];
}
