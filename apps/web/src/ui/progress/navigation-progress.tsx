import { useNavigation } from "react-router";

/** A thin line while a page is loading; fast pages show none, because the animation starts late. */
export function NavigationProgress({ label }: { label: string }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <output className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      {isBusy ? (
        <>
          <span className="sr-only">{label}</span>
          <span className="block h-full w-1/3 animate-travel bg-deep-accent" />
        </>
      ) : null}
    </output>
  );
}
