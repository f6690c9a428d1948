/** The pages that the panel's header links to, which its frame fetches before they are opened. */

export const loadDashboard = () => import("./dashboard/dashboard-page.tsx");
export const loadSettings = () => import("./manage/settings-page.tsx");
