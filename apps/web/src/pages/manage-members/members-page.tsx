import { useQueryClient } from "@tanstack/react-query";
import { InvitationList } from "../../features/invitations/invitation-list.tsx";
import { InviteForm } from "../../features/invitations/invite-form.tsx";
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
    <div className="max-w-3xl space-y-5">
      <div>
        <h1 className="text-2xl font-semibold">{t("manageArea.members.title")}</h1>
        <p className="mt-1 text-ink-soft">{t("manageArea.members.lead")}</p>
      </div>
      <MemberList />
      <Section title={t("manageArea.members.invite")}>
        <InviteForm onSaved={reload} isStep={false} beside={null} />
      </Section>
      <InvitationList />
    </div>
  );
}
