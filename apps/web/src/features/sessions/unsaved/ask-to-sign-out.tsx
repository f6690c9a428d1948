import type { InputForm } from "../../../lib/forms/unsaved-input.ts";
import { inEachLanguage } from "../../../lib/formats.ts";
import { askOnTop } from "../../../ui/dialog/ask-on-top.ts";
import ConfirmBox from "../../../ui/dialog/confirm-box.tsx";
import { t } from "./words.ts";

const list = inEachLanguage((language) => new Intl.ListFormat(language));

/** Whether to sign out although the input in these forms is not saved. */
export const askToSignOut = (forms: readonly InputForm[]): Promise<boolean> =>
  askOnTop((answer) => (
    <ConfirmBox
      open
      onOpenChange={(isOpen) => !isOpen && answer(false)}
      title={t("unsaved.title")}
      confirmLabel={t("unsaved.confirm")}
      cancelLabel={t("unsaved.stay")}
      onConfirm={() => answer(true)}
    >
      {t("unsaved.text", { forms: list().format(forms.map((form) => t(`unsaved.forms.${form}`))) })}
    </ConfirmBox>
  ));
