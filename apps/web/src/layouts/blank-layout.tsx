import { Outlet } from "react-router";

/** Nothing but the page. */
export function BlankLayout() {
  return (
    <main id="main" tabIndex={-1} className="grid flex-1 place-items-center px-4 py-16">
      <Outlet />
    </main>
  );
}
