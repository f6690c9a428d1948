import { t } from "../../words/frame.ts";
import { Button } from "../button.tsx";

/** The button of a notice that retries what failed. */
export const TryAgain = ({ onClick, pending = false }: { onClick: () => void; pending?: boolean }) => (
  <Button tone="plain" pending={pending} pendingText={t("common.loading")} onClick={onClick}>
    {t("common.tryAgain")}
  </Button>
);
