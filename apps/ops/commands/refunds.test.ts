import { expect, test } from "vitest";
import { dayMs } from "#platform/clock.ts";
import { openSecondPage, openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import type { CommandInput, OpsContext } from "../command.ts";
import { correctionList } from "./corrections.ts";
import { decideRefund, refundList } from "./refunds.ts";

test("a refund above the limit is listed with its account, and made after a yes to exactly its sum, which is on record", async () => {
  const world = await openTestBilling();
  world.billing.refundLimit = 0;
  const accountId = await subscribe(world);
  const twice = world.provider.pay(await openSecondPage(world, accountId))!;
  await world.settle();
  const lines: string[] = [];
  const context = { db: world.database.db, clock: world.clock, operator: "ada", print: (line: string) => lines.push(line) };
  const run = (command: typeof refundList, given: string[] = [], options: CommandInput["options"] = {}) =>
    command.run(context as unknown as OpsContext, { arguments: given, options });
  await run(refundList);
  await run(correctionList);
  expect(lines).toEqual([expect.stringContaining(`decide-refund ${twice} 0.01 --yes`), expect.stringContaining(`: ${twice} was paid`)]);

  await expect(run(decideRefund, [twice, "0.01"])).rejects.toThrow("either --yes or --no");
  await expect(run(decideRefund, [twice, "0.02"], { yes: true })).rejects.toThrow("is 0.01 USD, not 0.02");
  await expect(run(decideRefund, ["sub-0", "0.01"], { yes: true })).rejects.toThrow("No refund for sub-0");
  await run(decideRefund, [twice, "0.01"], { yes: true });
  await expect(run(decideRefund, [twice, "0.01"], { no: true })).rejects.toThrow(`No refund for ${twice}`);
  await world.pass(dayMs);
  expect(world.provider.refunds.map(({ subscriptionId }) => subscriptionId)).toEqual([twice]);
  expect(await world.audit(accountId)).toContain("subscription.refund-decided");
});
