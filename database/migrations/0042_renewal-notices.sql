CREATE TABLE "renewal_notices" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"renews_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "renewal_notices" ADD CONSTRAINT "renewal_notices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscriptions_renewals" ON "subscriptions" USING btree ("period_ends_at") WHERE "subscriptions"."status" = 'active' and "subscriptions"."provider" is not null and "subscriptions"."cancel_at" is null and "subscriptions"."period_ends_at" - "subscriptions"."period_starts_at" > interval '45 days';--> statement-breakpoint
-- Corrections from before the mails about them are not announced now.
UPDATE "invoices" SET "receipt_queued_at" = "issued_at" WHERE "receipt_queued_at" IS NULL AND ("corrects" IS NOT NULL OR "total" < 0);
