CREATE TABLE "fleet_update_workspaces" (
	"fleet_update_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"life" integer NOT NULL,
	"wave" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"from_version" text NOT NULL,
	"update_id" uuid,
	"roll_back_id" uuid,
	"waited_ms" integer DEFAULT 0 NOT NULL,
	"day" text,
	"day_executions" integer DEFAULT 0 NOT NULL,
	"day_failed" integer DEFAULT 0 NOT NULL,
	"week_executions" integer DEFAULT 0 NOT NULL,
	"week_failed" integer DEFAULT 0 NOT NULL,
	"has_crashed_before" boolean DEFAULT false NOT NULL,
	"journal_id" bigint,
	"updated_at" timestamp with time zone,
	"trouble" text,
	"is_accepted" boolean DEFAULT false NOT NULL,
	"executions_since" integer,
	"webhook_calls_since" integer,
	CONSTRAINT "fleet_update_workspaces_fleet_update_id_workspace_id_pk" PRIMARY KEY("fleet_update_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "fleet_updates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"engine" text NOT NULL,
	"to_version" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"stop_reason" text,
	"stopped_at" timestamp with time zone,
	"stopped_by" text,
	"waves" integer NOT NULL,
	"wave" integer DEFAULT 1 NOT NULL,
	"soak_seconds" integer NOT NULL,
	"soaked_ms" integer DEFAULT 0 NOT NULL,
	"stepped_at" timestamp with time zone NOT NULL,
	"at_once" integer NOT NULL,
	"most_failures" integer NOT NULL,
	"most_failed_percent" integer NOT NULL,
	"operator" text NOT NULL,
	"reason" text,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" ADD CONSTRAINT "fleet_update_workspaces_fleet_update_id_fleet_updates_id_fk" FOREIGN KEY ("fleet_update_id") REFERENCES "public"."fleet_updates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" ADD CONSTRAINT "fleet_update_workspaces_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" ADD CONSTRAINT "fleet_update_workspaces_update_id_workspace_updates_id_fk" FOREIGN KEY ("update_id") REFERENCES "public"."workspace_updates"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" ADD CONSTRAINT "fleet_update_workspaces_roll_back_id_workspace_updates_id_fk" FOREIGN KEY ("roll_back_id") REFERENCES "public"."workspace_updates"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fleet_update_workspaces_workspace" ON "fleet_update_workspaces" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "fleet_update_workspaces_update" ON "fleet_update_workspaces" USING btree ("update_id");--> statement-breakpoint
CREATE INDEX "fleet_update_workspaces_roll_back" ON "fleet_update_workspaces" USING btree ("roll_back_id");--> statement-breakpoint
CREATE UNIQUE INDEX "fleet_updates_open" ON "fleet_updates" USING btree ("engine") WHERE "fleet_updates"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "fleet_updates_finished" ON "fleet_updates" USING btree ("finished_at");