import type { PanelState } from "../state/panel-state.ts";
import { t } from "../words.ts";

/** The sentences below a state's headline. */
export function stateTexts({ row, workspace }: PanelState): string[] {
  if (row === "over-quota") return [t("workspace.overQuota")];
  const asleep = row === "asleep" ? [t("workspace.asleep.text")] : [];
  switch (workspace.kind) {
    case "none":
      return [];
    case "ready":
      return row === "asleep" ? asleep : [t("workspace.state.ready.text")];
    case "trial": {
      const { daysLeft } = workspace;
      return [daysLeft > 0 ? t("workspace.state.trial.left", { count: daysLeft }) : t("workspace.state.trial.over"), ...asleep];
    }
    case "expiring": {
      const { daysLeft } = workspace;
      if (daysLeft > 0) return [t("workspace.state.expiring.left", { count: daysLeft }), ...asleep];
      return row === "asleep" ? asleep : [t("workspace.state.expiring.text")];
    }
    case "pending":
      return [workspace.cause ? t(`workspace.backFrom.${workspace.cause}`) : t("workspace.state.pending.text")];
    default:
      return [t(`workspace.state.${workspace.kind}.text`)];
  }
}
