import { useQueryClient } from "@tanstack/react-query";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import { InviteForm } from "../../features/invitations/invite-form.tsx";
import { sayInvited } from "../../features/invitations/use-invite-form.ts";
import { Place } from "../../ui/place.tsx";
import { MemberList } from "../../features/members/member-list.tsx";
import { membersQuery } from "../../features/members/members-query.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { Notice } from "../../ui/notices/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "../../features/members/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("manageArea.members.page") };

/**
 * The form that invites people, if the tool has users, and everyone who is in the workspace or was invited. The list is below, so it moves
 * nothing when it grows.
 */
export function Component() {
  const queries = useQueryClient();
  const { engine } = useFrontEndConfig();
  const reload = (count: number) => {
    sayInvited(count);
    return queries.invalidateQueries({ queryKey: membersQuery.queryKey });
  };
  return (
    <Place title={t("manageArea.members.title")} lead={t("manageArea.members.lead")}>
      {engineTraits[engine].members ? (
        <Section title={t("manageArea.members.invite")}>
          <InviteForm onSaved={reload}>
            {(fields, submit) => (
              <>
                {fields}
                <div className="mt-5">{submit}</div>
              </>
            )}
          </InviteForm>
        </Section>
      ) : (
        <Notice tone="info" title={t("manageArea.members.single")}>
          {t("manageArea.members.singleText")}
        </Notice>
      )}
      <MemberList />
    </Place>
  );
}
