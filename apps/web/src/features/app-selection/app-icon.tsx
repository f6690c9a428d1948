import { Clock, Code, FolderSync, GitBranch, Globe, Inbox, Mail, Radio, Rss, Terminal, Webhook, Workflow } from "lucide-react";
import { useState } from "react";
import { classNames } from "../../ui/class-names.ts";

/** The engine's own tools have no picture in its packages; its editor draws them. */
const drawn: Readonly<Record<string, typeof Globe>> = {
  "n8n-nodes-base.httpRequest": Globe,
  "n8n-nodes-base.webhook": Webhook,
  "n8n-nodes-base.code": Code,
  "n8n-nodes-base.scheduleTrigger": Clock,
  "n8n-nodes-base.emailSend": Mail,
  "n8n-nodes-base.emailReadImap": Inbox,
  "n8n-nodes-base.rssFeedRead": Rss,
  "n8n-nodes-base.ftp": FolderSync,
  "n8n-nodes-base.ssh": Terminal,
  "n8n-nodes-base.git": GitBranch,
  "n8n-nodes-base.sseTrigger": Radio,
  "n8n-nodes-base.n8n": Workflow,
};

interface AppIconProps {
  /** The app's name. */
  name: string;
  displayName: string;
  /** Null if the app has no picture. */
  url: string | null;
  isSmall?: boolean;
}

/** The app's picture on white, the background it was designed for; its first letter if there is none or it does not load. */
export function AppIcon({ name, displayName, url, isSmall = false }: AppIconProps) {
  const [isBroken, setIsBroken] = useState(false);
  const Drawn = drawn[name];
  // In the tray there is only the app's name beside the picture, so its first letter would add nothing.
  if (isSmall && (!url || isBroken) && !Drawn) return null;
  return (
    <span
      className={classNames(
        "grid shrink-0 place-items-center overflow-hidden border border-line bg-white font-semibold text-[#46595d]",
        isSmall ? "size-5 rounded text-[0.6875rem]" : "size-9 rounded-lg text-sm",
      )}
      aria-hidden="true"
    >
      {url && !isBroken ? (
        <img
          // From another origin too, if the node catalogue is there. The attribute is only read before the address.
          crossOrigin="anonymous"
          src={url}
          alt=""
          width={isSmall ? 14 : 24}
          height={isSmall ? 14 : 24}
          loading="lazy"
          decoding="async"
          onError={() => setIsBroken(true)}
          className={classNames("object-contain", isSmall ? "size-3.5" : "size-6")}
        />
      ) : Drawn ? (
        <Drawn className={isSmall ? "size-3" : "size-5"} />
      ) : (
        displayName.slice(0, 1).toUpperCase()
      )}
    </span>
  );
}
