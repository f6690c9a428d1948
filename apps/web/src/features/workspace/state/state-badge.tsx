import { Badge } from "../../../ui/marks/badge.tsx";
import { t } from "../words.ts";
import { useShownState } from "./use-shown-state.ts";

/** The workspace's state in a word and a colour. */
export function StateBadge() {
  const badge = useShownState()?.badge;
  if (!badge) return null;
  return (
    <Badge tone={badge.tone} live={badge.live ?? false}>
      {badge.word === "asleep" ? t("workspace.asleep.badge") : t(`workspace.state.${badge.word}.badge`)}
    </Badge>
  );
}
