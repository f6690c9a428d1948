import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { loadPage } from "../../lib/faults/load-page.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { palettePages, pathOf } from "./palette-pages.ts";
import { isMac, shortcutHandler } from "./shortcuts.ts";
import { t } from "../../words/frame.ts";

const Palette = lazy(() => loadPage(() => import("./palette.tsx")));
const ShortcutSheet = lazy(() => loadPage(() => import("./shortcut-sheet.tsx")));

/** The header's button for the palette, and the keys that work on every page. Both dialogs are fetched when one first opens. */
export function PaletteGate({ className }: { className?: string }) {
  /** Undefined until the first time. */
  const [shown, show] = useState<"palette" | "sheet" | null>();
  const user = useMaybeUser();
  const navigate = useNavigate();
  const latest = useRef({ user, navigate });
  useEffect(() => {
    latest.current = { user, navigate };
  });
  useEffect(() => {
    const handle = shortcutHandler({
      palette: () => show((before) => (before === "palette" ? null : "palette")),
      sheet: () => show("sheet"),
      go: (key) => {
        const page = palettePages(latest.current.user).find((one) => one.key === key);
        if (page) void latest.current.navigate(pathOf(page));
        return page !== undefined;
      },
    });
    addEventListener("keydown", handle);
    return () => removeEventListener("keydown", handle);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-label={t("nav.commands")}
        title={`${t("nav.commands")} (${isMac() ? "⌘ K" : t("nav.commandKeys")})`}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac() ? "Meta+K" : "Control+K"}
        onClick={() => show("palette")}
        className={className}
      >
        <Search className="size-4" aria-hidden="true" />
      </button>
      {/* Until it is fetched, no key acts on the page behind it. */}
      <Suspense fallback={shown ? <span hidden role="dialog" /> : null}>
        {shown !== undefined ? <Palette open={shown === "palette"} onClose={() => show(null)} onSheet={() => show("sheet")} /> : null}
        {shown === "sheet" ? <ShortcutSheet onClose={() => show(null)} /> : null}
      </Suspense>
    </>
  );
}
