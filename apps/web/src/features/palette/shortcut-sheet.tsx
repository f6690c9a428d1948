import { useMaybeUser } from "../../lib/session/session.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { CheckboxField } from "../../ui/form/checkbox-field.tsx";
import { palettePages } from "./palette-pages.ts";
import { isMac, setSingleKeys, useSingleKeys } from "./shortcuts.ts";
import { t } from "./words.ts";

/** All shortcuts, and the switch for single-key shortcuts. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const user = useMaybeUser();
  const isOn = useSingleKeys();
  return (
    <Dialog open onClose={onClose} title={t("palette.sheet.title")} description={t("palette.sheet.lead")} closeLabel={t("common.close")}>
      <dl className="mt-5 divide-y divide-line text-sm">
        <Shortcut name={t("palette.sheet.commands")} keys={[isMac() ? "⌘" : t("palette.sheet.control"), "K"]} />
        {isOn ? (
          <>
            <Shortcut name={t("palette.sheet.sheet")} keys={["?"]} />
            {palettePages(user).map(({ name, key }) =>
              key ? <Shortcut key={name} name={t(`palette.pages.${name}`)} keys={["G", key.toUpperCase()]} isSequence /> : null,
            )}
          </>
        ) : null}
      </dl>
      <CheckboxField
        className="mt-5"
        label={t("palette.sheet.on")}
        hint={t("palette.sheet.onHint")}
        checked={isOn}
        onChange={({ target }) => setSingleKeys(target.checked)}
      />
    </Dialog>
  );
}

function Shortcut({ name, keys, isSequence = false }: { name: string; keys: readonly string[]; isSequence?: boolean }) {
  return (
    <div className="flex items-center justify-between gap-4 py-2">
      <dt>{name}</dt>
      <dd className="flex shrink-0 items-center gap-1.5 text-ink-soft">
        {keys.map((key, index) => (
          <span key={key} className="contents">
            {index > 0 && isSequence ? <span className="text-xs">{t("palette.sheet.between")}</span> : null}
            <kbd className="min-w-6 rounded-md border border-line-strong bg-sunken px-1.5 py-0.5 text-center font-mono text-xs text-ink">
              {key}
            </kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}
