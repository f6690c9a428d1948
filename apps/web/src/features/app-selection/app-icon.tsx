import { useState } from "react";

interface AppIconProps {
  /** Null where the app has no picture. */
  url: string | null;
  name: string;
}

/** The app's picture on white, as their makers draw them; its first letter where there is none or it does not load. */
export function AppIcon({ url, name }: AppIconProps) {
  const [isBroken, setIsBroken] = useState(false);
  return (
    <span
      className="grid size-8 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-white text-sm font-semibold text-[#46595d]"
      aria-hidden="true"
    >
      {url && !isBroken ? (
        <img
          src={url}
          alt=""
          width={22}
          height={22}
          loading="lazy"
          decoding="async"
          onError={() => setIsBroken(true)}
          className="size-5.5 object-contain"
        />
      ) : (
        name.slice(0, 1).toUpperCase()
      )}
    </span>
  );
}
