import type { FormEvent } from "react";
import { languages } from "#contract/accounts/language.ts";
import type { User } from "#contract/accounts/account.ts";
import {
  changedElsewhere,
  profileChange,
  profileValues,
  undoOf,
  unsavedFields,
  type ProfileDraft,
} from "../../features/profile/profile-draft.ts";
import { useProfileDraft } from "../../features/profile/use-profile-draft.ts";
import { t } from "../../features/profile/words.ts";
import { guessTimezone, listTimezones, matchesTimezone, timeIn, timezoneOffset } from "../../features/workspace/launch/timezones.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError, hasCode } from "../../lib/api/api-error.ts";
import { Link } from "react-router";
import { changeLanguage, languageFor } from "../../lib/browser/language.ts";
import { useNow } from "../../lib/browser/use-now.ts";
import { LeaveGuard } from "../../lib/forms/leave-guard.tsx";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { paths } from "../../lib/paths.ts";
import { knownUser, refreshUser, updateUser, useMaybeUser } from "../../lib/session/session.ts";
import { notifyWithUndo } from "../../lib/notices/undo-notice.ts";
import { useAction } from "../../lib/use-action.ts";
import { Avatar } from "../../ui/marks/avatar.tsx";
import { Card } from "../../ui/card.tsx";
import { Combobox } from "../../ui/form/combobox.tsx";
import { SaveBar } from "../../ui/form/save-bar.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { ChangedElsewhere } from "../../ui/notices/changed-elsewhere.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Place } from "../../ui/place.tsx";

export const handle: PageHandle = { title: () => t("own.profile.page") };

/** Represents "the browser's setting" among the choices. */
const browsers = "browser";

/** The user's profile, and the panel's language and timezone. */
export function Component() {
  const user = useMaybeUser();
  if (!user) return null;
  return (
    <Place title={t("own.profile.title")} lead={t("own.profile.lead")}>
      <ProfileForm user={user} />
    </Place>
  );
}

/** The same user, as last known. */
const newestOf = (user: User): User => {
  const known = knownUser();
  return known?.id === user.id ? known : user;
};

function ProfileForm({ user }: { user: User }) {
  const { draft, enter, discard, keepMine, beginSave } = useProfileDraft(user);
  // Fields that were not edited here follow the profile: the footer and the palette change the language too.
  const { fullName, language, timezone } = { ...profileValues(user), ...draft?.values };
  const timezones = listTimezones();
  const nowMs = useNow(10_000);
  const browsersTimezone = guessTimezone(timezones);
  const browsersLanguage = languageFor("", navigator.languages);
  const languageName = t("own.profile.languageBrowser", { language: t(`language.${browsersLanguage}`) });
  const timezoneName = t("own.profile.timezoneBrowser", { timezone: browsersTimezone });
  const change = async (entered: ProfileDraft | null) => {
    const send = (over: User) => callApi("changeProfile", { body: profileChange(entered, over) });
    const { user: saved } = await send(newestOf(user)).catch(async (error: unknown) => {
      const newest = hasCode(error, "changed_elsewhere") ? await refreshUser() : null;
      if (newest?.id !== user.id || changedElsewhere(entered, newest).length > 0) throw error;
      // Only something else was changed.
      return send(newest);
    });
    updateUser(saved);
    await changeLanguage(saved.profile.language ?? browsersLanguage);
    return saved;
  };
  const save = useAction(async () => {
    const before = newestOf(user);
    const endSave = beginSave();
    try {
      const saved = await change(draft);
      endSave(saved);
      notifyWithUndo(t("own.profile.saved"), { run: () => change(undoOf(draft, before, saved)) });
    } catch (error) {
      endSave(null);
      // The notice below says so.
      if (hasCode(error, "changed_elsewhere") && changedElsewhere(draft, newestOf(user)).length > 0) return;
      throw error;
    }
  });
  // Except what is just being saved from here.
  const conflict = save.pending ? [] : changedElsewhere(draft, user);
  const valueTexts = {
    fullName: () => t("own.profile.current", { field: t("own.profile.name"), value: user.fullName }),
    language: () =>
      t("own.profile.current", {
        field: t("own.profile.language"),
        value: user.profile.language ? t(`language.${user.profile.language}`) : languageName,
      }),
    timezone: () =>
      t("own.profile.current", {
        field: t("own.profile.timezone"),
        value: user.profile.timezone ?? timezoneName,
      }),
  };
  const unsaved = unsavedFields(draft, user);
  const refused =
    save.error instanceof ApiError && unsaved.includes("fullName") ? save.error.fields.find(({ path }) => path === "fullName") : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run();
  };
  return (
    <Card label={t("own.profile.title")}>
      <form onSubmit={submit} noValidate>
        <div className="space-y-5 p-5 sm:p-6">
          <div className="flex items-center gap-4">
            <Avatar name={fullName || user.fullName} className="size-14 text-lg" />
            <div className="min-w-0 text-sm">
              <p className="line-clamp-2 font-medium [overflow-wrap:anywhere]">
                <bdi>{fullName || user.fullName}</bdi>
              </p>
              <p className="[overflow-wrap:anywhere] text-ink-soft">{t("own.profile.account", { account: user.username })}</p>
              <p className="flex flex-wrap gap-x-2 text-ink-soft">
                <span className="[overflow-wrap:anywhere]">{user.email}</span>
                <Link to={`${paths.security}?account=change-email`} className="link rounded-sm font-medium">
                  {t("own.profile.changeEmail")}
                </Link>
              </p>
            </div>
          </div>
          <TextField
            label={t("own.profile.name")}
            hint={t("own.profile.nameHint")}
            value={fullName}
            autoComplete="name"
            onChange={({ target }) => enter({ fullName: target.value })}
            error={refused ? fieldMessage(refused.code) : undefined}
          />
          <SelectField
            label={t("own.profile.language")}
            hint={t("own.profile.languageHint")}
            value={language ?? browsers}
            onChange={({ target }) => enter({ language: languages.find((known) => known === target.value) ?? null })}
            options={[
              { value: browsers, label: languageName },
              ...languages.map((known) => ({ value: known, label: t(`language.${known}`) })),
            ]}
          />
          <div>
            <Combobox
              label={t("own.profile.timezone")}
              hint={t("own.profile.timezoneHint", { time: timeIn(timezone ?? browsersTimezone, new Date(nowMs)) ?? "" })}
              items={[browsers, ...timezones]}
              value={timezone ?? browsers}
              onChange={(value) => enter({ timezone: value === browsers ? null : value })}
              matches={(item, query) => item === browsers || matchesTimezone(item, query)}
              nameOf={(item) => (item === browsers ? timezoneName : item)}
              detail={(item) => timezoneOffset(item === browsers ? browsersTimezone : item, new Date(nowMs))}
              placeholder={timezoneName}
              searchLabel={t("own.profile.timezoneSearch")}
              emptyText={t("own.profile.timezoneNone")}
            />
          </div>
          {draft && conflict.length > 0 ? (
            <ChangedElsewhere
              title={t("own.profile.conflict")}
              lead={t("own.profile.conflictLead")}
              current={conflict.map((field) => valueTexts[field]())}
              keep={{ label: t("own.profile.keepMine"), run: keepMine }}
              take={{ label: t("own.profile.takeTheirs"), run: discard }}
            />
          ) : null}
          {save.error && !refused && unsaved.length > 0 ? <ErrorNotice error={save.error} title={t("own.profile.failed")} /> : null}
        </div>
        <SaveBar
          isDirty={unsaved.length > 0}
          pending={save.pending}
          state={unsaved.length > 0 ? t("own.profile.unsaved", { count: unsaved.length }) : t("own.profile.allSaved")}
          words={{ save: t("own.profile.save"), saving: t("own.profile.saving"), discard: t("own.profile.discard") }}
          onDiscard={discard}
        />
        <LeaveGuard
          active={unsaved.length > 0}
          words={{
            title: t("own.profile.leaveTitle"),
            text: t("own.profile.leaveText"),
            leave: t("own.profile.leave"),
            stay: t("own.profile.stay"),
          }}
        />
      </form>
    </Card>
  );
}
