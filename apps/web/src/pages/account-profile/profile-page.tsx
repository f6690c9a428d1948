import { useState, type FormEvent } from "react";
import { languages, type Language } from "#contract/accounts/language.ts";
import type { User } from "#contract/accounts/account.ts";
import { t } from "../../features/profile/words.ts";
import { guessTimezone, listTimezones, matchesTimezone, timezoneOffset } from "../../features/workspace/launch/timezones.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { changeLanguage, languageFor } from "../../lib/browser/language.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { updateUser, useMaybeUser } from "../../lib/session/session.ts";
import { notifyWithUndo } from "../../lib/undo-notice.ts";
import { useAction } from "../../lib/use-action.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Combobox } from "../../ui/form/combobox.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Place } from "../../ui/place.tsx";

export const handle: PageHandle = { title: () => t("own.profile.page") };

/** Stands for "as the browser has it" among the choices. */
const browsers = "browser";

/** Who the person is, and how the panel speaks to them. */
export function Component() {
  const user = useMaybeUser();
  if (!user) return null;
  return (
    <Place title={t("own.profile.title")} lead={t("own.profile.lead")}>
      <ProfileForm user={user} />
    </Place>
  );
}

function ProfileForm({ user }: { user: User }) {
  const [fullName, setFullName] = useState(user.fullName);
  // Until another is chosen here, the profile's: the footer and the palette change it too.
  const [chosen, setLanguage] = useState<Language | null>();
  const language = chosen === undefined ? user.profile.language : chosen;
  const [timezone, setTimezone] = useState(user.profile.timezone);
  const timezones = listTimezones();
  const change = async (body: Pick<User, "fullName"> & Pick<User["profile"], "language" | "timezone">) => {
    const { user: saved } = await callApi("changeProfile", { body });
    updateUser(saved);
    setFullName(saved.fullName);
    setTimezone(saved.profile.timezone);
    setLanguage(undefined);
    await changeLanguage(body.language ?? languageFor("", navigator.languages));
  };
  const save = useAction(async () => {
    const before = { fullName: user.fullName, language: user.profile.language, timezone: user.profile.timezone };
    await change({ fullName, language, timezone });
    notifyWithUndo(t("own.profile.saved"), { run: () => change(before) });
  });
  const refused = save.error instanceof ApiError ? save.error.fields.find(({ path }) => path === "fullName") : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run();
  };
  return (
    <Card label={t("own.profile.title")}>
      <form onSubmit={submit} noValidate className="space-y-5 p-5 sm:p-6">
        <div className="flex items-center gap-4">
          <Avatar name={fullName || user.fullName} className="size-14 text-lg" />
          <div className="min-w-0 text-sm">
            <p className="font-medium [overflow-wrap:anywhere]">{user.username}</p>
            <p className="[overflow-wrap:anywhere] text-ink-soft">{user.email}</p>
          </div>
        </div>
        <TextField
          label={t("own.profile.name")}
          hint={t("own.profile.nameHint")}
          value={fullName}
          autoComplete="name"
          onChange={({ target }) => setFullName(target.value)}
          error={refused ? fieldMessage(refused.code) : undefined}
        />
        <SelectField
          label={t("own.profile.language")}
          hint={t("own.profile.languageHint")}
          value={language ?? browsers}
          onChange={({ target }) => setLanguage(languages.find((known) => known === target.value) ?? null)}
          options={[
            { value: browsers, label: t("own.profile.languageBrowser") },
            ...languages.map((known) => ({ value: known, label: t(`language.${known}`) })),
          ]}
        />
        <Combobox
          label={t("own.profile.timezone")}
          hint={t("own.profile.timezoneHint")}
          items={[browsers, ...timezones]}
          value={timezone ?? browsers}
          onChange={(value) => setTimezone(value === browsers ? null : value)}
          matches={(item, query) => item === browsers || matchesTimezone(item, query)}
          nameOf={(item) => (item === browsers ? t("own.profile.timezoneBrowser") : item)}
          detail={(item) => timezoneOffset(item === browsers ? guessTimezone(timezones) : item, new Date())}
          placeholder={t("own.profile.timezoneBrowser")}
          searchLabel={t("own.profile.timezoneSearch")}
          emptyText={t("own.profile.timezoneNone")}
        />
        {save.error && !refused ? <ErrorNotice error={save.error} title={t("own.profile.failed")} /> : null}
        <Button type="submit" tone="primary" pending={save.pending} pendingText={t("own.profile.saving")} className="max-sm:w-full">
          {t("own.profile.save")}
        </Button>
      </form>
    </Card>
  );
}
