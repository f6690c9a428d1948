CREATE TABLE "workspace_hours" (
	"workspace_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"memory_mb" integer NOT NULL,
	CONSTRAINT "workspace_hours_workspace_id_hour_pk" PRIMARY KEY("workspace_id","hour")
);
--> statement-breakpoint
ALTER TABLE "workspace_hours" ADD CONSTRAINT "workspace_hours_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workspace_hours_age" ON "workspace_hours" USING btree ("hour");