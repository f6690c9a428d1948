/** The addresses being collected: typed, pasted, corrected, sent. A refusal never loses what was entered. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { useAction } from "../../lib/use-action.ts";
import { t } from "./words.ts";
import { checkAddress, checkCount, type Address } from "./check-addresses.ts";
import { invitationsQuery } from "./invitations-query.ts";
import { endsAddress, splitAddresses } from "./split-addresses.ts";

/** The message for pages that do not show the outcome themselves. */
export const sayInvited = (count: number): void => notify("success", t("invitations.saved", { count }));

/** `onSaved` runs once the people are stored; `focus` puts the cursor into the address field. */
export function useInviteForm(onSaved: (count: number) => Promise<void>, focus: () => void) {
  const queries = useQueryClient();
  const { data } = useQuery(invitationsQuery);
  const user = useMaybeUser();
  const ownEmail = user?.email ?? "";
  const [emails, setEmails] = useDraft<readonly string[]>(`invite.addresses.${user?.id}`, []);
  // Becomes a chip on Enter, a separator or submit, never on leaving the field: the button would move away under the click.
  const [draft, setDraft] = useDraft<string>(`invite.text.${user?.id}`, "");
  const [listProblem, setListProblem] = useState<string>();
  /** The API's problem with an address, which cannot be detected here. */
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>({});

  const invited = data?.invitations ?? [];
  const addresses: Address[] = emails.map((email) => {
    const address = checkAddress(email, ownEmail, invited);
    return address.problem ? address : { email, problem: refusals[email] };
  });
  const room = data && data.usersLimit >= 0 ? data.usersLimit - 1 - invited.length : Infinity;

  /** Adds what was typed or pasted to the list; returns the new list. */
  const take = (text: string): readonly string[] => {
    const all = [...new Set([...emails, ...splitAddresses(text)])];
    setEmails(all);
    setDraft("");
    setListProblem(undefined);
    return all;
  };

  const save = useAction(async (all: readonly string[]) => {
    try {
      await callApi("inviteMembers", { body: { emails: [...all] } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "validation_failed") throw error;
      // Known only now: the list shown here was older than the server's.
      void queries.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      setRefusals(Object.fromEntries(error.fields.map(({ path, code }) => [all[Number(path.split(".")[1])] ?? "", fieldMessage(code)])));
      const ofList = error.fields.find(({ path }) => path === "emails");
      setListProblem(ofList && fieldMessage(ofList.code));
      focus();
      return;
    }
    // Others may have been added meanwhile.
    setEmails((now) => now.filter((email) => !all.includes(email)));
    setRefusals({});
    await queries.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    await onSaved(all.length);
  });

  const submit = async () => {
    const all = take(draft);
    const problem = checkCount(all.length);
    setListProblem(problem);
    const isFine =
      !problem && all.length <= room && all.every((email) => !checkAddress(email, ownEmail, invited).problem && !refusals[email]);
    if (isFine) await save.run(all);
    else focus();
  };

  return {
    addresses,
    draft,
    listProblem,
    save,
    submit,
    take,
    room,
    usersLimit: data?.usersLimit ?? -1,
    excess: Math.max(0, emails.length - room),
    type: (text: string) => (endsAddress(text) ? void take(text) : setDraft(text)),
    remove: (email: string) => {
      setEmails(emails.filter((other) => other !== email));
      focus();
    },
    edit: (email: string) => {
      setEmails([...new Set([...emails.filter((other) => other !== email), ...splitAddresses(draft)])]);
      setDraft(email);
      focus();
    },
  };
}

export type InviteForm = ReturnType<typeof useInviteForm>;
