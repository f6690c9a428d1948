/**
 * Input in this tab that was not saved yet: the drafts of ../use-draft.ts, and what a form holds in memory only. Signing out asks before
 * losing it, whichever page it is on (features/sessions/use-sign-out.ts).
 */
import { sessionValues } from "../browser/stored-value.ts";
import { knownUser, onSessionEnd, watchUser } from "../session/session.ts";

/** Every form with input that is kept until it is saved. */
export type InputForm = "profile" | "settings" | "variables" | "billing-details" | "invite" | "survey" | "apps" | "change-email";

/** The form and, at the end, the id of the user. `view`: where they are in a form, which is not input. */
export type DraftKey = `${InputForm | "view"}.${string}`;

const prefix = "slipway.draft.";

/** The user whose drafts are kept: the last known one, even after an interruption; null after signing out. */
let writerId: string | null = null;

/** Drafts as they are stored, by their key. A form that still has input when its user signs out writes nothing any more. */
export const storedDrafts = {
  read: (key: DraftKey) => sessionValues.read(prefix + key),
  write(key: DraftKey, text: string) {
    if (key.endsWith(`.${writerId}`)) sessionValues.write(prefix + key, text);
  },
  remove: (key: DraftKey) => sessionValues.remove(prefix + key),
};

const storedKeys = (): DraftKey[] =>
  sessionValues
    .keys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length) as DraftKey);

/** Removes everyone's drafts, except those of the user with this id if given. */
export function removeDrafts(keptUserId?: string): void {
  for (const key of storedKeys()) if (keptUserId === undefined || !key.endsWith(`.${keptUserId}`)) storedDrafts.remove(key);
}

onSessionEnd((how) => {
  if (how !== "signed-out") return;
  writerId = null;
  removeDrafts();
});
// A draft that outlived its session is found again only by the user who typed it, and is removed as soon as another one is known.
watchUser(() => {
  const id = knownUser()?.id;
  if (!id) return;
  writerId = id;
  removeDrafts(id);
});

const held = new Set<{ form: InputForm }>();

/** Counts the form's input in memory as unsaved, until the returned function is called. */
export function holdInput(form: InputForm): () => void {
  const one = { form };
  held.add(one);
  return () => void held.delete(one);
}

/** Forms with unsaved input: `stored` survives the end of the session in this tab, `held` does not. */
export interface UnsavedForms {
  stored: InputForm[];
  held: InputForm[];
}

/** Those of the signed-in user. */
export function unsavedForms(): UnsavedForms {
  const end = `.${knownUser()?.id}`;
  const forms = storedKeys().flatMap((key) => {
    const form = key.split(".")[0] as InputForm | "view";
    return form !== "view" && key.endsWith(end) ? [form] : [];
  });
  return { stored: [...new Set(forms)], held: [...new Set([...held].map(({ form }) => form))] };
}
