import { classNames } from "../../ui/class-names.ts";
import { t } from "../../words/words.ts";
import type { StatusName } from "./workspace-status.ts";

const looks: Record<StatusName, { box: string; dot: string }> = {
  online: { box: "bg-success-soft text-success", dot: "bg-success" },
  pending: { box: "bg-accent-soft text-accent", dot: "bg-accent animate-pulse-soft" },
  offline: { box: "bg-danger-soft text-danger", dot: "bg-danger" },
  stopped: { box: "bg-sunken text-ink-soft", dot: "bg-ink-soft" },
};

/** The status in a word and a colour. */
export function StatusBadge({ status }: { status: StatusName }) {
  return (
    <output className={classNames("inline-flex items-center gap-2 rounded-full px-2.5 py-1 text-[0.8125rem] font-semibold", looks[status].box)}>
      <span className={classNames("size-2 rounded-full", looks[status].dot)} aria-hidden="true" />
      {t(`workspace.status.${status}`)}
    </output>
  );
}
