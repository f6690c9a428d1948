/** The order of test files: the longest start first, so that the run does not end with a wait for one file. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * From half a minute, longest first, as measured on two cores; among those of the whole product, a file that mostly waits follows one that
 * computes. The others run in the runner's order: by their last measured time, else by size. docs/docs.test.ts checks that they exist.
 */
export const longFiles = [
  "tools/attack/attack.engine.test.ts",
  "e2e/manage.e2e.test.ts",
  "e2e/chaos.e2e.test.ts",
  "apps/provisioner/drivers/kubernetes/create-kubernetes-driver.cluster.test.ts",
  "testing/chart/chart.cluster.test.ts",
  "e2e/billing.e2e.test.ts",
  "e2e/languages.e2e.test.ts",
  "e2e/usage.e2e.test.ts",
  "apps/provisioner/engines/n8n/n8n-memory.engine.test.ts",
  "e2e/shell.e2e.test.ts",
  "apps/provisioner/engines/n8n/n8n-sleep.engine.test.ts",
  "e2e/export.e2e.test.ts",
  "apps/provisioner/engines/n8n/community-nodes.engine.test.ts",
  "e2e/sign-in.e2e.test.ts",
  "e2e/control-plane.e2e.test.ts",
  "e2e/launch.e2e.test.ts",
  "e2e/trouble.e2e.test.ts",
  "e2e/update.e2e.test.ts",
  "apps/provisioner/engines/n8n/n8n.engine.test.ts",
  "e2e/invite.e2e.test.ts",
  "e2e/onboarding.e2e.test.ts",
  "apps/program/killed-program.test.ts",
  "apps/program/start-program.test.ts",
  "apps/provisioner/updates/update-version.test.ts",
  "apps/program/end-program.test.ts",
  "apps/provisioner/reconcile/reconcile.test.ts",
  "platform/postgres/embedded-postgres.test.ts",
  "apps/program/start-trouble.test.ts",
  "apps/api/fuzz.test.ts",
  "testing/hostile/attacked-program.test.ts",
  "apps/provisioner/drivers/process/sandbox/sandbox.test.ts",
  "domain/journeys/billing-journey.test.ts",
  "apps/provisioner/drivers/process/killed-control-plane.test.ts",
  "domain/journeys/money-lives.test.ts",
  "domain/mail/sending/mail-loop-killed.test.ts",
  "domain/journeys/races.test.ts",
  "apps/provisioner/backups/backups.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longFiles.findIndex((path) => moduleId.endsWith(`/${path}`));
      return index < 0 ? longFiles.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
