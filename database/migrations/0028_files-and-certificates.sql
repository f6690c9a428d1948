ALTER TABLE "accounts" ADD COLUMN "certificate_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "lost_from" text;--> statement-breakpoint
CREATE INDEX "accounts_certificate" ON "accounts" USING btree ("certificate_at") WHERE "accounts"."certificate_at" is not null;--> statement-breakpoint
-- Hosts of workspaces from before this may have a certificate already, whose renewal is not counted.
UPDATE "accounts" SET "certificate_at" = "workspaces"."created_at" FROM "workspaces" WHERE "workspaces"."account_id" = "accounts"."id";
