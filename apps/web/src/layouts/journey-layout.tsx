import { useLocation } from "react-router";
import { paths } from "../lib/paths.ts";
import { useMaybeUser } from "../lib/session/session.ts";
import { loadFrame, PanelFrame } from "./panel-frame.tsx";

export const loader = loadFrame;

/** The steps of the sign-up, on the same backdrop as its first page until the workspace exists. Teammates can be invited later as well. */
export function Component() {
  const { pathname } = useLocation();
  const isSetup = useMaybeUser()?.account.isSetup ?? false;
  return <PanelFrame isDeep={!(isSetup && pathname === paths.inviteTeammate)} />;
}
