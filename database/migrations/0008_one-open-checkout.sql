CREATE TABLE "billing_lanes" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"taken_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_lanes" ADD CONSTRAINT "billing_lanes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_events" ADD CONSTRAINT "provider_events_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Of several pages that are open for one account, the newest stays so; the others are looked at until the provider says what became of them.
UPDATE "checkouts" SET "state" = 'closing', "check_at" = coalesce("check_at", "created_at") WHERE "state" = 'open' AND EXISTS (SELECT 1 FROM "checkouts" AS "newer" WHERE "newer"."account_id" = "checkouts"."account_id" AND "newer"."state" = 'open' AND ("newer"."created_at", "newer"."checkout_id") > ("checkouts"."created_at", "checkouts"."checkout_id"));--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_one_open" ON "checkouts" USING btree ("account_id") WHERE "checkouts"."state" in ('opening', 'open');--> statement-breakpoint
CREATE INDEX "provider_events_owner" ON "provider_events" USING btree ("owner_id","received_at") WHERE "provider_events"."run_at" is not null;