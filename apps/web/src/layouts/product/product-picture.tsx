import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../../words/frame.ts";
import dark from "./product-dark.webp";
import light from "./product-light.webp";

/**
 * The editor and the panel, captured from a running workspace by `npm run pictures -- product`. Only the picture of the current theme is
 * fetched, last and only if it is visible; its space is reserved.
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
