CREATE TABLE "gateway_counts" (
	"workspace_id" uuid NOT NULL,
	"date" text NOT NULL,
	"run" uuid NOT NULL,
	"executions" integer NOT NULL,
	CONSTRAINT "gateway_counts_workspace_id_date_run_pk" PRIMARY KEY("workspace_id","date","run")
);
--> statement-breakpoint
CREATE TABLE "usage_checks" (
	"workspace_id" uuid NOT NULL,
	"date" text NOT NULL,
	"added" bigint DEFAULT 0 NOT NULL,
	"excused" bigint DEFAULT 0 NOT NULL,
	"succeeded" integer DEFAULT 0 NOT NULL,
	"statistics_life" text,
	"statistics_first" bigint DEFAULT 0 NOT NULL,
	"statistics_unfinished" bigint DEFAULT 0 NOT NULL,
	"statistics_before" integer DEFAULT 0 NOT NULL,
	"limited_at" timestamp with time zone,
	"differs_since" timestamp with time zone,
	"told_at" timestamp with time zone,
	"reported" bigint DEFAULT 0 NOT NULL,
	"gateway" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_checks_workspace_id_date_pk" PRIMARY KEY("workspace_id","date")
);
--> statement-breakpoint
ALTER TABLE "gateway_counts" ADD CONSTRAINT "gateway_counts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_checks" ADD CONSTRAINT "usage_checks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_checks_told" ON "usage_checks" USING btree ("told_at") WHERE "usage_checks"."told_at" is not null;