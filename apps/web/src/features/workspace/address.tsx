import { CopyButton } from "../../ui/copy-button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { t } from "./words.ts";

/** A workspace's address, to be read and copied whole. */
export function WorkspaceAddress({ url, className }: { url: string; className?: string }) {
  return (
    <span className={classNames("flex min-w-0 items-center gap-1.5", className)}>
      <span className="min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{new URL(url).host}</span>
      <CopyButton
        text={url}
        label={t("workspace.copyAddress")}
        copied={t("workspace.copied")}
        refused={t("workspace.copyRefused")}
        className="-my-1.5"
      />
    </span>
  );
}
