import { latePart } from "../../lib/first-view/late-part.tsx";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";

const DeveloperBar = latePart(async () => (await import("./developer-bar.tsx")).DeveloperBar, {
  waiting: () => <span hidden data-waiting />,
});

/** The developer bar, if payments use the sandbox; otherwise none of it is even fetched. */
export function DeveloperGate() {
  const { sandbox } = useFrontEndConfig();
  return sandbox ? <DeveloperBar /> : null;
}
