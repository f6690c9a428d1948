ALTER TABLE "accounts" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "closed_by" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "closing_reason" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erase_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "accounts_to_erase" ON "accounts" USING btree ("erase_at") WHERE "accounts"."erase_at" is not null;