import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../../words/frame.ts";
import n8nDark from "./n8n-dark.webp";
import n8nLight from "./n8n-light.webp";
import nodeRedDark from "./node-red-dark.webp";
import nodeRedLight from "./node-red-light.webp";

const pictures: Record<EngineName, { light: string; dark: string }> = {
  n8n: { light: n8nLight, dark: n8nDark },
  "node-red": { light: nodeRedLight, dark: nodeRedDark },
};

/**
 * The editor and the panel, captured from a running workspace by `npm run pictures -- product`. Only the picture of the current theme is
 * fetched, last and only if it is visible; its space is reserved.
 */
export function ProductPicture({ className }: { className?: string }) {
  const picture = pictures[useFrontEndConfig().engine];
  return (
    <div className={classNames("aspect-[1200/660]", className)}>
      {(["light", "dark"] as const).map((theme) => (
        <img
          key={theme}
          src={picture[theme]}
          alt={t("pitch.picture")}
          width={1200}
          height={660}
          loading="lazy"
          decoding="async"
          fetchPriority="low"
          className={`h-auto w-full only-${theme}`}
        />
      ))}
    </div>
  );
}
