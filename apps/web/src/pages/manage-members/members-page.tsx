import { InvitationList } from "../../features/invitations/invitation-list.tsx";
import { InviteForm } from "../../features/invitations/invite-form.tsx";
import { Card } from "../../ui/card.tsx";
import "../../words/add-manage-words.ts";
import { t } from "../../words/words.ts";

/** The people of the workspace, those who are asked in, and the way to ask more. */
export function Component() {
  return (
    <div className="max-w-3xl space-y-5">
      <h1 className="text-2xl font-semibold">{t("manageArea.members.title")}</h1>
      <Card label={t("manageArea.members.invite")} className="p-5 sm:p-6">
        <h2 className="mb-4 text-lg font-semibold">{t("manageArea.members.invite")}</h2>
        <InviteForm onSaved={() => Promise.resolve()} isStep={false} beside={null} />
      </Card>
      <InvitationList />
    </div>
  );
}
