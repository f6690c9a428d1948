import { lazy } from "react";
import { AfterPaint } from "../../lib/browser/after-paint.tsx";
import { loadPage } from "../../lib/faults/chunk-reload.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";

const DeveloperBar = lazy(() => loadPage(() => import("./developer-bar.tsx")).then(({ DeveloperBar: bar }) => ({ default: bar })));

/** The developer bar, if payments use the sandbox; otherwise none of it is even fetched. */
export function DeveloperGate() {
  const { sandbox } = useFrontEndConfig();
  if (!sandbox) return null;
  return (
    <AfterPaint waiting={<span hidden data-waiting />}>
      <DeveloperBar />
    </AfterPaint>
  );
}
