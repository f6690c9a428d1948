/** A worker that answers questions about workspaces, as the one of their host does, over simulated workspaces. */
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import { MemoryWorld } from "#apps/provisioner/drivers/memory/memory-world.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { startLooks } from "#apps/provisioner/looks/answer-looks.ts";
import { workspaceLook } from "#domain/workspaces/observed/look-store.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import type { TestApi } from "../test-api.ts";

export interface TestLooks extends AsyncDisposable {
  world: MemoryWorld;
  /** What the worker runs workspaces with. */
  driver: ReturnType<typeof createMemoryDriver>;
}

/** @param parts what the workspaces' tool offers. `wake` starts a sleeping workspace, by id. */
export async function startTestLooks(
  { database, clock, services: { log } }: Pick<TestApi, "database" | "clock" | "services">,
  parts: Pick<Engine, "members" | "communityNodes">,
  wake: (id: string) => Promise<void> = async () => undefined,
): Promise<TestLooks> {
  const world = new MemoryWorld(clock);
  const driver = createMemoryDriver({ world, clock });
  const looks = startLooks({ db: database.db, driver, engine: parts as Engine, wake, clock, log });
  const listener = await createNotifications({ connection: database.connection, log }).listen({
    channels: [workspaceLook],
    onNotify: () => looks.wake(),
    onReconnect: () => looks.wake(),
  });
  return {
    world,
    driver,
    async [Symbol.asyncDispose]() {
      await listener.close();
      await looks.stop();
      world.close();
    },
  };
}
