/** Every call that the API answers, in the order in which a customer meets them. */
import { changeEmailRoutes } from "#domain/journeys/change-email/route.ts";
import { changePasswordRoutes } from "#domain/journeys/change-password/route.ts";
import { confirmEmailRoutes } from "#domain/journeys/confirm-email/route.ts";
import { currentUserRoutes } from "#domain/journeys/current-user/route.ts";
import { forgotPasswordRoutes } from "#domain/journeys/forgot-password/route.ts";
import { launchRoutes } from "#domain/journeys/launch/route.ts";
import { loginCodeRoutes } from "#domain/journeys/login-code/route.ts";
import { onboardingRoutes } from "#domain/journeys/onboarding/route.ts";
import { openWorkspaceRoutes } from "#domain/journeys/open-workspace/route.ts";
import { nodeCatalogueRoutes } from "#domain/journeys/node-catalogue/route.ts";
import { inviteTeammatesRoutes } from "#domain/journeys/invite-teammates/route.ts";
import type { Mount } from "#domain/journeys/services.ts";
import { signInRoutes } from "#domain/journeys/sign-in/route.ts";
import { signUpRoutes } from "#domain/journeys/sign-up/route.ts";
import { workspaceSettingsRoutes } from "#domain/journeys/workspace-settings/route.ts";
import { watchWorkspaceRoutes } from "#domain/journeys/watch-workspace/route.ts";
import { serviceRoutes } from "./service-routes.ts";
import type { ApiServices } from "./services.ts";

export function mountAll(mount: Mount, services: ApiServices): void {
  serviceRoutes(mount, services);
  signUpRoutes(mount, services);
  confirmEmailRoutes(mount, services);
  signInRoutes(mount, services);
  loginCodeRoutes(mount, services);
  forgotPasswordRoutes(mount, services);
  changePasswordRoutes(mount, services);
  changeEmailRoutes(mount, services);
  currentUserRoutes(mount, services);
  onboardingRoutes(mount, services);
  nodeCatalogueRoutes(mount, services);
  inviteTeammatesRoutes(mount, services);
  launchRoutes(mount, services);
  watchWorkspaceRoutes(mount, services);
  openWorkspaceRoutes(mount, services);
  workspaceSettingsRoutes(mount, services);
}
