CREATE TABLE "blanks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"engine" text NOT NULL,
	"version" text NOT NULL,
	"memory_mb" integer NOT NULL,
	"secrets" text NOT NULL,
	"state" text NOT NULL,
	"spec_hash" text,
	"lease_owner" uuid,
	"lease_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "blanks_number_unique" UNIQUE("number")
);
--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "blank" text;--> statement-breakpoint
CREATE INDEX "blanks_ready" ON "blanks" USING btree ("engine","version","memory_mb","created_at") WHERE "blanks"."state" = 'ready';--> statement-breakpoint
CREATE INDEX "workspaces_created" ON "workspaces" USING btree ("created_at");