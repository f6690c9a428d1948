CREATE TABLE "held_refunds" (
	"provider" text NOT NULL,
	"subscription_id" text NOT NULL,
	"account_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"held_at" timestamp with time zone NOT NULL,
	"decision" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"run_at" timestamp with time zone,
	"refunded_at" timestamp with time zone,
	CONSTRAINT "held_refunds_provider_subscription_id_pk" PRIMARY KEY("provider","subscription_id")
);
--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "subscription_id" text;--> statement-breakpoint
ALTER TABLE "held_refunds" ADD CONSTRAINT "held_refunds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_refunds_account" ON "held_refunds" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "held_refunds_age" ON "held_refunds" USING btree ("held_at");--> statement-breakpoint
CREATE INDEX "held_refunds_due" ON "held_refunds" USING btree ("run_at") WHERE "held_refunds"."run_at" is not null;--> statement-breakpoint
CREATE INDEX "checkouts_subscription" ON "checkouts" USING btree ("subscription_id") WHERE "checkouts"."subscription_id" is not null;--> statement-breakpoint
CREATE INDEX "corrections_account" ON "corrections" USING btree ("account_id");