import { useQueryClient } from "@tanstack/react-query";
import { InvitationList } from "../../features/invitations/invitation-list.tsx";
import { InviteForm } from "../../features/invitations/invite-form.tsx";
import { Place } from "../../ui/place.tsx";
import { MemberList, membersQuery } from "../../features/members/member-list.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "../../features/members/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("manageArea.members.page") };

/** The people of the workspace, those who are asked in, and the way to ask more. */
export function Component() {
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: membersQuery.queryKey });
  return (
    <Place title={t("manageArea.members.title")} lead={t("manageArea.members.lead")}>
      <MemberList />
      <Section title={t("manageArea.members.invite")}>
        <InviteForm onSaved={reload} isStep={false} beside={null} />
      </Section>
      <InvitationList />
    </Place>
  );
}
