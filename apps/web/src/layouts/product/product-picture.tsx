import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../../words/frame.ts";
import dark from "./product-dark.webp";
import light from "./product-light.webp";

/**
 * The editor and the panel, drawn from a running workspace by `npm run pictures -- product`. Only the one of the theme is fetched, last and
 * only where it is seen; its room is there before.
 */
export function ProductPicture({ className }: { className?: string }) {
  if (useFrontEndConfig().engine !== "n8n") return null;
  return (
    <div className={classNames("aspect-[1200/660]", className)}>
      {[
        { source: light, shown: "only-light" },
        { source: dark, shown: "only-dark" },
      ].map(({ source, shown }) => (
        <img
          key={shown}
          src={source}
          alt={t("pitch.picture")}
          width={1200}
          height={660}
          loading="lazy"
          decoding="async"
          fetchPriority="low"
          className={classNames("h-auto w-full", shown)}
        />
      ))}
    </div>
  );
}
