-- Slipway 0.1.0, made by npm run release. SECRET_KEY and the owner are in database/releases/released.ts.
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"set_up_at" timestamp with time zone,
	"template_id" text,
	"onboarding_steps" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"selected_apps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"profile_changed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "accounts_name_unique" UNIQUE("name")
);
CREATE TABLE "attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"blocked_until" timestamp with time zone
);
CREATE TABLE "audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"account_id" uuid,
	"user_id" uuid,
	"action" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"address" text
);
CREATE TABLE "backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"engine" text NOT NULL,
	"engine_version" text NOT NULL,
	"size" bigint,
	"sha256" text,
	"key_id" text,
	"workflows" integer,
	"credentials" integer,
	"executions" integer,
	"verified_at" timestamp with time zone,
	"kept_until" timestamp with time zone,
	"reason" text,
	"detail" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"lease_owner" uuid,
	"lease_until" timestamp with time zone,
	"download_hash" text,
	"download_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
CREATE TABLE "billing_details" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"line1" text NOT NULL,
	"line2" text NOT NULL,
	"postal_code" text NOT NULL,
	"city" text NOT NULL,
	"country" text NOT NULL,
	"vat_id" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
CREATE TABLE "cards" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"brand" text NOT NULL,
	"last_four" text NOT NULL,
	"ends_at" timestamp with time zone,
	"told_of" timestamp with time zone
);
CREATE TABLE "checkouts" (
	"provider" text NOT NULL,
	"checkout_id" text NOT NULL,
	"account_id" uuid NOT NULL,
	"plan_id" text NOT NULL,
	"custom_executions" integer,
	"custom_workflows" integer,
	"currency" text NOT NULL,
	"url" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"check_at" timestamp with time zone,
	CONSTRAINT "checkouts_provider_checkout_id_pk" PRIMARY KEY("provider","checkout_id")
);
CREATE TABLE "corrections" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"account_id" uuid,
	"kind" text NOT NULL,
	"detail" text NOT NULL
);
CREATE TABLE "engine_installs" (
	"host" text NOT NULL,
	"engine" text NOT NULL,
	"version" text NOT NULL,
	"state" text NOT NULL,
	"percent" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "engine_installs_host_engine_version_pk" PRIMARY KEY("host","engine","version")
);
CREATE TABLE "exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"credentials_key" text,
	"with_credentials" boolean NOT NULL,
	"workflows" integer,
	"credentials" integer,
	"size" bigint,
	"reason" text,
	"detail" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"lease_owner" uuid,
	"lease_until" timestamp with time zone,
	"download_hash" text,
	"download_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"kept_until" timestamp with time zone NOT NULL
);
CREATE TABLE "idempotency_keys" (
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"call" text NOT NULL,
	"request_hash" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"response" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_account_id_key_pk" PRIMARY KEY("account_id","key")
);
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"email" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"member_id" text,
	"mail_id" uuid,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"asked_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "invitations_address" UNIQUE("account_id","email")
);
CREATE TABLE "invoice_numbers" (
	"year" integer PRIMARY KEY NOT NULL,
	"issued" integer NOT NULL
);
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_invoice_id" text NOT NULL,
	"number" text,
	"issued_at" timestamp with time zone NOT NULL,
	"description" text NOT NULL,
	"currency" text NOT NULL,
	"total" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"status" text NOT NULL,
	"document" jsonb,
	"receipt_queued_at" timestamp with time zone,
	CONSTRAINT "invoices_provider" UNIQUE("provider","provider_invoice_id"),
	CONSTRAINT "invoices_number" UNIQUE("provider","number")
);
CREATE TABLE "link_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"attachment" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"send_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"last_error" text
);
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_payment_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"brand" text,
	"last_four" text,
	"reason" text,
	CONSTRAINT "payments_provider" UNIQUE("provider","provider_payment_id")
);
CREATE TABLE "plan_specs" (
	"id" text PRIMARY KEY NOT NULL,
	"spec" jsonb NOT NULL
);
CREATE TABLE "plans" (
	"id" text PRIMARY KEY NOT NULL,
	"spec_id" text NOT NULL,
	"name" text NOT NULL,
	"billing_type" text NOT NULL,
	"period_unit" text NOT NULL,
	"period_count" integer NOT NULL,
	"recurring_price" jsonb NOT NULL,
	"custom_quotas" jsonb,
	"withdrawn_at" timestamp with time zone
);
CREATE TABLE "provider_events" (
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"subscription_id" text,
	"customer_id" text,
	"account_id" text,
	"payload" jsonb,
	"occurred_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"handled_at" timestamp with time zone,
	"run_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	CONSTRAINT "provider_events_provider_event_id_pk" PRIMARY KEY("provider","event_id")
);
CREATE TABLE "restores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"backup_id" uuid NOT NULL,
	"safety_backup_id" uuid,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
CREATE TABLE "sandbox_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	"outcome" jsonb,
	"at" timestamp with time zone NOT NULL
);
CREATE TABLE "sandbox_checkouts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"request" jsonb NOT NULL,
	"customer_id" text,
	"subscription_id" text,
	"entered" jsonb,
	"success_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
CREATE TABLE "sandbox_customers" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"credit" integer DEFAULT 0 NOT NULL,
	"details" jsonb,
	"card" jsonb,
	"created_at" timestamp with time zone NOT NULL
);
CREATE TABLE "sandbox_invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigserial NOT NULL,
	"customer_id" text NOT NULL,
	"subscription_id" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"lines" jsonb NOT NULL,
	"tax" jsonb,
	"total" integer NOT NULL,
	"credit_used" integer DEFAULT 0 NOT NULL,
	"issued_at" timestamp with time zone NOT NULL
);
CREATE TABLE "sandbox_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigserial NOT NULL,
	"invoice_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"amount" integer NOT NULL,
	"status" text NOT NULL,
	"card" jsonb,
	"reason" text
);
CREATE TABLE "sandbox_subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"tax_inclusive" boolean NOT NULL,
	"items" jsonb NOT NULL,
	"paid_items" jsonb NOT NULL,
	"anchor_at" timestamp with time zone NOT NULL,
	"period_number" integer DEFAULT 0 NOT NULL,
	"period_starts_at" timestamp with time zone NOT NULL,
	"period_ends_at" timestamp with time zone NOT NULL,
	"cancels_at_period_end" boolean DEFAULT false NOT NULL,
	"open_invoice_id" text,
	"past_due_at" timestamp with time zone,
	"retries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"paused_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
CREATE TABLE "sandbox_webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigserial NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"copies" integer DEFAULT 1 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"delivered_at" timestamp with time zone,
	"dropped_at" timestamp with time zone,
	"last_error" text
);
CREATE TABLE "service_state" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"opened_by" text DEFAULT 'password' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
CREATE TABLE "subscriptions" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"plan_id" text NOT NULL,
	"spec_id" text NOT NULL,
	"custom_executions" integer,
	"custom_workflows" integer,
	"status" text NOT NULL,
	"provider" text,
	"provider_customer_id" text,
	"provider_subscription_id" text,
	"currency" text,
	"started_at" timestamp with time zone NOT NULL,
	"period_starts_at" timestamp with time zone NOT NULL,
	"period_ends_at" timestamp with time zone,
	"cancel_at" timestamp with time zone,
	"past_due_at" timestamp with time zone,
	"paused_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"deletion_at" timestamp with time zone,
	"scheduled_plan_id" text,
	"scheduled_executions" integer,
	"scheduled_workflows" integer,
	"scheduled_at" timestamp with time zone,
	"scheduled_told_at" timestamp with time zone,
	"pending_plan_id" text,
	"pending_executions" integer,
	"pending_workflows" integer,
	"pending_key" text,
	"warned_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"tax_inclusive" boolean DEFAULT false NOT NULL,
	"credit_amount" integer DEFAULT 0 NOT NULL,
	"retries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"provider_changed_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "subscriptions_provider" UNIQUE("provider","provider_subscription_id")
);
CREATE TABLE "survey_answers" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"answer" jsonb NOT NULL,
	"answered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "survey_answers_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
CREATE TABLE "timers" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"run_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	CONSTRAINT "timers_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
CREATE TABLE "usage_counters" (
	"workspace_id" uuid NOT NULL,
	"epoch" text NOT NULL,
	"said_period" text NOT NULL,
	"date" text NOT NULL,
	"period_starts_at" timestamp with time zone NOT NULL,
	"executions" integer NOT NULL,
	"failed" integer NOT NULL,
	CONSTRAINT "usage_counters_workspace_id_epoch_said_period_date_pk" PRIMARY KEY("workspace_id","epoch","said_period","date")
);
CREATE TABLE "usage_days" (
	"account_id" uuid NOT NULL,
	"date" text NOT NULL,
	"executions" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_days_account_id_date_pk" PRIMARY KEY("account_id","date")
);
CREATE TABLE "usage_periods" (
	"account_id" uuid NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"executions" integer DEFAULT 0 NOT NULL,
	"warned_of" integer,
	"reached_of" integer,
	CONSTRAINT "usage_periods_account_id_starts_at_pk" PRIMARY KEY("account_id","starts_at")
);
CREATE TABLE "used_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"email" text NOT NULL,
	"full_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"kind" text DEFAULT 'member' NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
CREATE TABLE "workspace_journal" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"event" text NOT NULL,
	"message" text NOT NULL,
	"detail" text,
	"actor" text
);
CREATE TABLE "workspace_looks" (
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"asked_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	"answer" jsonb,
	CONSTRAINT "workspace_looks_workspace_id_kind_pk" PRIMARY KEY("workspace_id","kind")
);
CREATE TABLE "workspace_memory" (
	"workspace_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"memory_mb" integer NOT NULL,
	CONSTRAINT "workspace_memory_workspace_id_at_pk" PRIMARY KEY("workspace_id","at")
);
CREATE TABLE "workspace_updates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"from_version" text NOT NULL,
	"to_version" text NOT NULL,
	"asked_by" text NOT NULL,
	"restore_backup_id" uuid,
	"restored_at" timestamp with time zone,
	"backup_id" uuid,
	"state" text DEFAULT 'running' NOT NULL,
	"reason" text,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigserial NOT NULL,
	"account_id" uuid NOT NULL,
	"engine" text NOT NULL,
	"desired_state" text NOT NULL,
	"desired_version" text NOT NULL,
	"timezone" text NOT NULL,
	"channel" text DEFAULT 'stable' NOT NULL,
	"auto_update" boolean DEFAULT false NOT NULL,
	"maintenance_window" jsonb DEFAULT '{"weekday":"sunday","startHour":3}'::jsonb NOT NULL,
	"executions_to_keep" integer DEFAULT 1000 NOT NULL,
	"memory_mb" integer NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"restart_asked_at" timestamp with time zone,
	"secrets" text NOT NULL,
	"owner_set_up_at" timestamp with time zone,
	"profile_passed_at" timestamp with time zone,
	"owner_passed" text,
	"usage_read_at" timestamp with time zone,
	"active_workflows" integer DEFAULT 0 NOT NULL,
	"observed_generation" integer DEFAULT 0 NOT NULL,
	"observed_state" text DEFAULT 'none' NOT NULL,
	"observed_version" text,
	"address" text,
	"gateway_open" boolean DEFAULT false NOT NULL,
	"progress_step" text,
	"progress_label" text,
	"progress_percent" integer,
	"reason" text,
	"reason_code" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone,
	"unhealthy_since" timestamp with time zone,
	"reconcile_at" timestamp with time zone,
	"lease_owner" uuid,
	"lease_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "workspaces_number_unique" UNIQUE("number"),
	CONSTRAINT "workspaces_account_id_unique" UNIQUE("account_id")
);
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "backups" ADD CONSTRAINT "backups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "billing_details" ADD CONSTRAINT "billing_details_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "cards" ADD CONSTRAINT "cards_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "exports" ADD CONSTRAINT "exports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "payments" ADD CONSTRAINT "payments_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "plans" ADD CONSTRAINT "plans_spec_id_plan_specs_id_fk" FOREIGN KEY ("spec_id") REFERENCES "public"."plan_specs"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "restores" ADD CONSTRAINT "restores_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "restores" ADD CONSTRAINT "restores_backup_id_backups_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."backups"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "restores" ADD CONSTRAINT "restores_safety_backup_id_backups_id_fk" FOREIGN KEY ("safety_backup_id") REFERENCES "public"."backups"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "sandbox_invoices" ADD CONSTRAINT "sandbox_invoices_customer_id_sandbox_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."sandbox_customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sandbox_invoices" ADD CONSTRAINT "sandbox_invoices_subscription_id_sandbox_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."sandbox_subscriptions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sandbox_payments" ADD CONSTRAINT "sandbox_payments_invoice_id_sandbox_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."sandbox_invoices"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sandbox_subscriptions" ADD CONSTRAINT "sandbox_subscriptions_customer_id_sandbox_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."sandbox_customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_spec_id_plan_specs_id_fk" FOREIGN KEY ("spec_id") REFERENCES "public"."plan_specs"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_scheduled_plan_id_plans_id_fk" FOREIGN KEY ("scheduled_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_pending_plan_id_plans_id_fk" FOREIGN KEY ("pending_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "survey_answers" ADD CONSTRAINT "survey_answers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "timers" ADD CONSTRAINT "timers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "usage_counters" ADD CONSTRAINT "usage_counters_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "usage_periods" ADD CONSTRAINT "usage_periods_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workspace_journal" ADD CONSTRAINT "workspace_journal_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "workspace_looks" ADD CONSTRAINT "workspace_looks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "workspace_memory" ADD CONSTRAINT "workspace_memory_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "workspace_updates" ADD CONSTRAINT "workspace_updates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "workspace_updates" ADD CONSTRAINT "workspace_updates_restore_backup_id_backups_id_fk" FOREIGN KEY ("restore_backup_id") REFERENCES "public"."backups"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "workspace_updates" ADD CONSTRAINT "workspace_updates_backup_id_backups_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."backups"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "attempts_age" ON "attempts" USING btree ("last_at");
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","id" DESC NULLS LAST);
CREATE INDEX "backups_newest" ON "backups" USING btree ("account_id","created_at" DESC NULLS LAST);
CREATE INDEX "backups_workspace" ON "backups" USING btree ("workspace_id","kind","created_at" DESC NULLS LAST);
CREATE INDEX "backups_due" ON "backups" USING btree ("due_at") WHERE "backups"."due_at" is not null;
CREATE INDEX "backups_kept" ON "backups" USING btree ("kept_until") WHERE "backups"."kept_until" is not null;
CREATE INDEX "backups_download" ON "backups" USING btree ("download_hash") WHERE "backups"."download_hash" is not null;
CREATE INDEX "cards_end" ON "cards" USING btree ("ends_at");
CREATE INDEX "checkouts_account" ON "checkouts" USING btree ("account_id","created_at" DESC NULLS LAST);
CREATE INDEX "checkouts_due" ON "checkouts" USING btree ("check_at") WHERE "checkouts"."check_at" is not null;
CREATE INDEX "corrections_newest" ON "corrections" USING btree ("at" DESC NULLS LAST);
CREATE INDEX "exports_newest" ON "exports" USING btree ("account_id","created_at" DESC NULLS LAST);
CREATE INDEX "exports_due" ON "exports" USING btree ("due_at") WHERE "exports"."due_at" is not null;
CREATE INDEX "exports_kept" ON "exports" USING btree ("kept_until");
CREATE INDEX "exports_download" ON "exports" USING btree ("download_hash") WHERE "exports"."download_hash" is not null;
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");
CREATE INDEX "invitations_mail" ON "invitations" USING btree ("mail_id");
CREATE INDEX "invoices_account" ON "invoices" USING btree ("account_id","issued_at" DESC NULLS LAST);
CREATE INDEX "link_tokens_user" ON "link_tokens" USING btree ("user_id","purpose","created_at");
CREATE INDEX "link_tokens_expiry" ON "link_tokens" USING btree ("expires_at");
CREATE INDEX "mails_due" ON "mails" USING btree ("send_at") WHERE "mails"."send_at" is not null;
CREATE INDEX "mails_sent" ON "mails" USING btree ("sent_at" DESC NULLS LAST);
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","at" DESC NULLS LAST);
CREATE INDEX "provider_events_due" ON "provider_events" USING btree ("run_at") WHERE "provider_events"."run_at" is not null;
CREATE INDEX "provider_events_age" ON "provider_events" USING btree ("received_at");
CREATE UNIQUE INDEX "restores_open" ON "restores" USING btree ("workspace_id") WHERE "restores"."finished_at" is null;
CREATE INDEX "restores_newest" ON "restores" USING btree ("workspace_id","created_at" DESC NULLS LAST);
CREATE INDEX "restores_backup" ON "restores" USING btree ("backup_id");
CREATE INDEX "sandbox_invoices_customer" ON "sandbox_invoices" USING btree ("customer_id","number");
CREATE INDEX "sandbox_payments_invoice" ON "sandbox_payments" USING btree ("invoice_id","number");
CREATE INDEX "sandbox_subscriptions_due" ON "sandbox_subscriptions" USING btree ("due_at") WHERE "sandbox_subscriptions"."due_at" is not null;
CREATE INDEX "sandbox_subscriptions_customer" ON "sandbox_subscriptions" USING btree ("customer_id");
CREATE INDEX "sandbox_webhooks_due" ON "sandbox_webhooks" USING btree ("due_at","number") WHERE "sandbox_webhooks"."due_at" is not null;
CREATE INDEX "sandbox_webhooks_newest" ON "sandbox_webhooks" USING btree ("number");
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");
CREATE INDEX "subscriptions_customer" ON "subscriptions" USING btree ("provider_customer_id");
CREATE INDEX "subscriptions_plan" ON "subscriptions" USING btree ("plan_id");
CREATE INDEX "timers_due" ON "timers" USING btree ("run_at");
CREATE INDEX "used_challenges_expiry" ON "used_challenges" USING btree ("expires_at");
CREATE INDEX "users_account" ON "users" USING btree ("account_id");
CREATE INDEX "workspace_journal_newest" ON "workspace_journal" USING btree ("workspace_id","id" DESC NULLS LAST);
CREATE INDEX "workspace_looks_open" ON "workspace_looks" USING btree ("asked_at") WHERE "workspace_looks"."asked_at" is not null;
CREATE INDEX "workspace_memory_age" ON "workspace_memory" USING btree ("at");
CREATE UNIQUE INDEX "workspace_updates_open" ON "workspace_updates" USING btree ("workspace_id") WHERE "workspace_updates"."finished_at" is null;
CREATE INDEX "workspace_updates_newest" ON "workspace_updates" USING btree ("workspace_id","started_at" DESC NULLS LAST);
CREATE INDEX "workspace_updates_version" ON "workspace_updates" USING btree ("to_version","asked_by");
CREATE INDEX "workspace_updates_backup" ON "workspace_updates" USING btree ("backup_id");
CREATE INDEX "workspace_updates_restore" ON "workspace_updates" USING btree ("restore_backup_id");
CREATE INDEX "workspaces_due" ON "workspaces" USING btree ("reconcile_at") WHERE "workspaces"."reconcile_at" is not null;
CREATE TABLE "gateway_counts" (
	"workspace_id" uuid NOT NULL,
	"date" text NOT NULL,
	"run" uuid NOT NULL,
	"executions" integer NOT NULL,
	CONSTRAINT "gateway_counts_workspace_id_date_run_pk" PRIMARY KEY("workspace_id","date","run")
);
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
ALTER TABLE "gateway_counts" ADD CONSTRAINT "gateway_counts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "usage_checks" ADD CONSTRAINT "usage_checks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "usage_checks_told" ON "usage_checks" USING btree ("told_at") WHERE "usage_checks"."told_at" is not null;
CREATE TABLE "audit_outbox" (
	"audit_id" bigint PRIMARY KEY NOT NULL
);
CREATE FUNCTION "public"."refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'rows of audit_log are never changed or deleted (%)', TG_OP
		USING ERRCODE = 'restrict_violation', HINT = 'docs/runbooks/audit-trail.md says what an owner of the database can do where a law demands it.';
END $$;
-- By statement, so that it is refused whatever it would have found.
CREATE TRIGGER "audit_log_for_good" BEFORE UPDATE OR DELETE OR TRUNCATE ON "public"."audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_audit_change"();
-- Also for a session that calls itself a replica, whose ordinary triggers are silent.
ALTER TABLE "public"."audit_log" ENABLE ALWAYS TRIGGER "audit_log_for_good";
CREATE FUNCTION "public"."note_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- Named with its schema: a temporary table of the same name would swallow it.
	INSERT INTO "public"."audit_outbox" ("audit_id") VALUES (NEW."id");
	RETURN NULL;
END $$;
CREATE TRIGGER "audit_log_noted" AFTER INSERT ON "public"."audit_log" FOR EACH ROW EXECUTE FUNCTION "public"."note_audit"();
ALTER TABLE "sessions" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;
ALTER TABLE "sessions" ADD COLUMN "device" text;
ALTER TABLE "sessions" ADD COLUMN "typed_at" timestamp with time zone;
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" timestamp with time zone DEFAULT now() NOT NULL;
CREATE INDEX "sessions_silence" ON "sessions" USING btree ("last_seen_at");
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_id_unique" UNIQUE("id");
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;
ALTER TABLE "users" ADD COLUMN "terms_version" text;
ALTER TABLE "users" ADD COLUMN "terms_accepted_at" timestamp with time zone;
ALTER TABLE "workspace_updates" ADD COLUMN "snapshot_at" timestamp with time zone;
ALTER TABLE "workspaces" ADD COLUMN "renewed_at" timestamp with time zone;
-- What the indexes forbid from here on may be there: of several that wait or run, the first stays.
UPDATE "backups" SET "state" = 'failed', "reason" = 'Another backup was being made at the same time.', "due_at" = null, "lease_owner" = null, "lease_until" = null, "finished_at" = now(), "kept_until" = now()
WHERE "id" IN (SELECT "id" FROM (SELECT "id", row_number() OVER (PARTITION BY "workspace_id", "kind" ORDER BY "created_at", "id") AS "place" FROM "backups" WHERE "state" IN ('waiting', 'running') AND "kind" IN ('manual', 'nightly')) AS "open" WHERE "place" > 1);
UPDATE "exports" SET "state" = 'failed', "reason" = 'Another export was being made at the same time.', "credentials_key" = null, "due_at" = null, "lease_owner" = null, "lease_until" = null, "finished_at" = now(), "kept_until" = now()
WHERE "id" IN (SELECT "id" FROM (SELECT "id", row_number() OVER (PARTITION BY "account_id" ORDER BY "created_at", "id") AS "place" FROM "exports" WHERE "state" IN ('waiting', 'running')) AS "open" WHERE "place" > 1);
UPDATE "workspace_updates" SET "snapshot_at" = "started_at" WHERE "backup_id" IS NOT NULL;
CREATE UNIQUE INDEX "backups_open" ON "backups" USING btree ("workspace_id","kind") WHERE "backups"."state" in ('waiting', 'running') and "backups"."kind" in ('manual', 'nightly');
CREATE UNIQUE INDEX "exports_open" ON "exports" USING btree ("account_id") WHERE "exports"."state" in ('waiting', 'running');
CREATE INDEX "backups_lease" ON "backups" USING btree ("lease_until") WHERE "backups"."lease_until" is not null;
CREATE INDEX "exports_lease" ON "exports" USING btree ("lease_until") WHERE "exports"."lease_until" is not null;
CREATE INDEX "sessions_age" ON "sessions" USING btree ("created_at");
CREATE INDEX "workspaces_due_kind" ON "workspaces" USING btree ((case
  when desired_state <> 'running' then 'stop'
  when unhealthy_since is not null then 'retry'
  when observed_state = 'online' and observed_generation = generation then 'look'
  when failures > 0 then 'retry'
  else 'start' end),"reconcile_at") WHERE "workspaces"."reconcile_at" is not null;
CREATE INDEX "workspaces_lease" ON "workspaces" USING btree ("lease_until") WHERE "workspaces"."lease_until" is not null;
CREATE INDEX "workspaces_automatic" ON "workspaces" USING btree ("id") WHERE "workspaces"."auto_update" and "workspaces"."desired_state" = 'running' and "workspaces"."observed_state" = 'online';
ALTER TABLE "restores" ADD COLUMN "placed_at" timestamp with time zone;
CREATE TABLE "billing_lanes" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"taken_until" timestamp with time zone NOT NULL
);
ALTER TABLE "provider_events" ADD COLUMN "owner_id" uuid;
ALTER TABLE "billing_lanes" ADD CONSTRAINT "billing_lanes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "provider_events" ADD CONSTRAINT "provider_events_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
-- Of several pages that are open for one account, the newest stays so; the others are looked at until the provider says what became of them.
UPDATE "checkouts" SET "state" = 'closing', "check_at" = coalesce("check_at", "created_at") WHERE "state" = 'open' AND EXISTS (SELECT 1 FROM "checkouts" AS "newer" WHERE "newer"."account_id" = "checkouts"."account_id" AND "newer"."state" = 'open' AND ("newer"."created_at", "newer"."checkout_id") > ("checkouts"."created_at", "checkouts"."checkout_id"));
CREATE UNIQUE INDEX "checkouts_one_open" ON "checkouts" USING btree ("account_id") WHERE "checkouts"."state" in ('opening', 'open');
CREATE INDEX "provider_events_owner" ON "provider_events" USING btree ("owner_id","received_at") WHERE "provider_events"."run_at" is not null;
ALTER TABLE "workspaces" ADD COLUMN "running_memory_mb" integer;
DROP INDEX "exports_open";
ALTER TABLE "backups" ADD COLUMN "generation" integer;
ALTER TABLE "backups" ADD COLUMN "stored_as" text;
ALTER TABLE "backups" ADD COLUMN "unpacked_size" bigint;
ALTER TABLE "backups" ADD COLUMN "left_out" jsonb;
ALTER TABLE "restores" ADD COLUMN "life" integer DEFAULT 1 NOT NULL;
ALTER TABLE "workspace_updates" ADD COLUMN "life" integer DEFAULT 1 NOT NULL;
ALTER TABLE "workspaces" ADD COLUMN "life" integer DEFAULT 1 NOT NULL;
CREATE UNIQUE INDEX "exports_open" ON "exports" USING btree ("account_id","with_credentials") WHERE "exports"."state" in ('waiting', 'running');
-- What is of a workspace that was deleted before lives were counted.
UPDATE "restores" SET "life" = 0 FROM "workspaces" WHERE "workspaces"."id" = "restores"."workspace_id" AND "restores"."created_at" < "workspaces"."renewed_at";
UPDATE "workspace_updates" SET "life" = 0 FROM "workspaces" WHERE "workspaces"."id" = "workspace_updates"."workspace_id" AND "workspace_updates"."started_at" < "workspaces"."renewed_at";
CREATE TABLE "exchange_rates" (
	"day" date NOT NULL,
	"currency" text NOT NULL,
	"per_euro" numeric NOT NULL,
	CONSTRAINT "exchange_rates_day_currency_pk" PRIMARY KEY("day","currency")
);
ALTER TABLE "billing_details" ADD COLUMN "vat_valid" boolean;
ALTER TABLE "billing_details" ADD COLUMN "vat_checked_at" timestamp with time zone;
ALTER TABLE "billing_details" ADD COLUMN "vat_reference" text;
ALTER TABLE "invoices" ADD COLUMN "corrects" uuid;
ALTER TABLE "sandbox_payments" ADD COLUMN "refunded_at" timestamp with time zone;
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_corrects_invoices_id_fk" FOREIGN KEY ("corrects") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;
CREATE INDEX "invoices_corrects" ON "invoices" USING btree ("corrects");
ALTER TABLE "invoices" ADD COLUMN "seen_at" timestamp with time zone;
ALTER TABLE "sandbox_invoices" ADD COLUMN "part_refunds" jsonb DEFAULT '[]'::jsonb NOT NULL;
ALTER TABLE "subscriptions" ADD COLUMN "scheduled_from_plan_id" text;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_scheduled_from_plan_id_plans_id_fk" FOREIGN KEY ("scheduled_from_plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workspaces" ADD COLUMN "active_at" timestamp with time zone;
ALTER TABLE "workspaces" ADD COLUMN "nightly_at" timestamp with time zone DEFAULT now() NOT NULL;
CREATE INDEX "invoices_unwritten" ON "invoices" USING btree ("issued_at") WHERE "invoices"."document" is null;
CREATE INDEX "invoices_unreceipted" ON "invoices" USING btree ("issued_at") WHERE "invoices"."receipt_queued_at" is null;
CREATE INDEX "workspaces_nightly" ON "workspaces" USING btree ("nightly_at") WHERE "workspaces"."desired_state" = 'running' and "workspaces"."observed_state" = 'online' and "workspaces"."owner_set_up_at" is not null;
CREATE INDEX "mails_failed" ON "mails" USING btree ("failed_at") WHERE "mails"."failed_at" is not null;
DROP INDEX "workspaces_due_kind";
ALTER TABLE "workspaces" ADD COLUMN "used_at" timestamp with time zone;
ALTER TABLE "workspaces" ADD COLUMN "asleep_since" timestamp with time zone;
ALTER TABLE "workspaces" ADD COLUMN "sleep_until" timestamp with time zone;
ALTER TABLE "workspaces" ADD COLUMN "asleep_revision" timestamp with time zone;
ALTER TABLE "workspaces" ADD COLUMN "wake_asked_at" timestamp with time zone;
CREATE INDEX "workspaces_due_kind" ON "workspaces" USING btree ((case
  when desired_state <> 'running' then 'stop'
  when wake_asked_at is not null then 'wake'
  when unhealthy_since is not null then 'retry'
  when observed_state = 'online' and observed_generation = generation then 'look'
  when failures > 0 then 'retry'
  else 'start' end),"reconcile_at") WHERE "workspaces"."reconcile_at" is not null;
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
ALTER TABLE "workspaces" ADD COLUMN "blank" text;
CREATE INDEX "blanks_ready" ON "blanks" USING btree ("engine","version","memory_mb","created_at") WHERE "blanks"."state" = 'ready';
CREATE INDEX "workspaces_created" ON "workspaces" USING btree ("created_at");
ALTER TABLE "workspaces" ADD COLUMN "cold_since" timestamp with time zone;
CREATE INDEX "workspaces_frozen" ON "workspaces" USING btree ("asleep_since") WHERE "workspaces"."asleep_since" is not null and "workspaces"."cold_since" is null;
CREATE UNLOGGED TABLE "call_counts" (
	"key" text PRIMARY KEY NOT NULL,
	"calls" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"until" timestamp with time zone NOT NULL
);
ALTER TABLE "workspace_looks" ADD COLUMN "lease_until" timestamp with time zone;
CREATE INDEX "call_counts_until" ON "call_counts" USING btree ("until");
create schema drizzle;
create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
insert into drizzle.__drizzle_migrations (hash, created_at) values
('1158ef94c85f9b26053c15d3ff00df2acd5ec6e4cf91b9b1273ecf918c08c0ea', 1795270525914),
('e805d370b8559ede105fd5bc23f817c55d119d7ec711d4e7a790055d0fa34467', 1795279431065),
('d763b2036415a3b5a761949b4a33e78b89ef81950bc1235eb45addcb67e43b41', 1795291392947),
('103bbd9f8c11428b1663140b1a0db0eb7d7a741ed5807538cc1868326b26933e', 1795294334106),
('7eda9ade8d6bf4d10dfb8f93611936f3b000d9c7afd97fbe5f27a60d2f73a26d', 1795346430807),
('2bc6451d13f8ea8cd6ebd07f3420e4f3258dd48f4b4d43a46d5bb5b39b28e529', 1795346649538),
('ae90091eda5476eb19362ab2e11e433423eaa3331e314fe145eb54f136c69f79', 1795346863301),
('7ad52f6d38ba76d8d9cee2b844a41245e5aa729fcdd7ea21667f392866017c4f', 1795346932403),
('0c365a51c2712aafa41751796f29cc40da68e06007922377649b4f9162550fd1', 1795347634277),
('990922d8ebb7c604f0acb02f862a3d3e5d8897a474237a8472249dfa85da89a3', 1795348829986),
('d52f1b52834706dc8dbde913c7f3756169c975e394a4a8af35b94b97ee6d4094', 1795358353925),
('982df2d817a6f7c8cc6f4e8d6772ef2c571fc98cf4596b55cf02976c8897c009', 1795358607198),
('df29cbea69423df3a2ddab46e3335342c7180e846e57b7bf2b32ae8ca9ab237a', 1795359147647),
('45b545ae4456465735ecf58615c9a9733be8963e0126249a917712fcd6d4f452', 1795361307250),
('d61c4bc89b73c3959488644e6c149e2cdfe5384b26169f6af51616fe6b6f8732', 1795361856170),
('69250fcfa22eda72ca45d3ae948b57838ddad258d749d1bea55bebbd29dbb272', 1795384587664),
('aba84bbab8c0d574426492ed881227b3ee747c1061046f630be92eaa4bc9a870', 1795386353760),
('f80159e962ac926d65bf389502f2e17f020d2cdc13468c6b08ae16dcbbc4c87e', 1795387892904),
('9246bafd2c3e1ba3d96e158013ae0e6934a9df2a9b97844a6f50bff9b8cc40b9', 1795396875797),
('47b4f5e75405f1db3d91d18af8e26c714fe37cd51268b16fc6261f8c7a0a8a1b', 1795400441560),
('f959a8e403d48db34a1b87dcf4f00df5ca6987e669401c4547626f8d2d997f1b', 1795409839660);
insert into "accounts" select * from jsonb_populate_recordset(null::"accounts", '[{"id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "name": "ada-2", "set_up_at": "2026-11-23T05:26:59+00:00", "created_at": "2026-11-23T05:26:59+00:00", "template_id": null, "selected_apps": [], "onboarding_steps": {}, "profile_changed_at": null},
{"id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "name": "ada", "set_up_at": "2026-11-23T05:27:10.72+00:00", "created_at": "2026-11-23T05:27:09.951+00:00", "template_id": null, "selected_apps": [], "onboarding_steps": {"invite": "done", "survey": "done"}, "profile_changed_at": "2026-11-23T05:27:19.068+00:00"}]');
insert into "audit_log" select * from jsonb_populate_recordset(null::"audit_log", '[{"at": "2026-11-23T05:26:59+00:00", "id": 10, "after": {"planId": "pro-1-monthly", "quotas": null, "currency": "USD"}, "action": "checkout.started", "before": null, "address": "10.0.0.4", "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"},
{"at": "2026-11-23T05:26:59+00:00", "id": 11, "after": {"planId": "pro-1-monthly", "specId": "pro-1", "status": "active", "cancelAt": null, "deletionAt": null, "periodEndsAt": "2026-12-23T05:26:59.000Z", "customWorkflows": null, "scheduledPlanId": null, "customExecutions": null}, "action": "subscription.active", "before": {"planId": "trial-1", "specId": "trial-1", "status": "trialing", "cancelAt": null, "deletionAt": null, "periodEndsAt": "2026-12-07T05:26:59.000Z", "customWorkflows": null, "scheduledPlanId": null, "customExecutions": null}, "address": "10.0.0.5", "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"},
{"at": "2026-11-23T05:26:59+00:00", "id": 12, "after": {"city": "", "name": "Ada Lovelace", "line1": "", "line2": "", "vatId": "", "country": "DE", "postalCode": "10115"}, "action": "billing_details.changed", "before": null, "address": null, "user_id": null, "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"},
{"at": "2026-11-23T05:26:59+00:00", "id": 13, "after": {"city": "Berlin", "name": "Acme GmbH", "line1": "Straße 1", "line2": "", "vatId": "DE123456789", "country": "DE", "postalCode": "10115"}, "action": "billing_details.changed", "before": {"city": "", "name": "Ada Lovelace", "line1": "", "line2": "", "vatId": "", "country": "DE", "postalCode": "10115"}, "address": "10.0.0.6", "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"},
{"at": "2026-11-23T05:26:59+00:00", "id": 7, "after": {"email": "ada2@example.com", "accountName": "ada-2", "termsVersion": "2026-11"}, "action": "account.registered", "before": null, "address": "10.0.0.1", "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"},
{"at": "2026-11-23T05:26:59+00:00", "id": 8, "after": "ada2@example.com", "action": "email.confirmed", "before": null, "address": "10.0.0.2", "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"},
{"at": "2026-11-23T05:26:59+00:00", "id": 9, "after": {"version": "2.40.7", "timezone": "Etc/UTC", "trialDays": 14}, "action": "account.set-up", "before": null, "address": "10.0.0.3", "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"},
{"at": "2026-11-23T05:27:09.951+00:00", "id": 1, "after": {"email": "ada@example.com", "accountName": "ada", "termsVersion": "https://example.com/terms"}, "action": "account.registered", "before": null, "address": "127.0.0.1", "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8"},
{"at": "2026-11-23T05:27:10.47+00:00", "id": 2, "after": "ada@example.com", "action": "email.confirmed", "before": null, "address": "127.0.0.1", "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8"},
{"at": "2026-11-23T05:27:10.72+00:00", "id": 3, "after": {"version": "2.40.7", "timezone": "Europe/Berlin", "trialDays": 14}, "action": "account.set-up", "before": null, "address": "127.0.0.1", "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8"},
{"at": "2026-11-23T05:27:16.265+00:00", "id": 4, "after": {"emails": ["mate@example.com"]}, "action": "invitation.created", "before": null, "address": "127.0.0.1", "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8"},
{"at": "2026-11-23T05:27:16.484+00:00", "id": 5, "after": {"id": "01a206df-7104-7dad-954e-57a8064a4a42"}, "action": "backup.requested", "before": null, "address": "127.0.0.1", "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8"},
{"at": "2026-11-23T05:27:19.068+00:00", "id": 6, "after": {}, "action": "survey.answered", "before": null, "address": "127.0.0.1", "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8"}]');
insert into "audit_outbox" select * from jsonb_populate_recordset(null::"audit_outbox", '[{"audit_id": 10},
{"audit_id": 11},
{"audit_id": 12},
{"audit_id": 13},
{"audit_id": 6},
{"audit_id": 7},
{"audit_id": 8},
{"audit_id": 9}]');
insert into "backups" select * from jsonb_populate_recordset(null::"backups", '[{"id": "01a206df-7104-7dad-954e-57a8064a4a42", "kind": "manual", "size": 662, "state": "successful", "detail": null, "due_at": null, "engine": "n8n", "key_id": "3510f42982103767", "reason": null, "sha256": "c417645c4e52a41570b96e655fce7511e5837d131d6404e6fded3f97557a8246", "attempts": 1, "left_out": {"names": [], "total": 0}, "stored_as": "backups/01a206df-7104-7dad-954e-57a8064a4a42-1", "workflows": 0, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "created_at": "2026-11-23T05:27:16.484+00:00", "executions": 0, "generation": null, "kept_until": "2026-11-26T05:27:18.38+00:00", "credentials": 0, "finished_at": "2026-11-23T05:27:18.38+00:00", "lease_owner": null, "lease_until": null, "verified_at": "2026-11-23T05:27:18.38+00:00", "workspace_id": "01a206df-5a80-79c8-bbd4-f609884325a0", "download_hash": null, "unpacked_size": 16384, "download_until": null, "engine_version": "2.40.7"}]');
insert into "billing_details" select * from jsonb_populate_recordset(null::"billing_details", '[{"city": "Berlin", "name": "Acme GmbH", "line1": "Straße 1", "line2": "", "vat_id": "DE123456789", "country": "DE", "vat_valid": null, "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "changed_at": "2026-11-23T05:26:59+00:00", "postal_code": "10115", "vat_reference": null, "vat_checked_at": null}]');
insert into "call_counts" select * from jsonb_populate_recordset(null::"call_counts", '[{"key": "26bf92f912b9358369894f07be6f81374cf52923a9a81391a4239050311afc4c", "calls": 1, "until": "2026-11-23T05:28:24.613632+00:00"},
{"key": "3195854365aa9af8fc55e2cb0004b66a98a0da2e5ff1b5b1c1191fdd268667bf", "calls": 1, "until": "2026-11-23T05:28:23.609078+00:00"},
{"key": "443ab282647ed8d66852d7530112814adb08069d50c34b8aa7bd6521479447f9", "calls": 1, "until": "2026-11-23T05:28:10.356041+00:00"},
{"key": "4e4fef5738744920cad310026744bf8157e0299a531a1e14e34b3763c7cd032f", "calls": 1, "until": "2026-11-23T05:28:08.698503+00:00"},
{"key": "751287db5f7c372aeb3eacd6ea77788330b4279a021275abc9fe50617c2cefed", "calls": 1, "until": "2026-11-23T05:28:25.735044+00:00"},
{"key": "8c2b006213d99f711ae42e6ce64329b672320ed257ebbf46d824a1cc1ee0e79c", "calls": 1, "until": "2026-11-23T05:28:19.116976+00:00"},
{"key": "ac1a56b9a1f39566eb549f215c738d5e638dfaeca9fb40b6ef4b7d7432621976", "calls": 1, "until": "2026-11-23T05:28:29.699324+00:00"},
{"key": "c18994ff07cdf0aebeeb313eea3ea593f0f978af821799621fcb20acc4922928", "calls": 1, "until": "2026-11-23T05:28:08.676749+00:00"},
{"key": "c5f37d98ec8ad07535def02c4d8dad7cb18c07ed3109bb40b7ad8615af29258c", "calls": 1, "until": "2026-11-23T05:28:16.231996+00:00"}]');
insert into "cards" select * from jsonb_populate_recordset(null::"cards", '[{"brand": "visa", "ends_at": "2037-01-01T00:00:00+00:00", "told_of": null, "last_four": "4242", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa"}]');
insert into "checkouts" select * from jsonb_populate_recordset(null::"checkouts", '[{"url": "http://localhost:3000/sandbox/checkout/chk_5954003c0df609646c3cb2e5235cf477", "state": "paid", "plan_id": "pro-1-monthly", "check_at": null, "currency": "USD", "provider": "sandbox", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "created_at": "2026-11-23T05:26:59+00:00", "checkout_id": "chk_5954003c0df609646c3cb2e5235cf477", "custom_workflows": null, "custom_executions": null}]');
insert into "engine_installs" select * from jsonb_populate_recordset(null::"engine_installs", '[{"host": "vm", "state": "installed", "engine": "n8n", "reason": null, "percent": 100, "version": "2.40.7", "attempts": 1, "retry_at": null, "updated_at": "2026-11-23T05:27:13.05+00:00"}]');
insert into "idempotency_keys" select * from jsonb_populate_recordset(null::"idempotency_keys", '[{"key": "key-1", "call": "checkout", "state": "done", "response": {"url": "http://localhost:3000/sandbox/checkout/chk_5954003c0df609646c3cb2e5235cf477"}, "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "created_at": "2026-11-23T05:26:59+00:00", "lease_until": "2026-11-23T05:27:55.780232+00:00", "request_hash": "226f589dbe7c77b034fa98d4691bf90ea46e4926bff6221a8271f77f93f32b7d"}]');
insert into "invitations" select * from jsonb_populate_recordset(null::"invitations", '[{"id": "01a206df-7029-79e5-ab98-24f97819f0f9", "email": "mate@example.com", "state": "sent", "due_at": null, "reason": null, "mail_id": "01a206df-7b4c-7000-bb8c-fc6fb822cddb", "sent_at": "2026-11-23T05:27:19.116+00:00", "asked_at": "2026-11-23T05:27:16.265+00:00", "attempts": 0, "member_id": "member-1", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "revoked_at": null, "accepted_at": null}]');
insert into "invoice_numbers" select * from jsonb_populate_recordset(null::"invoice_numbers", '[{"year": 2026, "issued": 1}]');
insert into "invoices" select * from jsonb_populate_recordset(null::"invoices", '[{"id": "01a206df-2cb8-78e8-9152-f8f993f3f6ef", "tax": 1140, "total": 7140, "number": "2026-000001", "status": "paid", "seen_at": "2026-11-23T05:27:31.675756+00:00", "corrects": null, "currency": "USD", "document": {"tax": {"name": "VAT", "amount": {"amount": 1140, "currency": "USD"}, "inclusive": false, "ratePercent": 19}, "kind": "invoice", "buyer": {"email": "ada2@example.com", "details": {"city": "", "name": "Ada Lovelace", "line1": "", "line2": "", "vatId": "", "country": "DE", "postalCode": "10115"}, "accountName": "ada-2"}, "lines": [{"label": "Pro, monthly", "amount": {"amount": 6000, "currency": "USD"}, "quantity": 1, "isProration": false}], "total": {"amount": 7140, "currency": "USD"}, "number": "2026-000001", "seller": {"name": "Slipway Example GmbH", "email": "help@s.example", "vatId": "DE123456789", "address": ["Musterstraße 1", "10115 Berlin"], "country": "DE"}, "subject": "Pro, monthly", "corrects": null, "issuedAt": "2026-11-23T05:26:59.000Z", "creditUsed": {"amount": 0, "currency": "USD"}, "reverseCharge": false, "servicePeriod": {"to": "2026-12-23T05:26:59.000Z", "from": "2026-11-23T05:26:59.000Z"}}, "provider": "sandbox", "issued_at": "2026-11-23T05:26:59+00:00", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "description": "Pro, monthly", "receipt_queued_at": "2026-11-23T05:26:59+00:00", "provider_invoice_id": "inv_01a206df96477d1a8197f3a33cbcfe16"}]');
insert into "link_tokens" select * from jsonb_populate_recordset(null::"link_tokens", '[{"email": "ada2@example.com", "purpose": "confirm-email", "used_at": "2026-11-23T05:26:59+00:00", "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "created_at": "2026-11-23T05:26:59+00:00", "expires_at": "2026-11-24T05:26:59+00:00", "token_hash": "1503fad48484e4ee8e178cfa8583fa092493a73cf4ecff743f8a267843900520"},
{"email": "ada@example.com", "purpose": "confirm-email", "used_at": "2026-11-23T05:27:10.47+00:00", "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "created_at": "2026-11-23T05:27:09.951+00:00", "expires_at": "2026-11-24T05:27:09.951+00:00", "token_hash": "2cc8e1cba10cd44a51943714a2ffeed0ce25907b54f2e4db4dc56be61d565219"}]');
insert into "mails" select * from jsonb_populate_recordset(null::"mails",  E'[{"id": "01a206df-2cb8-71e1-b0de-f07fdba13bfd", "html": "<!DOCTYPE html PUBLIC \\"-//W3C//DTD XHTML 1.0 Transitional//EN\\" \\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\\"><html dir=\\"ltr\\" lang=\\"en\\"><head><meta name=\\"viewport\\" content=\\"width=device-width\\"/><meta content=\\"text/html; charset=UTF-8\\" http-equiv=\\"Content-Type\\"/><meta name=\\"x-apple-disable-message-reformatting\\"/><title>Confirm your email address</title><meta name=\\"color-scheme\\" content=\\"light dark\\"/><meta name=\\"supported-color-schemes\\" content=\\"light dark\\"/><style>\\n:root { color-scheme: light dark; supported-color-schemes: light dark; }\\n@media (prefers-color-scheme: dark) {\\n  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }\\n  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }\\n  .mail-text { color: #e8eef3 !important; }\\n  .mail-muted { color: #a5b3bf !important; }\\n  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }\\n  .mail-link { color: #7fe3e4 !important; }\\n  .mail-rule { border-color: #2d3944 !important; }\\n}</style></head><body class=\\"mail-page\\" style=\\"background-color:#f4f6f8;margin:0;padding:0\\"><!--$--><!--html--><!--head--><div style=\\"display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0\\" data-skip-in-text=\\"true\\">Confirm your address to set up your workspace.<div> ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿</div></div><!--body--><table border=\\"0\\" width=\\"100%\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" align=\\"center\\"><tbody><tr><td style=\\"margin:0;padding:32px 12px;background-color:#f4f6f8;color:#18222d;font-family:Inter, -apple-system, BlinkMacSystemFont, &#x27;Segoe UI&#x27;, Roboto, Helvetica, Arial, sans-serif\\"><div role=\\"main\\"><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" style=\\"max-width:520px;margin:0 auto\\"><tbody><tr style=\\"width:100%\\"><td><p class=\\"mail-text\\" style=\\"font-size:17px;line-height:24px;margin:0;padding:0 4px 16px;font-weight:700;letter-spacing:-0.01em;color:#18222d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">Slipway</p><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" class=\\"mail-card\\" style=\\"padding:32px 28px;background-color:#ffffff;border:1px solid #dfe5ea;border-radius:12px\\"><tbody><tr><td><h1 class=\\"mail-text\\" style=\\"margin:0 0 16px;font-size:22px;line-height:30px;font-weight:650;color:#18222d\\">Confirm your email address</h1><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Hi Ada Lovelace,</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Welcome to Slipway. Confirm that this address is yours to set up your workspace.</p><a href=\\"http://localhost:3000/confirm-email?token=OhMoxTJu__1uYs3d_nUh_EZDXV0wPwmuxLaaCtge86M\\" class=\\"mail-button\\" style=\\"line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;margin:8px 0 24px;padding:13px 22px;border-radius:8px;background-color:#0b5c68;color:#ffffff;font-size:15px;font-weight:600;padding-top:13px;padding-right:22px;padding-bottom:13px;padding-left:22px\\" target=\\"_blank\\"><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%;mso-text-raise:19.5\\" hidden>&#8202;&#8202;&#8202;</i><![endif]--></span><span style=\\"max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9.75px\\">Confirm email address</span><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%\\" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></span></a><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">If the button doesn&#x27;t work, open this address in your browser:</p><a href=\\"http://localhost:3000/confirm-email?token=OhMoxTJu__1uYs3d_nUh_EZDXV0wPwmuxLaaCtge86M\\" class=\\"mail-link\\" style=\\"color:#0b5c68;text-decoration-line:none;font-size:13px;line-height:20px;word-break:break-all;text-decoration:underline\\" target=\\"_blank\\">http://localhost:3000/confirm-email?token=OhMoxTJu__1uYs3d_nUh_EZDXV0wPwmuxLaaCtge86M</a><hr class=\\"mail-rule\\" style=\\"width:100%;border:none;border-top:1px solid #dfe5ea;margin:20px 0\\"/><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">The link works for 24 hours. After that, sign in and request a new one.</p><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">Didn&#x27;t ask for this? Someone probably mistyped their own address. Ignore this email and nothing happens.</p></td></tr></tbody></table><p class=\\"mail-muted\\" style=\\"font-size:12px;line-height:18px;margin:0;padding:16px 4px 0;color:#52606d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">This email was sent by Slipway because your address was entered there.</p></td></tr></tbody></table></div></td></tr></tbody></table><!--/$--></body></html>", "text": "Confirm your email address\\n\\nHi Ada Lovelace,\\n\\nWelcome to Slipway. Confirm that this address is yours to set up your workspace.\\n\\nConfirm email address:\\nhttp://localhost:3000/confirm-email?token=OhMoxTJu__1uYs3d_nUh_EZDXV0wPwmuxLaaCtge86M\\n\\nThe link works for 24 hours. After that, sign in and request a new one.\\n\\nDidn''t ask for this? Someone probably mistyped their own address. Ignore this email and nothing happens.\\n\\n-- \\nThis email was sent by Slipway because your address was entered there.\\n", "send_at": "2026-11-23T05:26:59+00:00", "sent_at": null, "subject": "Confirm your email address", "attempts": 0, "failed_at": null, "recipient": "ada2@example.com", "attachment": null, "created_at": "2026-11-23T05:26:59+00:00", "last_error": null},
{"id": "01a206df-2cb8-731e-ab5f-4a3e88b6735a", "html": "<!DOCTYPE html PUBLIC \\"-//W3C//DTD XHTML 1.0 Transitional//EN\\" \\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\\"><html dir=\\"ltr\\" lang=\\"en\\"><head><meta name=\\"viewport\\" content=\\"width=device-width\\"/><meta content=\\"text/html; charset=UTF-8\\" http-equiv=\\"Content-Type\\"/><meta name=\\"x-apple-disable-message-reformatting\\"/><title>Your Pro plan is active</title><meta name=\\"color-scheme\\" content=\\"light dark\\"/><meta name=\\"supported-color-schemes\\" content=\\"light dark\\"/><style>\\n:root { color-scheme: light dark; supported-color-schemes: light dark; }\\n@media (prefers-color-scheme: dark) {\\n  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }\\n  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }\\n  .mail-text { color: #e8eef3 !important; }\\n  .mail-muted { color: #a5b3bf !important; }\\n  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }\\n  .mail-link { color: #7fe3e4 !important; }\\n  .mail-rule { border-color: #2d3944 !important; }\\n}</style></head><body class=\\"mail-page\\" style=\\"background-color:#f4f6f8;margin:0;padding:0\\"><!--$--><!--html--><!--head--><div style=\\"display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0\\" data-skip-in-text=\\"true\\">Thank you. Your receipt follows in a separate email.<div> ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿</div></div><!--body--><table border=\\"0\\" width=\\"100%\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" align=\\"center\\"><tbody><tr><td style=\\"margin:0;padding:32px 12px;background-color:#f4f6f8;color:#18222d;font-family:Inter, -apple-system, BlinkMacSystemFont, &#x27;Segoe UI&#x27;, Roboto, Helvetica, Arial, sans-serif\\"><div role=\\"main\\"><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" style=\\"max-width:520px;margin:0 auto\\"><tbody><tr style=\\"width:100%\\"><td><p class=\\"mail-text\\" style=\\"font-size:17px;line-height:24px;margin:0;padding:0 4px 16px;font-weight:700;letter-spacing:-0.01em;color:#18222d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">Slipway</p><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" class=\\"mail-card\\" style=\\"padding:32px 28px;background-color:#ffffff;border:1px solid #dfe5ea;border-radius:12px\\"><tbody><tr><td><h1 class=\\"mail-text\\" style=\\"margin:0 0 16px;font-size:22px;line-height:30px;font-weight:650;color:#18222d\\">Your Pro plan is active</h1><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Hi Ada Lovelace,</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Thank you. ada-2 is now on the Pro plan, and its new quotas apply immediately. Your receipt follows in a separate email.</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Your plan will be renewed on 23 December 2026. You can change or cancel it at any time before then.</p><a href=\\"http://localhost:3000/manage/billing\\" class=\\"mail-button\\" style=\\"line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;margin:8px 0 24px;padding:13px 22px;border-radius:8px;background-color:#0b5c68;color:#ffffff;font-size:15px;font-weight:600;padding-top:13px;padding-right:22px;padding-bottom:13px;padding-left:22px\\" target=\\"_blank\\"><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%;mso-text-raise:19.5\\" hidden>&#8202;&#8202;&#8202;</i><![endif]--></span><span style=\\"max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9.75px\\">Open billing</span><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%\\" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></span></a><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">If the button doesn&#x27;t work, open this address in your browser:</p><a href=\\"http://localhost:3000/manage/billing\\" class=\\"mail-link\\" style=\\"color:#0b5c68;text-decoration-line:none;font-size:13px;line-height:20px;word-break:break-all;text-decoration:underline\\" target=\\"_blank\\">http://localhost:3000/manage/billing</a><hr class=\\"mail-rule\\" style=\\"width:100%;border:none;border-top:1px solid #dfe5ea;margin:20px 0\\"/></td></tr></tbody></table><p class=\\"mail-muted\\" style=\\"font-size:12px;line-height:18px;margin:0;padding:16px 4px 0;color:#52606d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">This email was sent by Slipway because your address was entered there.</p></td></tr></tbody></table></div></td></tr></tbody></table><!--/$--></body></html>", "text": "Your Pro plan is active\\n\\nHi Ada Lovelace,\\n\\nThank you. ada-2 is now on the Pro plan, and its new quotas apply immediately. Your receipt follows in a separate email.\\n\\nYour plan will be renewed on 23 December 2026. You can change or cancel it at any time before then.\\n\\nOpen billing:\\nhttp://localhost:3000/manage/billing\\n\\n-- \\nThis email was sent by Slipway because your address was entered there.\\n", "send_at": "2026-11-23T05:26:59+00:00", "sent_at": null, "subject": "Your Pro plan is active", "attempts": 0, "failed_at": null, "recipient": "ada2@example.com", "attachment": null, "created_at": "2026-11-23T05:26:59+00:00", "last_error": null},
{"id": "01a206df-2cb8-7a41-92ba-cdb5e42c6fc2", "html": "<!DOCTYPE html PUBLIC \\"-//W3C//DTD XHTML 1.0 Transitional//EN\\" \\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\\"><html dir=\\"ltr\\" lang=\\"en\\"><head><meta name=\\"viewport\\" content=\\"width=device-width\\"/><meta content=\\"text/html; charset=UTF-8\\" http-equiv=\\"Content-Type\\"/><meta name=\\"x-apple-disable-message-reformatting\\"/><title>Welcome to Slipway: your trial has started</title><meta name=\\"color-scheme\\" content=\\"light dark\\"/><meta name=\\"supported-color-schemes\\" content=\\"light dark\\"/><style>\\n:root { color-scheme: light dark; supported-color-schemes: light dark; }\\n@media (prefers-color-scheme: dark) {\\n  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }\\n  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }\\n  .mail-text { color: #e8eef3 !important; }\\n  .mail-muted { color: #a5b3bf !important; }\\n  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }\\n  .mail-link { color: #7fe3e4 !important; }\\n  .mail-rule { border-color: #2d3944 !important; }\\n}</style></head><body class=\\"mail-page\\" style=\\"background-color:#f4f6f8;margin:0;padding:0\\"><!--$--><!--html--><!--head--><div style=\\"display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0\\" data-skip-in-text=\\"true\\">Your workspace is on its way.<div> ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿</div></div><!--body--><table border=\\"0\\" width=\\"100%\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" align=\\"center\\"><tbody><tr><td style=\\"margin:0;padding:32px 12px;background-color:#f4f6f8;color:#18222d;font-family:Inter, -apple-system, BlinkMacSystemFont, &#x27;Segoe UI&#x27;, Roboto, Helvetica, Arial, sans-serif\\"><div role=\\"main\\"><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" style=\\"max-width:520px;margin:0 auto\\"><tbody><tr style=\\"width:100%\\"><td><p class=\\"mail-text\\" style=\\"font-size:17px;line-height:24px;margin:0;padding:0 4px 16px;font-weight:700;letter-spacing:-0.01em;color:#18222d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">Slipway</p><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" class=\\"mail-card\\" style=\\"padding:32px 28px;background-color:#ffffff;border:1px solid #dfe5ea;border-radius:12px\\"><tbody><tr><td><h1 class=\\"mail-text\\" style=\\"margin:0 0 16px;font-size:22px;line-height:30px;font-weight:650;color:#18222d\\">Your trial has started</h1><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Hi Ada Lovelace,</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Your workspace is on its way. Your trial runs for 14 days, until 7 December 2026. No credit card required.</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">It includes 1,000 executions, 5 active workflows and 5 people. If you need more, you can choose a plan at any time.</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">When the trial ends without a plan, the workspace stops, and 7 days later it is deleted. A last backup is then kept for 30 days.</p><a href=\\"http://localhost:3000/dashboard\\" class=\\"mail-button\\" style=\\"line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;margin:8px 0 24px;padding:13px 22px;border-radius:8px;background-color:#0b5c68;color:#ffffff;font-size:15px;font-weight:600;padding-top:13px;padding-right:22px;padding-bottom:13px;padding-left:22px\\" target=\\"_blank\\"><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%;mso-text-raise:19.5\\" hidden>&#8202;&#8202;&#8202;</i><![endif]--></span><span style=\\"max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9.75px\\">Open your dashboard</span><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%\\" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></span></a><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">If the button doesn&#x27;t work, open this address in your browser:</p><a href=\\"http://localhost:3000/dashboard\\" class=\\"mail-link\\" style=\\"color:#0b5c68;text-decoration-line:none;font-size:13px;line-height:20px;word-break:break-all;text-decoration:underline\\" target=\\"_blank\\">http://localhost:3000/dashboard</a><hr class=\\"mail-rule\\" style=\\"width:100%;border:none;border-top:1px solid #dfe5ea;margin:20px 0\\"/></td></tr></tbody></table><p class=\\"mail-muted\\" style=\\"font-size:12px;line-height:18px;margin:0;padding:16px 4px 0;color:#52606d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">This email was sent by Slipway because your address was entered there.</p></td></tr></tbody></table></div></td></tr></tbody></table><!--/$--></body></html>", "text": "Your trial has started\\n\\nHi Ada Lovelace,\\n\\nYour workspace is on its way. Your trial runs for 14 days, until 7 December 2026. No credit card required.\\n\\nIt includes 1,000 executions, 5 active workflows and 5 people. If you need more, you can choose a plan at any time.\\n\\nWhen the trial ends without a plan, the workspace stops, and 7 days later it is deleted. A last backup is then kept for 30 days.\\n\\nOpen your dashboard:\\nhttp://localhost:3000/dashboard\\n\\n-- \\nThis email was sent by Slipway because your address was entered there.\\n", "send_at": "2026-11-23T05:26:59+00:00", "sent_at": null, "subject": "Welcome to Slipway: your trial has started", "attempts": 0, "failed_at": null, "recipient": "ada2@example.com", "attachment": null, "created_at": "2026-11-23T05:26:59+00:00", "last_error": null},
{"id": "01a206df-2cb8-7c83-ae85-3ae0aecf15ca", "html": "<!DOCTYPE html PUBLIC \\"-//W3C//DTD XHTML 1.0 Transitional//EN\\" \\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\\"><html dir=\\"ltr\\" lang=\\"en\\"><head><meta name=\\"viewport\\" content=\\"width=device-width\\"/><meta content=\\"text/html; charset=UTF-8\\" http-equiv=\\"Content-Type\\"/><meta name=\\"x-apple-disable-message-reformatting\\"/><title>Your receipt: invoice 2026-000001</title><meta name=\\"color-scheme\\" content=\\"light dark\\"/><meta name=\\"supported-color-schemes\\" content=\\"light dark\\"/><style>\\n:root { color-scheme: light dark; supported-color-schemes: light dark; }\\n@media (prefers-color-scheme: dark) {\\n  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }\\n  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }\\n  .mail-text { color: #e8eef3 !important; }\\n  .mail-muted { color: #a5b3bf !important; }\\n  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }\\n  .mail-link { color: #7fe3e4 !important; }\\n  .mail-rule { border-color: #2d3944 !important; }\\n}</style></head><body class=\\"mail-page\\" style=\\"background-color:#f4f6f8;margin:0;padding:0\\"><!--$--><!--html--><!--head--><div style=\\"display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0\\" data-skip-in-text=\\"true\\">We received $71.40. Thank you.<div> ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿</div></div><!--body--><table border=\\"0\\" width=\\"100%\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" align=\\"center\\"><tbody><tr><td style=\\"margin:0;padding:32px 12px;background-color:#f4f6f8;color:#18222d;font-family:Inter, -apple-system, BlinkMacSystemFont, &#x27;Segoe UI&#x27;, Roboto, Helvetica, Arial, sans-serif\\"><div role=\\"main\\"><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" style=\\"max-width:520px;margin:0 auto\\"><tbody><tr style=\\"width:100%\\"><td><p class=\\"mail-text\\" style=\\"font-size:17px;line-height:24px;margin:0;padding:0 4px 16px;font-weight:700;letter-spacing:-0.01em;color:#18222d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">Slipway</p><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" class=\\"mail-card\\" style=\\"padding:32px 28px;background-color:#ffffff;border:1px solid #dfe5ea;border-radius:12px\\"><tbody><tr><td><h1 class=\\"mail-text\\" style=\\"margin:0 0 16px;font-size:22px;line-height:30px;font-weight:650;color:#18222d\\">Thank you for your payment</h1><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Hi Ada Lovelace,</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">We received $71.40 on 23 November 2026 by Visa ending in 4242.</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Invoice 2026-000001 is attached. All your invoices are on the billing page.</p><a href=\\"http://localhost:3000/manage/billing\\" class=\\"mail-button\\" style=\\"line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;margin:8px 0 24px;padding:13px 22px;border-radius:8px;background-color:#0b5c68;color:#ffffff;font-size:15px;font-weight:600;padding-top:13px;padding-right:22px;padding-bottom:13px;padding-left:22px\\" target=\\"_blank\\"><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%;mso-text-raise:19.5\\" hidden>&#8202;&#8202;&#8202;</i><![endif]--></span><span style=\\"max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9.75px\\">Open billing</span><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%\\" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></span></a><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">If the button doesn&#x27;t work, open this address in your browser:</p><a href=\\"http://localhost:3000/manage/billing\\" class=\\"mail-link\\" style=\\"color:#0b5c68;text-decoration-line:none;font-size:13px;line-height:20px;word-break:break-all;text-decoration:underline\\" target=\\"_blank\\">http://localhost:3000/manage/billing</a><hr class=\\"mail-rule\\" style=\\"width:100%;border:none;border-top:1px solid #dfe5ea;margin:20px 0\\"/></td></tr></tbody></table><p class=\\"mail-muted\\" style=\\"font-size:12px;line-height:18px;margin:0;padding:16px 4px 0;color:#52606d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">This email was sent by Slipway because your address was entered there.</p></td></tr></tbody></table></div></td></tr></tbody></table><!--/$--></body></html>", "text": "Thank you for your payment\\n\\nHi Ada Lovelace,\\n\\nWe received $71.40 on 23 November 2026 by Visa ending in 4242.\\n\\nInvoice 2026-000001 is attached. All your invoices are on the billing page.\\n\\nOpen billing:\\nhttp://localhost:3000/manage/billing\\n\\n-- \\nThis email was sent by Slipway because your address was entered there.\\n", "send_at": "2026-11-23T05:26:59+00:00", "sent_at": null, "subject": "Your receipt: invoice 2026-000001", "attempts": 0, "failed_at": null, "recipient": "ada2@example.com", "attachment": {"name": "2026-000001.pdf", "type": "application/pdf", "base64": "JVBERi0xLjMKJf////8KOCAwIG9iago8PAovVHlwZSAvUGFnZQovUGFyZW50IDEgMCBSCi9NZWRpYUJveCBbMCAwIDU5NS4yOCA4NDEuODldCi9Db250ZW50cyA2IDAgUgovUmVzb3VyY2VzIDcgMCBSCi9Vc2VyVW5pdCAxCj4+CmVuZG9iago3IDAgb2JqCjw8Ci9Qcm9jU2V0IFsvUERGIC9UZXh0IC9JbWFnZUIgL0ltYWdlQyAvSW1hZ2VJXQovRm9udCA8PAovRjIgOSAwIFIKL0YzIDEwIDAgUgo+PgovQ29sb3JTcGFjZSA8PAo+Pgo+PgplbmRvYmoKNiAwIG9iago8PAovTGVuZ3RoIDE0NDMKL0ZpbHRlciAvRmxhdGVEZWNvZGUKPj4Kc3RyZWFtCnic3Vpbq+M2EH7Pr9AfWO2MZjTSQMnDbi/Qh0K75630IVcodAtlof37RdLYcRwfJWdpTg4NmNiybM3lm6uMDhy4d+jAZUaf1e0+r95/e/j7993hlx8+uN2XFXhQRkzCCWLOgSI58EizXxmbzAnKSO7L7s/VXytcWuTDk42ji+KSsI8pRff0efX+++BCcE/H1a/fAAACQFg7FC+AUciVQVo7zD5GlpzrAANABAABgLR28Jt7+nH13dPq50tumJBSiKyAKpAyO/BUT8YbwYHnsxFUuZEbUvBSpBRdEvVBJYxsIY1sZQBQI3qzdhg9kiTUys127dBrJAyxXu/m/O8B4AAAxyKfMpmFM3ObDIBFaBtbIbW5GNo4EgByV0QUMEqWkDiCZqgCmum2CGi4T1rn8wvUTeIlSx4UTk59PNd4UfJUr32d3hmhyNdoTqbSZELf2PX82D5Y8AE7TOwGZK2d+iRRDH5xQJoh62hoonZUZcXHK6jLWyqob7QXRqrVqB9NDOP5deWZZo7lOFf0g5UJHUSiNEW+Y59zyBjO/EbV3uM11mUgNXor0vJjJS3agRbq2pH6GCFlrFiCN+Gw+kSnRuNZWKkGvjGgk11vLXyUsLKf4QkPD9ZLumYBFjveYfQyWLph6njybMWBjVOnrq9OhKsAfBV19ni9j3sz4eDp3rjGrj03CvGNu0qRji2EYDHsHCgX5lEZ3hamZ8LtW8GrgKPLH5kx7B6sBO4gOHBDE1qiUUPUtsWwRwu3R3cNUbn9h7h2RF4UGaQipl+K3F/iSB4ThhPh06AVanVS2FpCe1XCY3OEKC5q9sBRYxprKHiTNdRt3GT2SpACLVmADInZMym4DPfMxxbEpVMQm9UWtxGU0CsJKC9BezsULe0I2QKCLgfWIVn7Gjpi9srIsugaNovr1Zizb+sh+6I8ygv++DYCOHplySRLBGzXTrKnqNSMJfDaFVUKaFsy7Ew0e4uNFiPDwcRnsTMcTYxayK90Y4VkeQkhAIWvoJ2C1xgCpKUsaIjUeyuqrWgjbkVbCJ5HNiiaXVCbXB66Utnd14cR9JxYAWJF3H4g1Xzx8dKCiok/0JUVRnq+rCZoU//VAra5nWLlPG95XfTAhpxtt9gHu5HGnoe6dAhfs0LP5dzd1CsFPWczjedFosVebrSTZlRjAtOPnXeP/azFo6FGurCbMXsny+CXyp5aEx0mJdBL3ToxewwEnHq0kEW9pt7TkrV30cmyb5ABRK9BUsy99UveOdS6z+ScURzF4BGzcnSfV5F0OvDHCnyK7p+pij9+WoHP57oTBz5PLotqHXiduRT36eNPq0+v76AS+UxaEiBO7KMkXXIB9FKnUrSQMGTF/nszAJWguAGgrf1vXh4Le2vcpedRwJGSF6SYeADHaeB1wHHnIKzBqyjn4Jijh0QE+FzDJVgj4CL8PtOOLPJ9ZIkxgWePtxvw+cpKycmnnCGL45B9fI7w23PXEtEptHPqtwpeUys95qpWkh2F/P1VrdybdAb0VBBOjiF6ichBxnxv3NYsDcWU/VCccqvIz61jd7VvdndmVIoLUtE+MxtrjO0sFz+0JtnDjIMRPGdgUUe557Fu32O4v6jLFkJIxH2S6WCwP74p2FNiD4iBHMm5wYYzgUdrrLAlmEXwatFWbOzK/v29fQ+iz4RB9QorG8v190Pj8tG9MiK+FeqTDd3tQnf/P95BqLXrWSpv3ZLtaSO5llPHSZM9D92ktsS46Wz0hmNDCqFvLw22OJ0xYQ/icof/cOqPjPSbOs9Ln/NN73q+teeGnoP9E8/Tw5TF8sJy9n9ICEuejR7HAj6PycZijT5DTpXobAPu9u8n2nwePkOQU98xQG2IgIh137mWlRcdA8PP4fkyvt7fnPDN9MJChDX7XNhdFtNgiwzT7u3lRxazju6/c6rhzgplbmRzdHJlYW0KZW5kb2JqCjEyIDAgb2JqCihTbGlwd2F5KQplbmRvYmoKMTMgMCBvYmoKKFNsaXB3YXkpCmVuZG9iagoxNCAwIG9iagooRDoyMDI2MTEyMzA1MjY1OVopCmVuZG9iagoxNSAwIG9iagooSW52b2ljZSAyMDI2LTAwMDAwMSkKZW5kb2JqCjE2IDAgb2JqCihTbGlwd2F5IEV4YW1wbGUgR21iSCkKZW5kb2JqCjE3IDAgb2JqCihEOjIwMjYxMTIzMDUyNjU5WikKZW5kb2JqCjExIDAgb2JqCjw8Ci9Qcm9kdWNlciAxMiAwIFIKL0NyZWF0b3IgMTMgMCBSCi9DcmVhdGlvbkRhdGUgMTQgMCBSCi9UaXRsZSAxNSAwIFIKL0F1dGhvciAxNiAwIFIKL01vZERhdGUgMTcgMCBSCj4+CmVuZG9iagoxOCAwIG9iago8PAovTGVuZ3RoIDI2NTUKL0ZpbHRlciAvRmxhdGVEZWNvZGUKPj4Kc3RyZWFtCniclVZ9VBTXFf+9N292YYngwi6rwaOOC7uYKCLLLkE+nBWtipiogIrA8hFBDJ+KIGAUIionpFH8KDGJjSBKqlUbQzUmaRLU0yYxOUlc40fTnhab1MbGHkWrqLBv21kWQ9N/krdndt6dN3Pvu/f+7u++NaurCqCGDIrIooK85RgczwKwFRUV5HnlNwGElpQ/PSRfBLCnNK+mYlAkqwGMr1hdMCTvAKBeUVJb6JVfBvw6ikrX1AzKI+IB7AYBwDDDdMn3bE5A/B0IPp7Vv1U3tXjvv7z/pStTd8jnawACqOcLAqi7eSCgX3P/y7uVukM++MEwee/nAdwASAJA6gByBSB9AF0J0B5AqAaEHQDTAOzngBgJiDu8VzegMgGqvYD6UUC9HVCfBnwCAJ8tgM9+wOdjwHck4NsF+J4BfO8CGhWgCQY06wHNWUDzNeA3EvCzAX75ShQ8PpiwCY+gAmqP9P1Qg5wk7s1vsBehIXN4rnBPLUPACGihhwQzpsKKOMwG7JJWInrJaoyxSnqLoJW0aqPVQrSS1qi3WC16o9WsrOrDFEl5Ra81Wi2eZ4Mr3qfCPdcC+gb3IfKlS7z78mUiy93dbhC5+78TmciyG90NvLtBlhuI3NBN5JYW3l3Bc3167kGW6+0yaXCDoLuBKF+hQW7obpB72hrkNlnOJeNz5R65rUGWc2U5FwStAGkXnRAAu1bSknZ+R3Q+iBCdIGgGWCYrQfDgmiXIaLNZooKD9VpJG20yTlCpyFY+cJfpp5x4vvJwDh9YUzirJJFuc61iDn59+/b83zW5Yuneiob4ShCYlZwyB0YAeUQKCg42GG22mCCJkA95Lgn+NDQ6xD7GYvyE6LiDOVxtxZfLyy8X09z+faDIcF9jW1gJAjAOmDXBRK3RgcpeAvU6qjJH2WzWaJNnR3pdcDAt77jZ2HizY7/yvz+zNi6uNjNzbVzcWsN2Ihw+SsSWFt5/9DB3bT+f31m4ojM//0BRYWe+240qgOxXjVaZIAFQYcJdBd2K8TRWgrDhpsdSgzpCGDJpiUqkMQZ/Ych0dtuG9MDbfhPjn5ySWRMfX5MZ+VTCY5rbgen17Q83EZm5cZHl8dlRIXkHVq7ozBsTnTzZkrYpO8prsZCVKDEbblGvl6ySesjTQbs2W4zBn9Kag7cbn/tXW+Hb2xYOlAnaummVixfXTJ+zcXFs9kztjZCNZwxbCf3NEcJ2zmi+sHPRsWjHtgULm1LrntmRLNmnTF3WNA8EOe5r7IJ4FVEesyazNJZavLE1m00ma/Rg/g3S97E2GMYKep1KRduPuFtURK1Oa05b2pSSVLvw4Lvntt7ds/dmk8Bdmpdq02rt86viX0jdsz55y4Ch5LOdTxZZbHnytBSrblLk6dc2/aG07PSzuSstS2MTF0QGhOpmFLTkNX5YPghDsnUYRLfyAS9EKZq5g3V6IGoCUrUWvSWRDsHCqLhg1JIfoKOZa3XJ9U9v/GJdzbnNOQ0pOj/CllTHx1UvXVydkLCWO1R4OzwraRN3v3OS8yZ7VrjrCF2ec6CoqCN7WXtp6f5MEEwCVC8wB4xeMAcajLbAmCDLw5lEJCGCmi3+VC2QWt5FAstGx4dIIYljVt0rC0kYI4XEhpQRHX+T32/UmUIDIwPDwnSNzMGTSzh/7RUilJMTPLmUu/a8Smg5OdG/j3w067UDKSkH2pL4E6BIcV9j/h6IxA5myxqdSGMSqXXIV7VZCcVYqtCM0Z96isTqL6j9qRIFcvqZQ/mza3cvyquLnbREtufE+/dKzR9UPNW+ZdF9zeglz+kXVtlHJMybO3qawzo13TC/tSzn2WSTj9/IUJMYM39iuBw29enn5LCluypc+lemLJx6Sl6ZuEkT6K8RfELt0ZH2CUrJ88VsK3PgUSA1xhBss8XE/E/l+1PjBFN9wri4rMQRI/kyhQQixswMsYWeJ0F8/ITCXQUx2XzVJz4BI5Lk2Szf1VZysaLiksIJgRn1M0YO0hfLF53wAyq1kl7yXq3CR64k+rxrLT0lOq/wsr/w3CsgCq5ZJnMgBKgkaiIZvFuJkYiVSGaTyWxRqdTqKNJF+HIydnXUk+Elj82zVJNR3EG6+DfNUU+Fl4TPjWqmHWfp5vfT96XM60h/37X2967CnvS2uXPb0nsG8ao6xCowUdmTJcjoQaRh8DaMO/Va48NZ8781QaMKmpJrfzFunKH85SUFbQ4+sHpBYtZU/kxqbM4TzMFvL9+QsHvX8s1JSw+ud/nTs0W5tpzprhn0YvqK6MJ5rlQQrHBfF7eLVwdZI1RhjVAPT0nDecpmsxokq6TXUSaM/oyfPdpFos+su/B6sZbfCJyesWpmzXslJe+vX/16ZgIvppkd/GvdO2Txd71kyVtzNp8ojXfMNNb989Cvvlu3dF+Zxtn1Ab/WqtSh+zrrFJ2DdejhDqPeqPSM78vx/1j6slJ8Wk6Y38N6/GRYIersWeHHRKfr/LBivPiDMmwFxLyH6X/4ayV+9Djx43dc80SnazctehChgAFUQYCotDulf6OSSEQiJmq2qKiaBFklfRT1IalUx//E+8xplieiFoa64SdoFboRVDVkyqkz/PM1Aw/IqkuXPE3pOqsa5vRQUwo2WJSu/7Dqhjtt2nSuZt25huX184L8CHOP1M3f8Gh6dWLC2vSl1fHxa3VNhJ58h5BNSVnhdPKDiGPhWfaLmftLS9uXZXcUFR3I8WLeIjohep3WK+7uEJ39AQrGUwF2R3RCDaRaPdWgTWX7uJXfYb1XrvQHsF5Q6Ny99KhYBAFBgF0vWYMkrU4BR4xBpfCmlW5zbd5LWHRcYFzgxMeXTWw/zByffko0/ecTYn3ZxyP82naBIscdxS6o2iDABszSWrTmn9o1ltfE/ZS+8Zm67N6Ot35083C78SrAtotOpoJxDkBxCmA7Pc1EwYxV0nsOaKI17JTg5Kd5n4bvJ7O/+krJOPvmAf+ncihw3yAnSARTIfRzuN1IA9gfPSrDrikqS93XWbd49UeeTV463reh/u7x3/ZtWN93PHej3b4xN7fRbm/UHSfpt26RxSdO8EO3bvFfH++p6z3W1btuXW/Xsd46hVbct1gWcyinMQ/da70psykzo2BRqahv5ZEcwqoKZ5UkELFP0E056Z//3hb6oSuvoiF+zQK6rX8f0e1oGeqpzKH0VAVDzYQxR/8+ENSzAXJUNVqJjn2CkjtLVLBepyLBiRkZidMzMthA2rT41NS4uDQv1uYOYq2SWBVWIW/TOtd44a5rC/tW03O1XweCTvcN8g8SoaicNVzlz5Kys5NmZmdrs2YmZWUlzcwCRTHAbopO+CJAwS+xaI1EryQpRmvRFtPaN4p5qrCGy2I/0V8QvuVfuDIf+TP/jqTnsTEPIkSZzKExaGV/RzN7E2b2V2TQUahiB5HB3kWGGI0cOgrNjKNZ9RYmsd1IYcdhpgxgl9HKXkSUOhrNIscK5R2xD62iE1GMI4NtQas4B6n0PHSKHnEyXhUn4xQ1oUqcjDRxMkrZVTQr+gHUsz1IpS+iU0xD8X8AE/bc1QplbmRzdHJlYW0KZW5kb2JqCjE5IDAgb2JqCjw8Ci9UeXBlIC9Gb250RGVzY3JpcHRvcgovRm9udE5hbWUgL0NaWlpaWitJbnRlci1TZW1pQm9sZAovRmxhZ3MgNAovRm9udEJCb3ggWy03NzEuNDg0Mzc1IC0zMzAuNTY2NDA2IDI1ODMuMDA3ODEzIDExMTAuODM5ODQ0XQovSXRhbGljQW5nbGUgMAovQXNjZW50IDk2OC43NQovRGVzY2VudCAtMjQxLjIxMDkzNwovQ2FwSGVpZ2h0IDcyNy41MzkwNjMKL1hIZWlnaHQgNTQ1Ljg5ODQzOAovU3RlbVYgMAovRm9udEZpbGUyIDE4IDAgUgo+PgplbmRvYmoKMjAgMCBvYmoKPDwKL1R5cGUgL0ZvbnQKL1N1YnR5cGUgL0NJREZvbnRUeXBlMgovQmFzZUZvbnQgL0NaWlpaWitJbnRlci1TZW1pQm9sZAovQ0lEU3lzdGVtSW5mbyA8PAovUmVnaXN0cnkgKEFkb2JlKQovT3JkZXJpbmcgKElkZW50aXR5KQovU3VwcGxlbWVudCAwCj4+Ci9Gb250RGVzY3JpcHRvciAxOSAwIFIKL1cgWzAgWzEzNDQgMjc2Ljg1NTQ2OSA2MTEuODE2NDA2IDU4Ni45MTQwNjMgNjA4Ljg4NjcxOSAyNjEuNzE4NzUgNTgyLjUxOTUzMSA1OTEuMzA4NTk0IDY1MC4zOTA2MjUgMjYxLjcxODc1IDYyNC4wMjM0MzggODM5LjM1NTQ2OSA1NzQuMjE4NzUgNTg4LjM3ODkwNiAyNTEuOTUzMTI1IDYwNS40Njg3NSA1NjguODQ3NjU2IDkwMC4zOTA2MjUgNzQ5LjAyMzQzOCA2MjQuMDIzNDM4IDc0NS42MDU0NjkgNzI3LjUzOTA2MyA2MjQuMDIzNDM4IDU2NS40Mjk2ODggNjYwLjE1NjI1IDM1My4wMjczNDQgNjUwLjM5MDYyNSA2NDYuOTcyNjU2IDY0Ni45NzI2NTYgMjY4LjU1NDY4OCA2NDYuOTcyNjU2IDY0Ni45NzI2NTYgNjEyLjMwNDY4OF1dCi9DSURUb0dJRE1hcCAvSWRlbnRpdHkKPj4KZW5kb2JqCjIxIDAgb2JqCjw8Ci9MZW5ndGggMzA1Ci9GaWx0ZXIgL0ZsYXRlRGVjb2RlCj4+CnN0cmVhbQp4nF1SPWvDMBDd9StuTIdgxY7jBoyhOIuHflA3U+ngSCcjqGUhK4P/fZFOTUoH6fHu7umOd8ra7tQZ7SF7c7Po0YPSRjpc5qsTCBcctWG7HKQWPrF4i2mwLGu7U78uHqfOqBnqmgFk7zjqxbsVNk9yvuBDiL06iU6bETbnto+R/mrtN05oPHDWNCBRsax9HuzLMCFkUbrtJBqv/bo9t/294mO1CHnkOxpJzBIXOwh0gxmR1Zxz3tRKKdUwNPJfOoku6m811JznvIHPO90fIxwwQnUgpghSriAoI5SJCRLQK1VFwR2x461T6EC66pFKJAWTICdGuT3JD3ti1KEkVhHkBAXJCxLkNHyRcmmksvkKvvw6ECwK67zZL67OofFx59HyYLY2ePsWdrZBFc8PZu6gvwplbmRzdHJlYW0KZW5kb2JqCjkgMCBvYmoKPDwKL1R5cGUgL0ZvbnQKL1N1YnR5cGUgL1R5cGUwCi9CYXNlRm9udCAvQ1paWlpaK0ludGVyLVNlbWlCb2xkCi9FbmNvZGluZyAvSWRlbnRpdHktSAovRGVzY2VuZGFudEZvbnRzIFsyMCAwIFJdCi9Ub1VuaWNvZGUgMjEgMCBSCj4+CmVuZG9iagoyMiAwIG9iago8PAovTGVuZ3RoIDUxMzkKL0ZpbHRlciAvRmxhdGVEZWNvZGUKPj4Kc3RyZWFtCniclVgJWFNnuv7+/5yToGIwkAU3NESCS6VKCEGrEhTCvqMiSgBFQTYRCEtkiUJAZTHSRdBK0RalKrgQbUUFbqc6tre1M2ld2mmfqr2ltrUdx7YzFsjJ7TkJSJ2Z587N8yRnzb+8//e97/v9RQXazcAFFWBYlLk5LR1sn3IA8M3M3Jxmvz4HAHNytm0avb4FgGbnppXm2y7R3wFgdn7BZvs1FgEANyOnbIv9eiaA+IvM3KJS2/XUIQA0AxAAkLBSea9Wm+K07BcgHNin94vrjPbj4SGxJUdwwuELACAAs/9AANwB2hlAWDQk/kem4IQDPPMJth8/BkALAVAJAPoRAKcD4L8AENMBiAoA4sFv3esBSCMA+TYAJQCgmCNt+3I2A3BOA3CuAnBDAbhfADi4AjicAnB4AjAhD2DCAYAJbwJM+AVgogpg4nqAiZcAJi0EmNQBMKkfwFEO4FgB4HgNwPEuwORcgMlfA/DWA/A+AXCKAXBqBHA6C+D0AYDTEMCUpQBTUgH4rgD8cwDObwE4fwXgogZw+QhAgAEErwMIegCEbgBCr9/w+BlARAKIRAAiGYDoHQDRJwDiaABxBYD4ZQDxfzErweIYDDXgCPnAZa+efriA3kZWwxmyESaiEDqVeMJVAQGTgQ9CkIAnLAYFvMCAHCDhS5BQopAqFRKhnOBL+FypQo74Er5UKFfIhVKFJ/NU6MFcMa8I+VKFnL1ne2K/SzyxxOAztANS3b5ND9y5g1SqgQErINXAbycqpFJZYUBPD+hVKj1S6QeQymikB/LpVIe7T0ClqgpQIb0VEAzoEfMv0Kv0A3rV3Xa9ql2lSkWzU1V3Ve16lSpVpUoFBCYAKp4yw3SAQr4cuWGx1Asr+HK+FHlhT7kbFvJNd7HGNTBaNn2CA+67b/kfj/DUYCnlQFHmkWCPoub4NYdrvIjmIS8i5oWKk5XbLjfMHekGBG3Wx+RMUgMigCB3mYxpUyCSe/v6sq3z5RwOnrr9ZIpptzamKux8t6tPPy/5ciO+Zgnd2ayuS8Ftw0eR02E90xIAJ50sgHnsGMXSFVjuLbIfREK+lO8jk7pzOOPP2k4jnniTIUR3QOQqyDqwLq09xbQ7KTz3BVN5SkChmtQMrS9Z9oouQbcy4cQuCw//UJbpnxdskWFrcsHy0nUWhgLarA/ISsoMIpDZpuApFUr5cr6c7dhZKMAcT2Y6PjJbpwKRCHdk7VK7CLpNPJdAfW7DzbLSm8e3NgarG7MyGoJDGl1Dk2d1UWbLp27rQxpoy9lz9EjTke392qJLeZkXy8v7sgFBpvUBqSZzwJPtEyt8nH3l3m5YKJQoJNzRrpi+GCiVYh7GRUe/ryr/qmVdV2PCyKsEkRC0e/NmY8SaQ1tW5kQJu6eVv+VqRPjUKcR56YXqW4fCW/zyTqZtem395vKudbLIJYsS9CE2jPFNMg9cWIyFcl9fBmOhbBTPbsdZr6ULlFMcVHNiqkJIzanVGRidxw6rtBGWQEBwEICMpgZhFkChAq3AY6hIfdimREIBh8NFQonwIPprfJ5fWGXM6orACzqzwfChdmlzDd2LT+/BU5N27wiKKlgeVJFQc33btsva2NZ3GugOx+OAQWd9SDZTg+DE9PEUmrGFcFb4YKZLLBQ4i3Dtse/KK77r6Pi+fMd3x3NbYmJactlfgQmt/ukxWnPhAn3i8WP6hOlYE5p0pQ9NbtpH/9x3hf6lyd5VOTUI7iC3rTzbFzsNsdQ+L7k9/ASccVHAw2wU1Cb3tm4I3/d+VcW1SufeqQ1FBR2JjnPz90bqP6kqv9+SZEyIbUoK1CYujjMKAtuR842raPHHuenntGm7ai09K9Y9X/mlsf6ruuNJB5LXv5yoSC4JSDyQbLWCEb9EuBFLORzwACZWUgFwI2UGLkAAX8qXIoUHbrw0kW5BgZR5yItyp3/54K+A2SSPoMwghKkAaRKFZBQt5pRkACQRX8rHBroFbbjw12LtN130XlT9GVJ0HKPfoSf2ddYj8nwPQns7z9E933xLnzWx7ZsBQ5J1kLjLxusSe6L7rMDKFVgxGgFcTwYphkikCikPs2ApeATXhhW6ndW1JaLqYFR65XKfzKiYgmDnrgXNZ9b47TOsPevoklCrSt8bMiksZd20gO2ByzKnxRzMSy0Ncp84mec+j6NO8/EO91yypXDR9JjD1ZZZLZ7xfq9FVQQemiycMolw8AxXLY2aCxgE1sdYS2UCwYR3gFCicLFzkVLM4UjdZQq8xtLXaVoezFeIPGYES/cfJTUHD6KJw73hQQ5ky8SJrXsAs5mZTub82wD8PRNsbvlar/+6pXVQrx9s3d6sVjdvzzeq1UZXIyJPnUaU0UgPnz5FjxiPFF3J29av1fbl510pYgYLgG9xXIFgztjB8m0pJOayzQv5+Jgl7/P1zbGqBIE3b6EsPoIZ7fBR8qe0XSuFEw5SjqtjhxVWK+NbUAmH4MggEAA4EIQZv5BjfUB8TObAAjupKVkqUfjIPD2ZxbOHub0vgUgstgU5nlbYUyQ46WpI19bHxve2vJRzqaTwyOapr4uzc9INSRvfbGne9kfXVTWp8zasSQ9aGuny3JwDxakvxgeVRc9ftnGDekW4eO6cA4UbWxMBQYX1IVlCDYKPfQxyNywfBVCqkI/DkisdyzOu0A2zI9nRfN9ADXBW16/W7E+IPbitrGytISygNDbCsJp4i6z5tLr+vRxDQUpdcM2gIP1ccXCGMqA4MnaHusO/IDIsb7lyS6j2XHr+hazKM+6OThtf0egGtgECXwAylNTAZIA0JHdhUt3XV+kiR+gevfrqjzLFzJUzFR4/XqVXkxrL1owPU1M/zMAHho8CgiLrINlNDYL3P0/nd6BKn8aHWOxGsJPZf+SH2gl/cNjYunbzEU1sbYzJdH33A+OL96vJ3skXDKn7Y9IMvi8v21+zuurxtMxLFQm5ipWl0SFJS0Vyed9LlVcyM3u255b456qjUhRO86b4Je/L1L1bYBN2spsyg5ghdImdqdiEt4Mr4ZsQ3X0vN/duN30ApRYbAwL2l9DvU+aqWwbDHf3x2MbExPqYoZv2yA8Zp4SjkS8SyxktH0vr8fEfUH+rtOxWfa4+yJln6hY4B++M2dIQEtyQkdWoDm5ybULkubOIaAhZ74Y9h7y6ZiWHHsnuKy+/mJl3qUjbv90+gyWUGSawMxBK2K+JMFiW4GpLBWXupHGnpdxqBT3dio7Bn0guqK13h2ibmpEzyBzGezDEKHeR2kVozCKgOFMXmiq/UrX9RIqpThujD8Ntlo2khv7boV3Jl5osS/FbO5vVtfa2ZrKTt7XF/1dtmWYxTZ1MOT/WFGW2VPyLplAcZQbC1hSKG6VRBL70Gjb6pgHEK8UiX1+l8ndByMNSd1mDl4syKWT6bDYefdh4fPQuLXRPqYxepKazX6V4kyNiksl0y9bMD2zhOTS8rlDJs9sKLzIHPH5vK8RcL2J0yeTeK7BSzCNGqSvWWLJG3OXoHbxByTJXvp8m1NvxlGhtafMYic2PLgxdvCBEMdNGX27KiIWLw7XxCxj7RGvISnYNZADxjKd46pukrJvio2eCpq1bMOabGhgnxUN+4+wTreFAzzjrFJo8y3IWL3jGQAGeRwL+iAVZKFGQMAL4o2PHADGyTmVSgzYM5jAYzGExkLIYsL6BxUDOIwinfvrmyZNoQf/299qzBX1TIrfVhtbeqay6Ywit3RY5pc8lu/09wUW09uEPaG3vyqrzhZFFMXN307/299G/1s2L1kYUmPSrmCC2PqBUrPQyfdpd8JgNFnBIPHyG/tXYl3JGpzut6TPSw657H7USt0f8so+nph7PJq6PzGt9tPc3EfcBoGIpM1t6QCGSIyliqIZxVS4KidAHz/wcz7lOvzszUjnHN3oa/aEaW5jwIorifukb+DVipAG1szAY8TzC7SlAhJulwA6QCYBTS5lhIZtxyI0QS1cQSiRhIt2GCxdJkRfhKXcjhHwT4qFtkyUe7pPn89w93CejLOR0CREEmiJ8fuFcHt3TQXfzZAsXTXXGBMaUeSRBsqmocLHXdu0Wd+LUkBcR71W8q9Y/aJ8hb85IFxEvza7eH+q3y7Bj8UiXPf111CCjU4X8pyaSK7RTGasTCp9xgsGKo2nbVX3lH4uqsvefy7la09FRVH+weuf6kK1Ldhfnv0jGV5xPSz5VWn7ag8e7erC4N+v43uztzSdCtSsz9hmyhs8wBZP1IRlEmcdM/3htcudwPV0kQgnB+mO7HCVU/6mcepsTVRGe1BiTsF8T1PTcuURiisUod/BqiNzSpQ/eeVeQ0VOwMvOFhJc0qS1rn3MX4fvH6UjZ4rC6Czn77u4Egp3tdcoMLjCTsf5PKXtU9aQeEm87cY9yuFRiwlNe/e9NgdsC1PXJGZ+foQ8jTfeLEfWpdAsKidkVUbefPkeZs3tyUyvCnHlk4lFtvmlrZ21aeGVEu39hZFqtPSlKqUFbvfHvksLXVyGWKCSMUSSEf6Q/6exEc/uLPzyaLXhXHLG1Jrr6VmXVZ3sqB7KX0EF4WRv9g6AXrf2eSQ31rp6ckIK4BXX0rwN99NDu7Ku1k469fpF+9PJvS/w0pBnJRXa2Q3KEEy2fX0cvTI/19fCNmYbk71vuU+aRhgi6t//XCKJoyAsQbLQjxgWIVzDSIOVvJLfQC/uo+Z2dQ7eo+bYYQgXjCLegb4xwGcBDKTNMGq8uEqGJaLB448OWTfg2ozDTOmnHTsBQCkCeZ7XIiekOyYVSppZBfCVfzi/FDYWR9FSigNaj8+j5Q6TDjyO043H6zyg5lHxubLAetsEWIgUDJbqOX7GQxB8s2dQsx+Nnh74Egq07ytgi6nnwH3XTvr5KxVMPMc4HPSu5Ls9KcNmBb3ZG1MTn6otvGKpvlOzMiq2Jqv7mlU3G6ITmDZrmhKjm9GhdcOCO2LgdgUHlguzLZZojOU4OM3qLC3oyMnoKintnODjlHNGUXc7uCNBGx1eFhlbFR2sDcL9/QXh43vLleeHhBf5j9dK3T+slT7md46SsbrGjF7thlvs5hPe48pAZ5/qqa5XOl8UNxQVvrHOcm78nSn+rqvKr1g1vt2wIb3o/L7A40Tt+34akfQmxDYJ0U8mmmlratHzd4qov99V/XUegoDb60Y1r9I2Pc3G/b3LJyjUvJ687sGH9y4nMyGgtV0W1QSisAwhwn2NTvjlyb5IRItvgPKVsETAKsViuGNup8JHJ5kjdSVsakKMVN/EM0KTgS7rz+1LdtyjqkxtIac4SBe0p8tElT3CYVrvd0LM++1JJ6s7pE9tWqUKj3OI7rdB1in58eePGd9CM3pjW0pkLvPZ3tKWVKJeVrI0rWuGdT2t136O1n99EcT9UGL6i77dk3+7JnR22QpVWc6+x9pMdalmCJXdZUvqfXi//tjd363X63oW36XtXt7h5TGxwkU3FoVGHi0vrlKsbEzYc3QQI2q0/oW6EmFAPcmemKfdm4gh5+kVH+/lFR09mf/38ogFBAON2SA27H4S4SC62J6VSjhRI6mlXHG4AuojoFHO9b/R8zYJgZdMNOhmd//Mbish5KfPUvsdw9V68+dOE5sDA5oRPLS8aLHuH4xoDAhrjhtkoL6LeoAaBC2KGdQLkYrGL1NOTO8Y+tor0n0p687Vj859cOzq/r5++eeoUWtDfj+afPEnf6jfcrqq6bai9U1V1B5k/W0pf+Mzv4Kg099Jv/vCQfvPimTrE7RtA3DqbRg/tBgz3WIVh2IEhASYn7UX0PaKVPmuro9vbf1dJF1llZDfnFBBMuRDEl/M9/79+f3Xpsv/c8X/GrX2iG/iPbb/VCgesD8lWapDkwISZABiarA/Jo//xrknLse905d92dHy3Q/ft8dyW6Ghm1yQ6mtk1WfP4d7smjcjxSj9ybGqif+6/Qv/cyOxOWH9CbQiRHPB5BEDBoPUrzi/Ud8CHWbAY/GEVk4EymWKMyuwkprBLt1AgQv/Hc4rRhkkp1asCqzWpO1eu2pkSsWJZVHiAPymw39wV8PTmiBMJb44A4R+/Ny4qbk98/J64qLi98dVbV0WtzMpaGbVq64jk3z7awqy71QplAOQFykxy4HkEViuKwi8RnxNLSS54QB9kW61wAYAsY99YlMBAnkmryTDWaitsM/ZUsvGhGM+GtuqJYRqGEJ8h7k3l50ulza7BZRtru/guQTtzam+V627X5+xUu/BP7/qi0V5INQWHNNFq/8zlmtlRSv3eu7MTV1X9fLrL2hC8wa1n2GB8aw3OST6tKzmfkXshv/DMJqsV2vFy1E2Ec7iM9uIwQKAG4KhJDUifKXvH1R5SgtkK5mEugVrprv7dM1SzZrmtmFk7UDNjudvs2f4zd/fTXT37RfPnCucK5s0X7Sc1tGu6pb2VzkIPaNcMy+FDlq3owfBRNBTZ3rl2zZtHw2mOfe95xagEy/kSdl9Ywjf1Eby+vpHHlNlSjmuGvPAxS9Jo8URqGC1n3m4zkRq2+NZRQqTlsDkcP47d/iEPC5P7hIVRQvVi76Ag78VqhgmJQ+iazQ/Eu8iJ9sQbrxKHsNLyHqVCIb+BYiIvQRsXQxs5CG3kCcgkCGgj78FByhF05N9BR3SDkQiAVOoamMhKSMJtIMAqAPIDyMR/BwF6BOXkEsgh/wYVZBX4Uu5QRM0AEzkImeRFMOEo0JO90Mb0gx5BG/MO2QyZbH8AQN0BHfUzmCgD+DB9cZeCifwRTGQ/6KllYKKegI55Rs2HjVgGJvIjMFELoJSsg43kT7YxcntBh6OgndRAAMcNdNQiuMeOYxEcoBZBE5aBkfsXGKQWQRm1CEVRi+AC+QAymf9wGkBNPQYTMzYA0GERtP8v5cYAgQplbmRzdHJlYW0KZW5kb2JqCjIzIDAgb2JqCjw8Ci9UeXBlIC9Gb250RGVzY3JpcHRvcgovRm9udE5hbWUgL0RaWlpaWitJbnRlci1SZWd1bGFyCi9GbGFncyA0Ci9Gb250QkJveCBbLTczOC43Njk1MzEgLTMyMi4yNjU2MjUgMjU4My4wMDc4MTMgMTEwNy45MTAxNTZdCi9JdGFsaWNBbmdsZSAwCi9Bc2NlbnQgOTY4Ljc1Ci9EZXNjZW50IC0yNDEuMjEwOTM3Ci9DYXBIZWlnaHQgNzI3LjUzOTA2MwovWEhlaWdodCA1NDUuODk4NDM4Ci9TdGVtViAwCi9Gb250RmlsZTIgMjIgMCBSCj4+CmVuZG9iagoyNCAwIG9iago8PAovVHlwZSAvRm9udAovU3VidHlwZSAvQ0lERm9udFR5cGUyCi9CYXNlRm9udCAvRFpaWlpaK0ludGVyLVJlZ3VsYXIKL0NJRFN5c3RlbUluZm8gPDwKL1JlZ2lzdHJ5IChBZG9iZSkKL09yZGVyaW5nIChJZGVudGl0eSkKL1N1cHBsZW1lbnQgMAo+PgovRm9udERlc2NyaXB0b3IgMjMgMCBSCi9XIFswIFsxMzQ0IDc1My40MTc5NjkgNTkxLjMwODU5NCA4NzUuOTc2NTYzIDYxMi4zMDQ2ODggNTgzLjAwNzgxMyAzNzYuNDY0ODQ0IDYwOS44NjMyODEgNjMwLjg1OTM3NSA2MjAuMTE3MTg4IDQ1OS45NjA5MzggNDA2LjczODI4MSA3MjEuNjc5Njg4IDU2MS41MjM0MzggMzI3LjE0ODQzOCAyODEuMjUgNTk5LjYwOTM3NSAzNzAuMTE3MTg4IDI0Mi4xODc1IDUyNy44MzIwMzEgNjE3LjY3NTc4MSA1NjIuMDExNzE5IDY0MS42MDE1NjMgNjM4LjY3MTg3NSA2MTIuMzA0Njg4IDU5MC4zMzIwMzEgMjg4LjA4NTkzOCA1OTAuODIwMzEzIDU5MS4zMDg1OTQgMjQyLjE4NzUgNTYyLjAxMTcxOSA1NzEuMjg5MDYzIDYxMi4zMDQ2ODggNTAwIDczMC40Njg3NSA3NDQuMTQwNjI1IDY4OS45NDE0MDYgNDU5Ljk2MDkzOCA5MDMuMzIwMzEzIDYxNi4yMTA5MzggNTkzLjI2MTcxOSA2NTQuMjk2ODc1IDc0Ni4wOTM3NSA2ODkuOTQxNDA2IDY0NS41MDc4MTMgMjY4LjU1NDY4OCA2MDEuMDc0MjE5IDY0NS45OTYwOTQgNTY1LjkxNzk2OSA2MTguNjUyMzQ0IDYyMC4xMTcxODggOTY1LjgyMDMxMyAyODguMDg1OTM4IDU0NS44OTg0MzggNzY0LjY0ODQzOCA2NDguNDM3NSA2NDEuNjAxNTYzIDY0OC40Mzc1IDY0OC40Mzc1IDI2OC41NTQ2ODggOTgxLjkzMzU5NCA2NDguNDM3NSA2NDguNDM3NSA2NDguNDM3NSA2MTMuMjgxMjUgMjg4LjA4NTkzOCA4MTguMzU5Mzc1IDc0My4xNjQwNjNdXQovQ0lEVG9HSURNYXAgL0lkZW50aXR5Cj4+CmVuZG9iagoyNSAwIG9iago8PAovTGVuZ3RoIDM3NgovRmlsdGVyIC9GbGF0ZURlY29kZQo+PgpzdHJlYW0KeJxdUz1vgzAQ3fkVHtshAmwDqYSQKrIw9EOlmaoOBJ8jpMYgxxn49xV+Tko6wNO7u3dfHHHd7BozOBa/27FvyTE9GGXpPF5sT+xAx8FEKWdq6F1g/t2fuimK62bXzmdHp8bokZVlxFj8Qcfh7OzMHp7VeKDHxfZmFdnBHNnDvm69pb1M0w+dyDiWRFXFFOkorl+66bU7EYu9dNMoMm5w82Zft38Rn/NEjHueoqV+VHSeup5sZ44UlUmSJFWptdZVREb9cwfRQa+jWZkkUlTsa0XJQ5F5yBWAA2AswEQA6ETugUMgUiST0IEVYByCXAOgy58QIiAHFPBlYFnQIYsM9XoY0XW+BcBYIGceki1ynqTiNvWSExPJdN28BCg0KEIIppUFdKGz0AsKSUQKGAUiBVoSIQQz8LBk+LJ0vTMu1/sUdwJ+V+G6axTKAQdAAZDb6ns5hutnX+5iueHbzfUXa8k4f+j+zpYLGwzd/oVpnBaVf34BhNjS2wplbmRzdHJlYW0KZW5kb2JqCjEwIDAgb2JqCjw8Ci9UeXBlIC9Gb250Ci9TdWJ0eXBlIC9UeXBlMAovQmFzZUZvbnQgL0RaWlpaWitJbnRlci1SZWd1bGFyCi9FbmNvZGluZyAvSWRlbnRpdHktSAovRGVzY2VuZGFudEZvbnRzIFsyNCAwIFJdCi9Ub1VuaWNvZGUgMjUgMCBSCj4+CmVuZG9iago0IDAgb2JqCjw8Cj4+CmVuZG9iagozIDAgb2JqCjw8Ci9UeXBlIC9DYXRhbG9nCi9QYWdlcyAxIDAgUgovTmFtZXMgMiAwIFIKL0xhbmcgKGVuKQovVmlld2VyUHJlZmVyZW5jZXMgNSAwIFIKPj4KZW5kb2JqCjEgMCBvYmoKPDwKL1R5cGUgL1BhZ2VzCi9Db3VudCAxCi9LaWRzIFs4IDAgUl0KPj4KZW5kb2JqCjIgMCBvYmoKPDwKL0Rlc3RzIDw8CiAgL05hbWVzIFsKXQo+Pgo+PgplbmRvYmoKNSAwIG9iago8PAovRGlzcGxheURvY1RpdGxlIHRydWUKPj4KZW5kb2JqCnhyZWYKMCAyNgowMDAwMDAwMDAwIDY1NTM1IGYgCjAwMDAwMTMzMDkgMDAwMDAgbiAKMDAwMDAxMzM2NiAwMDAwMCBuIAowMDAwMDEzMjExIDAwMDAwIG4gCjAwMDAwMTMxOTAgMDAwMDAgbiAKMDAwMDAxMzQxMyAwMDAwMCBuIAowMDAwMDAwMjU1IDAwMDAwIG4gCjAwMDAwMDAxMzcgMDAwMDAgbiAKMDAwMDAwMDAxNSAwMDAwMCBuIAowMDAwMDA2MDM3IDAwMDAwIG4gCjAwMDAwMTMwNDIgMDAwMDAgbiAKMDAwMDAwMTk3MiAwMDAwMCBuIAowMDAwMDAxNzcxIDAwMDAwIG4gCjAwMDAwMDE3OTcgMDAwMDAgbiAKMDAwMDAwMTgyMyAwMDAwMCBuIAowMDAwMDAxODU5IDAwMDAwIG4gCjAwMDAwMDE4OTcgMDAwMDAgbiAKMDAwMDAwMTkzNiAwMDAwMCBuIAowMDAwMDAyMDkzIDAwMDAwIG4gCjAwMDAwMDQ4MjIgMDAwMDAgbiAKMDAwMDAwNTA4OCAwMDAwMCBuIAowMDAwMDA1NjU5IDAwMDAwIG4gCjAwMDAwMDYxODUgMDAwMDAgbiAKMDAwMDAxMTM5OCAwMDAwMCBuIAowMDAwMDExNjYzIDAwMDAwIG4gCjAwMDAwMTI1OTMgMDAwMDAgbiAKdHJhaWxlcgo8PAovU2l6ZSAyNgovUm9vdCAzIDAgUgovSW5mbyAxMSAwIFIKL0lEIFs8YWJmZTk0NWJkZjk2NjYxMzJlYzljNDZmOTNmNDUyZWE+IDxhYmZlOTQ1YmRmOTY2NjEzMmVjOWM0NmY5M2Y0NTJlYT5dCj4+CnN0YXJ0eHJlZgoxMzQ1NgolJUVPRgo="}, "created_at": "2026-11-23T05:26:59+00:00", "last_error": null},
{"id": "01a206df-577f-7d48-ad32-91fc746393f3", "html": "<!DOCTYPE html PUBLIC \\"-//W3C//DTD XHTML 1.0 Transitional//EN\\" \\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\\"><html dir=\\"ltr\\" lang=\\"en\\"><head><meta name=\\"viewport\\" content=\\"width=device-width\\"/><meta content=\\"text/html; charset=UTF-8\\" http-equiv=\\"Content-Type\\"/><meta name=\\"x-apple-disable-message-reformatting\\"/><title>Confirm your email address</title><meta name=\\"color-scheme\\" content=\\"light dark\\"/><meta name=\\"supported-color-schemes\\" content=\\"light dark\\"/><style>\\n:root { color-scheme: light dark; supported-color-schemes: light dark; }\\n@media (prefers-color-scheme: dark) {\\n  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }\\n  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }\\n  .mail-text { color: #e8eef3 !important; }\\n  .mail-muted { color: #a5b3bf !important; }\\n  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }\\n  .mail-link { color: #7fe3e4 !important; }\\n  .mail-rule { border-color: #2d3944 !important; }\\n}</style></head><body class=\\"mail-page\\" style=\\"background-color:#f4f6f8;margin:0;padding:0\\"><!--$--><!--html--><!--head--><div style=\\"display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0\\" data-skip-in-text=\\"true\\">Confirm your address to set up your workspace.<div> ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿</div></div><!--body--><table border=\\"0\\" width=\\"100%\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" align=\\"center\\"><tbody><tr><td style=\\"margin:0;padding:32px 12px;background-color:#f4f6f8;color:#18222d;font-family:Inter, -apple-system, BlinkMacSystemFont, &#x27;Segoe UI&#x27;, Roboto, Helvetica, Arial, sans-serif\\"><div role=\\"main\\"><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" style=\\"max-width:520px;margin:0 auto\\"><tbody><tr style=\\"width:100%\\"><td><p class=\\"mail-text\\" style=\\"font-size:17px;line-height:24px;margin:0;padding:0 4px 16px;font-weight:700;letter-spacing:-0.01em;color:#18222d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">Slipway</p><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" class=\\"mail-card\\" style=\\"padding:32px 28px;background-color:#ffffff;border:1px solid #dfe5ea;border-radius:12px\\"><tbody><tr><td><h1 class=\\"mail-text\\" style=\\"margin:0 0 16px;font-size:22px;line-height:30px;font-weight:650;color:#18222d\\">Confirm your email address</h1><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Hi Ada Lovelace,</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Welcome to Slipway. Confirm that this address is yours to set up your workspace.</p><a href=\\"http://localhost:10598/confirm-email?token=yqwti_reqlhX_YOLLkgkySRuQi-G8gQActPkyAwmVMY\\" class=\\"mail-button\\" style=\\"line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;margin:8px 0 24px;padding:13px 22px;border-radius:8px;background-color:#0b5c68;color:#ffffff;font-size:15px;font-weight:600;padding-top:13px;padding-right:22px;padding-bottom:13px;padding-left:22px\\" target=\\"_blank\\"><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%;mso-text-raise:19.5\\" hidden>&#8202;&#8202;&#8202;</i><![endif]--></span><span style=\\"max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9.75px\\">Confirm email address</span><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%\\" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></span></a><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">If the button doesn&#x27;t work, open this address in your browser:</p><a href=\\"http://localhost:10598/confirm-email?token=yqwti_reqlhX_YOLLkgkySRuQi-G8gQActPkyAwmVMY\\" class=\\"mail-link\\" style=\\"color:#0b5c68;text-decoration-line:none;font-size:13px;line-height:20px;word-break:break-all;text-decoration:underline\\" target=\\"_blank\\">http://localhost:10598/confirm-email?token=yqwti_reqlhX_YOLLkgkySRuQi-G8gQActPkyAwmVMY</a><hr class=\\"mail-rule\\" style=\\"width:100%;border:none;border-top:1px solid #dfe5ea;margin:20px 0\\"/><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">The link works for 24 hours. After that, sign in and request a new one.</p><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">Didn&#x27;t ask for this? Someone probably mistyped their own address. Ignore this email and nothing happens.</p></td></tr></tbody></table><p class=\\"mail-muted\\" style=\\"font-size:12px;line-height:18px;margin:0;padding:16px 4px 0;color:#52606d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">This email was sent by Slipway because your address was entered there.</p></td></tr></tbody></table></div></td></tr></tbody></table><!--/$--></body></html>", "text": "Confirm your email address\\n\\nHi Ada Lovelace,\\n\\nWelcome to Slipway. Confirm that this address is yours to set up your workspace.\\n\\nConfirm email address:\\nhttp://localhost:10598/confirm-email?token=yqwti_reqlhX_YOLLkgkySRuQi-G8gQActPkyAwmVMY\\n\\nThe link works for 24 hours. After that, sign in and request a new one.\\n\\nDidn''t ask for this? Someone probably mistyped their own address. Ignore this email and nothing happens.\\n\\n-- \\nThis email was sent by Slipway because your address was entered there.\\n", "send_at": null, "sent_at": "2026-11-23T05:27:10.114+00:00", "subject": "Confirm your email address", "attempts": 0, "failed_at": null, "recipient": "ada@example.com", "attachment": null, "created_at": "2026-11-23T05:27:09.951+00:00", "last_error": null},
{"id": "01a206df-5a80-7111-8611-49e5d95490cc", "html": "<!DOCTYPE html PUBLIC \\"-//W3C//DTD XHTML 1.0 Transitional//EN\\" \\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\\"><html dir=\\"ltr\\" lang=\\"en\\"><head><meta name=\\"viewport\\" content=\\"width=device-width\\"/><meta content=\\"text/html; charset=UTF-8\\" http-equiv=\\"Content-Type\\"/><meta name=\\"x-apple-disable-message-reformatting\\"/><title>Welcome to Slipway: your trial has started</title><meta name=\\"color-scheme\\" content=\\"light dark\\"/><meta name=\\"supported-color-schemes\\" content=\\"light dark\\"/><style>\\n:root { color-scheme: light dark; supported-color-schemes: light dark; }\\n@media (prefers-color-scheme: dark) {\\n  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }\\n  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }\\n  .mail-text { color: #e8eef3 !important; }\\n  .mail-muted { color: #a5b3bf !important; }\\n  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }\\n  .mail-link { color: #7fe3e4 !important; }\\n  .mail-rule { border-color: #2d3944 !important; }\\n}</style></head><body class=\\"mail-page\\" style=\\"background-color:#f4f6f8;margin:0;padding:0\\"><!--$--><!--html--><!--head--><div style=\\"display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0\\" data-skip-in-text=\\"true\\">Your workspace is on its way.<div> ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿</div></div><!--body--><table border=\\"0\\" width=\\"100%\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" align=\\"center\\"><tbody><tr><td style=\\"margin:0;padding:32px 12px;background-color:#f4f6f8;color:#18222d;font-family:Inter, -apple-system, BlinkMacSystemFont, &#x27;Segoe UI&#x27;, Roboto, Helvetica, Arial, sans-serif\\"><div role=\\"main\\"><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" style=\\"max-width:520px;margin:0 auto\\"><tbody><tr style=\\"width:100%\\"><td><p class=\\"mail-text\\" style=\\"font-size:17px;line-height:24px;margin:0;padding:0 4px 16px;font-weight:700;letter-spacing:-0.01em;color:#18222d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">Slipway</p><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" class=\\"mail-card\\" style=\\"padding:32px 28px;background-color:#ffffff;border:1px solid #dfe5ea;border-radius:12px\\"><tbody><tr><td><h1 class=\\"mail-text\\" style=\\"margin:0 0 16px;font-size:22px;line-height:30px;font-weight:650;color:#18222d\\">Your trial has started</h1><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Hi Ada Lovelace,</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Your workspace is on its way. Your trial runs for 14 days, until 7 December 2026. No credit card required.</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">It includes 1,000 executions, 5 active workflows and 5 people. If you need more, you can choose a plan at any time.</p><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">When the trial ends without a plan, the workspace stops, and 7 days later it is deleted. A last backup is then kept for 30 days.</p><a href=\\"http://localhost:10598/dashboard\\" class=\\"mail-button\\" style=\\"line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;margin:8px 0 24px;padding:13px 22px;border-radius:8px;background-color:#0b5c68;color:#ffffff;font-size:15px;font-weight:600;padding-top:13px;padding-right:22px;padding-bottom:13px;padding-left:22px\\" target=\\"_blank\\"><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%;mso-text-raise:19.5\\" hidden>&#8202;&#8202;&#8202;</i><![endif]--></span><span style=\\"max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9.75px\\">Open your dashboard</span><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%\\" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></span></a><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">If the button doesn&#x27;t work, open this address in your browser:</p><a href=\\"http://localhost:10598/dashboard\\" class=\\"mail-link\\" style=\\"color:#0b5c68;text-decoration-line:none;font-size:13px;line-height:20px;word-break:break-all;text-decoration:underline\\" target=\\"_blank\\">http://localhost:10598/dashboard</a><hr class=\\"mail-rule\\" style=\\"width:100%;border:none;border-top:1px solid #dfe5ea;margin:20px 0\\"/></td></tr></tbody></table><p class=\\"mail-muted\\" style=\\"font-size:12px;line-height:18px;margin:0;padding:16px 4px 0;color:#52606d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">This email was sent by Slipway because your address was entered there.</p></td></tr></tbody></table></div></td></tr></tbody></table><!--/$--></body></html>", "text": "Your trial has started\\n\\nHi Ada Lovelace,\\n\\nYour workspace is on its way. Your trial runs for 14 days, until 7 December 2026. No credit card required.\\n\\nIt includes 1,000 executions, 5 active workflows and 5 people. If you need more, you can choose a plan at any time.\\n\\nWhen the trial ends without a plan, the workspace stops, and 7 days later it is deleted. A last backup is then kept for 30 days.\\n\\nOpen your dashboard:\\nhttp://localhost:10598/dashboard\\n\\n-- \\nThis email was sent by Slipway because your address was entered there.\\n", "send_at": null, "sent_at": "2026-11-23T05:27:11.142+00:00", "subject": "Welcome to Slipway: your trial has started", "attempts": 0, "failed_at": null, "recipient": "ada@example.com", "attachment": null, "created_at": "2026-11-23T05:27:10.72+00:00", "last_error": null},
{"id": "01a206df-7b4c-7000-bb8c-fc6fb822cddb", "html": "<!DOCTYPE html PUBLIC \\"-//W3C//DTD XHTML 1.0 Transitional//EN\\" \\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\\"><html dir=\\"ltr\\" lang=\\"en\\"><head><meta name=\\"viewport\\" content=\\"width=device-width\\"/><meta content=\\"text/html; charset=UTF-8\\" http-equiv=\\"Content-Type\\"/><meta name=\\"x-apple-disable-message-reformatting\\"/><title>Ada Lovelace invited you to their workspace ada</title><meta name=\\"color-scheme\\" content=\\"light dark\\"/><meta name=\\"supported-color-schemes\\" content=\\"light dark\\"/><style>\\n:root { color-scheme: light dark; supported-color-schemes: light dark; }\\n@media (prefers-color-scheme: dark) {\\n  .mail-page, .mail-page > table > tbody > tr > td { background-color: #10161c !important; }\\n  .mail-card { background-color: #19222b !important; border-color: #2d3944 !important; }\\n  .mail-text { color: #e8eef3 !important; }\\n  .mail-muted { color: #a5b3bf !important; }\\n  .mail-button { background-color: #7fe3e4 !important; color: #06262b !important; }\\n  .mail-link { color: #7fe3e4 !important; }\\n  .mail-rule { border-color: #2d3944 !important; }\\n}</style></head><body class=\\"mail-page\\" style=\\"background-color:#f4f6f8;margin:0;padding:0\\"><!--$--><!--html--><!--head--><div style=\\"display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0\\" data-skip-in-text=\\"true\\">Choose a name and a password to join.<div> ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿ ‌​‍‎‏﻿</div></div><!--body--><table border=\\"0\\" width=\\"100%\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" align=\\"center\\"><tbody><tr><td style=\\"margin:0;padding:32px 12px;background-color:#f4f6f8;color:#18222d;font-family:Inter, -apple-system, BlinkMacSystemFont, &#x27;Segoe UI&#x27;, Roboto, Helvetica, Arial, sans-serif\\"><div role=\\"main\\"><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" style=\\"max-width:520px;margin:0 auto\\"><tbody><tr style=\\"width:100%\\"><td><p class=\\"mail-text\\" style=\\"font-size:17px;line-height:24px;margin:0;padding:0 4px 16px;font-weight:700;letter-spacing:-0.01em;color:#18222d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">Slipway</p><table align=\\"center\\" width=\\"100%\\" border=\\"0\\" cellPadding=\\"0\\" cellSpacing=\\"0\\" role=\\"presentation\\" class=\\"mail-card\\" style=\\"padding:32px 28px;background-color:#ffffff;border:1px solid #dfe5ea;border-radius:12px\\"><tbody><tr><td><h1 class=\\"mail-text\\" style=\\"margin:0 0 16px;font-size:22px;line-height:30px;font-weight:650;color:#18222d\\">You&#x27;re invited</h1><p class=\\"mail-text\\" style=\\"font-size:15px;line-height:24px;margin:0 0 16px;color:#18222d;margin-top:0;margin-right:0;margin-bottom:16px;margin-left:0\\">Ada Lovelace invited you to their workspace ada, where they build automations. Choose a name and a password to join.</p><a href=\\"http://ada.localhost:10598/signup?token=member-1\\" class=\\"mail-button\\" style=\\"line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;margin:8px 0 24px;padding:13px 22px;border-radius:8px;background-color:#0b5c68;color:#ffffff;font-size:15px;font-weight:600;padding-top:13px;padding-right:22px;padding-bottom:13px;padding-left:22px\\" target=\\"_blank\\"><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%;mso-text-raise:19.5\\" hidden>&#8202;&#8202;&#8202;</i><![endif]--></span><span style=\\"max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9.75px\\">Join the workspace</span><span><!--[if mso]><i style=\\"mso-font-width:366.66666666666663%\\" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></span></a><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">If the button doesn&#x27;t work, open this address in your browser:</p><a href=\\"http://ada.localhost:10598/signup?token=member-1\\" class=\\"mail-link\\" style=\\"color:#0b5c68;text-decoration-line:none;font-size:13px;line-height:20px;word-break:break-all;text-decoration:underline\\" target=\\"_blank\\">http://ada.localhost:10598/signup?token=member-1</a><hr class=\\"mail-rule\\" style=\\"width:100%;border:none;border-top:1px solid #dfe5ea;margin:20px 0\\"/><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">You get your own space for your workflows and credentials.</p><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">The workspace is at http://ada.localhost:10598. From now on, sign in there.</p><p class=\\"mail-muted\\" style=\\"font-size:13px;line-height:20px;margin:0 0 8px;color:#52606d;margin-top:0;margin-right:0;margin-bottom:8px;margin-left:0\\">Don&#x27;t know this person? Ignore this email and nothing happens.</p></td></tr></tbody></table><p class=\\"mail-muted\\" style=\\"font-size:12px;line-height:18px;margin:0;padding:16px 4px 0;color:#52606d;margin-top:0;margin-bottom:0;margin-left:0;margin-right:0\\">This email was sent by Slipway because your address was entered there.</p></td></tr></tbody></table></div></td></tr></tbody></table><!--/$--></body></html>", "text": "You''re invited\\n\\nAda Lovelace invited you to their workspace ada, where they build automations. Choose a name and a password to join.\\n\\nJoin the workspace:\\nhttp://ada.localhost:10598/signup?token=member-1\\n\\nYou get your own space for your workflows and credentials.\\n\\nThe workspace is at http://ada.localhost:10598. From now on, sign in there.\\n\\nDon''t know this person? Ignore this email and nothing happens.\\n\\n-- \\nThis email was sent by Slipway because your address was entered there.\\n", "send_at": null, "sent_at": "2026-11-23T05:27:19.179+00:00", "subject": "Ada Lovelace invited you to their workspace ada", "attempts": 0, "failed_at": null, "recipient": "mate@example.com", "attachment": null, "created_at": "2026-11-23T05:27:19.116+00:00", "last_error": null}]');
insert into "payments" select * from jsonb_populate_recordset(null::"payments", '[{"at": "2026-11-23T05:26:59+00:00", "id": "01a206df-2cb8-7a7c-8d82-0e165bf56468", "brand": "visa", "amount": 7140, "reason": null, "status": "succeeded", "currency": "USD", "provider": "sandbox", "last_four": "4242", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "invoice_id": "01a206df-2cb8-78e8-9152-f8f993f3f6ef", "provider_payment_id": "pay_01a206df96687689a0440e02587db62e"}]');
insert into "plan_specs" select * from jsonb_populate_recordset(null::"plan_specs", '[{"id": "custom", "spec": {"memoryMb": 2048, "metadata": {"slug": "custom", "group": "opt-out", "version": "v3"}, "backupDays": 30, "n8nLicense": true, "displayName": "Pro custom", "supportTier": "email", "enabledFeatures": ["shared-projects-3", "insights-7-days", "advanced-permissions", "admin-roles", "global-variables", "workflow-history-5-days", "execution-search"], "licenseFeatures": {"quota:users": -1}, "credentialsLimit": -1, "stopAfterMinutes": 4320, "allowCustomQuotas": true, "sleepAfterMinutes": 120, "activeWorkflowsLimit": 50, "userManagementEnabled": true, "monthlyExecutionsLimit": 50000, "pruneExecutionsInterval": 720}},
{"id": "enterprise", "spec": {"memoryMb": 4096, "metadata": {"slug": "custom", "group": "enterprise", "version": "v3"}, "backupDays": 30, "n8nLicense": true, "displayName": "Enterprise", "supportTier": "dedicated", "enabledFeatures": ["shared-projects-unlimited", "insights-365-days", "advanced-permissions", "admin-roles", "global-variables", "workflow-history-unlimited", "execution-search", "ldap", "environments", "external-secrets", "log-streaming", "version-control", "scaling", "extended-retention", "dedicated-support", "invoice-billing"], "licenseFeatures": {"quota:users": -1}, "credentialsLimit": -1, "stopAfterMinutes": 4320, "allowCustomQuotas": false, "sleepAfterMinutes": 240, "activeWorkflowsLimit": -1, "userManagementEnabled": true, "monthlyExecutionsLimit": -1, "pruneExecutionsInterval": 720}},
{"id": "large", "spec": {"metadata": {"slug": "large", "group": "legacy", "version": "v2"}, "backupDays": 30, "displayName": "Large", "supportTier": "email", "enabledFeatures": ["shared-projects-1", "insights-7-days", "workflow-history-5-days"], "licenseFeatures": {"quota:users": -1}, "credentialsLimit": -1, "stopAfterMinutes": 1440, "allowCustomQuotas": false, "sleepAfterMinutes": 60, "activeWorkflowsLimit": 200, "userManagementEnabled": true, "monthlyExecutionsLimit": 200000, "pruneExecutionsInterval": 720}},
{"id": "power", "spec": {"metadata": {"slug": "power", "group": "legacy", "version": "v2"}, "backupDays": 30, "displayName": "Power", "supportTier": "email", "enabledFeatures": ["shared-projects-1", "insights-7-days", "workflow-history-5-days"], "licenseFeatures": {"quota:users": -1}, "credentialsLimit": -1, "stopAfterMinutes": 1440, "allowCustomQuotas": false, "sleepAfterMinutes": 60, "activeWorkflowsLimit": 30, "userManagementEnabled": true, "monthlyExecutionsLimit": 30000, "pruneExecutionsInterval": 720}},
{"id": "pro-1", "spec": {"metadata": {"slug": "pro-1", "group": "opt-out", "version": "v3"}, "backupDays": 30, "n8nLicense": true, "displayName": "Pro", "supportTier": "email", "enabledFeatures": ["shared-projects-3", "insights-7-days", "advanced-permissions", "admin-roles", "global-variables", "workflow-history-5-days", "execution-search"], "licenseFeatures": {"quota:users": -1}, "credentialsLimit": -1, "stopAfterMinutes": 1440, "allowCustomQuotas": true, "sleepAfterMinutes": 60, "activeWorkflowsLimit": 15, "userManagementEnabled": true, "monthlyExecutionsLimit": 10000, "pruneExecutionsInterval": 720}},
{"id": "pro-2", "spec": {"memoryMb": 2048, "metadata": {"slug": "pro-2", "group": "opt-out", "version": "v3"}, "backupDays": 30, "n8nLicense": true, "displayName": "Pro", "supportTier": "email", "enabledFeatures": ["shared-projects-3", "insights-7-days", "advanced-permissions", "admin-roles", "global-variables", "workflow-history-5-days", "execution-search"], "licenseFeatures": {"quota:users": -1}, "credentialsLimit": -1, "stopAfterMinutes": 1440, "allowCustomQuotas": true, "sleepAfterMinutes": 60, "activeWorkflowsLimit": 50, "userManagementEnabled": true, "monthlyExecutionsLimit": 50000, "pruneExecutionsInterval": 720}},
{"id": "starter", "spec": {"metadata": {"slug": "starter", "group": "opt-out", "version": "v3"}, "backupDays": 7, "displayName": "Starter", "supportTier": "forum", "enabledFeatures": ["shared-projects-1", "insights-7-days", "workflow-history-1-day"], "licenseFeatures": {"quota:users": -1}, "credentialsLimit": -1, "stopAfterMinutes": 720, "allowCustomQuotas": false, "sleepAfterMinutes": 30, "activeWorkflowsLimit": 5, "userManagementEnabled": true, "monthlyExecutionsLimit": 2500, "pruneExecutionsInterval": 168}},
{"id": "trial-1", "spec": {"metadata": {"slug": "trial-1", "group": "trial", "version": "v3"}, "backupDays": 3, "displayName": "Trial", "supportTier": "forum", "enabledFeatures": ["shared-projects-3", "insights-7-days", "advanced-permissions", "admin-roles", "global-variables", "workflow-history-5-days", "execution-search"], "licenseFeatures": {"quota:users": 5}, "credentialsLimit": -1, "stopAfterMinutes": 240, "allowCustomQuotas": false, "sleepAfterMinutes": 15, "activeWorkflowsLimit": 5, "userManagementEnabled": true, "monthlyExecutionsLimit": 1000, "pruneExecutionsInterval": 720}}]');
insert into "plans" select * from jsonb_populate_recordset(null::"plans", '[{"id": "custom-monthly", "name": "Pro custom", "spec_id": "custom", "period_unit": "month", "billing_type": "custom", "period_count": 1, "withdrawn_at": null, "custom_quotas": {"activeWorkflows": {"max": 500, "min": 50, "per": 1, "step": 1, "price": {"EUR": 140, "USD": 150}, "included": 50}, "monthlyExecutions": {"max": 1000000, "min": 50000, "per": 1000, "step": 1000, "price": {"EUR": 170, "USD": 180}, "included": 50000}}, "recurring_price": {"EUR": 13000, "USD": 14000}},
{"id": "custom-yearly", "name": "Pro custom", "spec_id": "custom", "period_unit": "yr", "billing_type": "year", "period_count": 1, "withdrawn_at": null, "custom_quotas": {"activeWorkflows": {"max": 500, "min": 50, "per": 1, "step": 1, "price": {"EUR": 1400, "USD": 1500}, "included": 50}, "monthlyExecutions": {"max": 1000000, "min": 50000, "per": 1000, "step": 1000, "price": {"EUR": 1700, "USD": 1800}, "included": 50000}}, "recurring_price": {"EUR": 130000, "USD": 140000}},
{"id": "enterprise-monthly", "name": "Enterprise", "spec_id": "enterprise", "period_unit": "month", "billing_type": "month", "period_count": 1, "withdrawn_at": "2026-11-23T05:26:59+00:00", "custom_quotas": null, "recurring_price": {"EUR": 85000, "USD": 90000}},
{"id": "enterprise-yearly", "name": "Enterprise", "spec_id": "enterprise", "period_unit": "yr", "billing_type": "year", "period_count": 1, "withdrawn_at": "2026-11-23T05:26:59+00:00", "custom_quotas": null, "recurring_price": {"EUR": 850000, "USD": 900000}},
{"id": "large-monthly", "name": "Large", "spec_id": "large", "period_unit": "month", "billing_type": "month", "period_count": 1, "withdrawn_at": "2026-11-23T05:26:59+00:00", "custom_quotas": null, "recurring_price": {"EUR": 11000, "USD": 12000}},
{"id": "power-monthly", "name": "Power", "spec_id": "power", "period_unit": "month", "billing_type": "month", "period_count": 1, "withdrawn_at": "2026-11-23T05:26:59+00:00", "custom_quotas": null, "recurring_price": {"EUR": 4600, "USD": 5000}},
{"id": "pro-1-monthly", "name": "Pro", "spec_id": "pro-1", "period_unit": "month", "billing_type": "month", "period_count": 1, "withdrawn_at": null, "custom_quotas": null, "recurring_price": {"EUR": 5500, "USD": 6000}},
{"id": "pro-1-yearly", "name": "Pro", "spec_id": "pro-1", "period_unit": "yr", "billing_type": "year", "period_count": 1, "withdrawn_at": null, "custom_quotas": null, "recurring_price": {"EUR": 55000, "USD": 60000}},
{"id": "pro-2-monthly", "name": "Pro", "spec_id": "pro-2", "period_unit": "month", "billing_type": "month", "period_count": 1, "withdrawn_at": null, "custom_quotas": null, "recurring_price": {"EUR": 13000, "USD": 14000}},
{"id": "pro-2-yearly", "name": "Pro", "spec_id": "pro-2", "period_unit": "yr", "billing_type": "year", "period_count": 1, "withdrawn_at": null, "custom_quotas": null, "recurring_price": {"EUR": 130000, "USD": 140000}},
{"id": "starter-monthly", "name": "Starter", "spec_id": "starter", "period_unit": "month", "billing_type": "month", "period_count": 1, "withdrawn_at": null, "custom_quotas": null, "recurring_price": {"EUR": 2200, "USD": 2400}},
{"id": "starter-yearly", "name": "Starter", "spec_id": "starter", "period_unit": "yr", "billing_type": "year", "period_count": 1, "withdrawn_at": null, "custom_quotas": null, "recurring_price": {"EUR": 22000, "USD": 24000}},
{"id": "trial-1", "name": "Trial", "spec_id": "trial-1", "period_unit": "day", "billing_type": "one-time", "period_count": 14, "withdrawn_at": null, "custom_quotas": null, "recurring_price": {"EUR": 0, "USD": 0}}]');
insert into "provider_events" select * from jsonb_populate_recordset(null::"provider_events", '[{"kind": "checkout", "type": "checkout.completed", "run_at": null, "payload": {"id": "[removed]", "data": {"accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "checkoutId": "[removed]", "customerId": "[removed]", "subscriptionId": "[removed]"}, "type": "checkout.completed", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 1, "event_id": "evt_01a206df96a37441b808c5cb1f9ec529", "owner_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "provider": "sandbox", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "handled_at": "2026-11-25T05:26:59+00:00", "last_error": null, "customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "occurred_at": "2026-11-23T05:26:59+00:00", "received_at": "2026-11-25T05:26:59+00:00", "subscription_id": "sub_01a206df963a70cab3505e88662b110d"},
{"kind": "customer", "type": "customer.updated", "run_at": null, "payload": {"id": "[removed]", "data": {"accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "customerId": "[removed]", "subscriptionId": null}, "type": "customer.updated", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 1, "event_id": "evt_01a206dfa5647ad7b7857114f00485cd", "owner_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "provider": "sandbox", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "handled_at": "2026-11-25T05:26:59+00:00", "last_error": null, "customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "occurred_at": "2026-11-23T05:26:59+00:00", "received_at": "2026-11-25T05:26:59+00:00", "subscription_id": null},
{"kind": "payment-succeeded", "type": "payment.succeeded", "run_at": null, "payload": {"id": "[removed]", "data": {"amount": 7140, "reason": null, "currency": "USD", "accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "invoiceId": "[removed]", "paymentId": "[removed]", "customerId": "[removed]", "subscriptionId": "[removed]"}, "type": "payment.succeeded", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 1, "event_id": "evt_01a206df967c70128a9851e1c8428be2", "owner_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "provider": "sandbox", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "handled_at": "2026-11-25T05:26:59+00:00", "last_error": null, "customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "occurred_at": "2026-11-23T05:26:59+00:00", "received_at": "2026-11-25T05:26:59+00:00", "subscription_id": "sub_01a206df963a70cab3505e88662b110d"},
{"kind": "subscription", "type": "subscription.created", "run_at": null, "payload": {"id": "[removed]", "data": {"accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "customerId": "[removed]", "subscriptionId": "[removed]"}, "type": "subscription.created", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 1, "event_id": "evt_01a206df969b729e934ea82c7df6a24d", "owner_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "provider": "sandbox", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "handled_at": "2026-11-25T05:26:59+00:00", "last_error": null, "customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "occurred_at": "2026-11-23T05:26:59+00:00", "received_at": "2026-11-25T05:26:59+00:00", "subscription_id": "sub_01a206df963a70cab3505e88662b110d"}]');
insert into "sandbox_calls" select * from jsonb_populate_recordset(null::"sandbox_calls", '[{"at": "2026-11-23T05:26:59+00:00", "id": "checkout f6b3ea13d0153f00f766c00657c8df7a8f50242abc8e48b7", "outcome": {"value": {"url": "http://localhost:3000/sandbox/checkout/chk_5954003c0df609646c3cb2e5235cf477", "checkoutId": "chk_5954003c0df609646c3cb2e5235cf477"}}, "fingerprint": "345b823ffb3af70d5449a51c1f3de281bd5380a00177756c285370a3df3481e8"}]');
insert into "sandbox_checkouts" select * from jsonb_populate_recordset(null::"sandbox_checkouts", '[{"id": "chk_5954003c0df609646c3cb2e5235cf477", "kind": "purchase", "state": "done", "entered": null, "request": {"items": {"cycle": {"unit": "month", "count": 1}, "currency": "USD", "planName": "Pro", "purchase": {"planId": "pro-1-monthly", "extraWorkflowUnits": 0, "extraExecutionUnits": 0}, "planAmount": 6000, "executionsPerUnit": 0, "workflowUnitAmount": 0, "executionUnitAmount": 0}, "checkout": {"name": "Ada Lovelace", "email": "ada2@example.com", "details": null, "currency": "USD", "purchase": {"planId": "pro-1-monthly", "extraWorkflowUnits": 0, "extraExecutionUnits": 0}, "accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "cancelUrl": "http://localhost:3000/account/checkout?plan=pro-1-monthly&result=canceled", "customerId": null, "successUrl": "http://localhost:3000/account/checkout?plan=pro-1-monthly&result=success"}}, "cancel_url": "http://localhost:3000/account/checkout?plan=pro-1-monthly&result=canceled", "created_at": "2026-11-23T05:26:59+00:00", "expires_at": "2026-11-24T05:26:59+00:00", "customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "success_url": "http://localhost:3000/account/checkout?plan=pro-1-monthly&result=success", "subscription_id": "sub_01a206df963a70cab3505e88662b110d"}]');
insert into "sandbox_customers" select * from jsonb_populate_recordset(null::"sandbox_customers", '[{"id": "cus_01a206df96307a268d70fe6ad87cddee", "card": {"brand": "visa", "lastFour": "4242", "behaviour": "pays", "expiryYear": 2036, "expiryMonth": 12}, "name": "Acme GmbH", "email": "ada2@example.com", "credit": 0, "details": {"city": "Berlin", "name": "Acme GmbH", "line1": "Straße 1", "line2": "", "vatId": "DE123456789", "country": "DE", "postalCode": "10115"}, "currency": "USD", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "created_at": "2026-11-23T05:26:59+00:00"}]');
insert into "sandbox_invoices" select * from jsonb_populate_recordset(null::"sandbox_invoices", '[{"id": "inv_01a206df96477d1a8197f3a33cbcfe16", "tax": {"name": "VAT", "amount": {"amount": 1140, "currency": "USD"}, "inclusive": false, "ratePercent": 19}, "lines": [{"label": "Pro, monthly", "amount": {"amount": 6000, "currency": "USD"}, "period": {"to": "2026-12-23T05:26:59.000Z", "from": "2026-11-23T05:26:59.000Z"}, "planId": "pro-1-monthly", "quantity": 1, "isProration": false}], "total": 7140, "number": 1, "status": "paid", "currency": "USD", "issued_at": "2026-11-23T05:26:59+00:00", "credit_used": 0, "customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "part_refunds": [], "subscription_id": "sub_01a206df963a70cab3505e88662b110d"}]');
insert into "sandbox_payments" select * from jsonb_populate_recordset(null::"sandbox_payments", '[{"at": "2026-11-23T05:26:59+00:00", "id": "pay_01a206df96687689a0440e02587db62e", "card": {"brand": "visa", "lastFour": "4242", "behaviour": "pays", "expiryYear": 2036, "expiryMonth": 12}, "amount": 7140, "number": 1, "reason": null, "status": "succeeded", "invoice_id": "inv_01a206df96477d1a8197f3a33cbcfe16", "refunded_at": null}]');
insert into "sandbox_subscriptions" select * from jsonb_populate_recordset(null::"sandbox_subscriptions", '[{"id": "sub_01a206df963a70cab3505e88662b110d", "items": {"cycle": {"unit": "month", "count": 1}, "currency": "USD", "planName": "Pro", "purchase": {"planId": "pro-1-monthly", "extraWorkflowUnits": 0, "extraExecutionUnits": 0}, "planAmount": 6000, "executionsPerUnit": 0, "workflowUnitAmount": 0, "executionUnitAmount": 0}, "due_at": "2026-12-23T05:26:59+00:00", "status": "active", "retries": [], "currency": "USD", "ended_at": null, "anchor_at": "2026-11-23T05:26:59+00:00", "paused_at": null, "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "changed_at": "2026-11-23T05:26:59+00:00", "created_at": "2026-11-23T05:26:59+00:00", "paid_items": {"cycle": {"unit": "month", "count": 1}, "currency": "USD", "planName": "Pro", "purchase": {"planId": "pro-1-monthly", "extraWorkflowUnits": 0, "extraExecutionUnits": 0}, "planAmount": 6000, "executionsPerUnit": 0, "workflowUnitAmount": 0, "executionUnitAmount": 0}, "customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "past_due_at": null, "period_number": 0, "tax_inclusive": false, "period_ends_at": "2026-12-23T05:26:59+00:00", "open_invoice_id": null, "period_starts_at": "2026-11-23T05:26:59+00:00", "cancels_at_period_end": false}]');
insert into "sandbox_webhooks" select * from jsonb_populate_recordset(null::"sandbox_webhooks", '[{"id": "evt_01a206df967c70128a9851e1c8428be2", "type": "payment.succeeded", "copies": 0, "due_at": null, "number": 1, "payload": {"id": "evt_01a206df967c70128a9851e1c8428be2", "data": {"amount": 7140, "reason": null, "currency": "USD", "accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "invoiceId": "inv_01a206df96477d1a8197f3a33cbcfe16", "paymentId": "pay_01a206df96687689a0440e02587db62e", "customerId": "cus_01a206df96307a268d70fe6ad87cddee", "subscriptionId": "sub_01a206df963a70cab3505e88662b110d"}, "type": "payment.succeeded", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 0, "dropped_at": null, "last_error": null, "lease_until": null, "occurred_at": "2026-11-23T05:26:59+00:00", "delivered_at": "2026-11-25T05:26:59+00:00"},
{"id": "evt_01a206df969b729e934ea82c7df6a24d", "type": "subscription.created", "copies": 0, "due_at": null, "number": 2, "payload": {"id": "evt_01a206df969b729e934ea82c7df6a24d", "data": {"accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "customerId": "cus_01a206df96307a268d70fe6ad87cddee", "subscriptionId": "sub_01a206df963a70cab3505e88662b110d"}, "type": "subscription.created", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 0, "dropped_at": null, "last_error": null, "lease_until": null, "occurred_at": "2026-11-23T05:26:59+00:00", "delivered_at": "2026-11-25T05:26:59+00:00"},
{"id": "evt_01a206df96a37441b808c5cb1f9ec529", "type": "checkout.completed", "copies": 0, "due_at": null, "number": 3, "payload": {"id": "evt_01a206df96a37441b808c5cb1f9ec529", "data": {"accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "checkoutId": "chk_5954003c0df609646c3cb2e5235cf477", "customerId": "cus_01a206df96307a268d70fe6ad87cddee", "subscriptionId": "sub_01a206df963a70cab3505e88662b110d"}, "type": "checkout.completed", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 0, "dropped_at": null, "last_error": null, "lease_until": null, "occurred_at": "2026-11-23T05:26:59+00:00", "delivered_at": "2026-11-25T05:26:59+00:00"},
{"id": "evt_01a206dfa5647ad7b7857114f00485cd", "type": "customer.updated", "copies": 0, "due_at": null, "number": 4, "payload": {"id": "evt_01a206dfa5647ad7b7857114f00485cd", "data": {"accountId": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "customerId": "cus_01a206df96307a268d70fe6ad87cddee", "subscriptionId": null}, "type": "customer.updated", "occurredAt": "2026-11-23T05:26:59.000Z"}, "attempts": 0, "dropped_at": null, "last_error": null, "lease_until": null, "occurred_at": "2026-11-23T05:26:59+00:00", "delivered_at": "2026-11-25T05:26:59+00:00"}]');
insert into "service_state" select * from jsonb_populate_recordset(null::"service_state", '[{"key": "secret key id", "value": "69b03ceccd4e8c76"}]');
insert into "sessions" select * from jsonb_populate_recordset(null::"sessions", '[{"id": "01a206df-57f0-7298-a74c-b9b1823ae82b", "device": null, "user_id": "01a206df-577f-7f32-bf1f-519e6eb26316", "typed_at": "2026-11-23T05:27:09.951+00:00", "opened_by": "password", "created_at": "2026-11-23T05:27:09.951+00:00", "expires_at": "2026-12-23T05:27:09.951+00:00", "token_hash": "a237fc4a20cafc63fc91ce9d7d83bf80a9db099fbcc5c0a77158edc0ff83ea65", "last_seen_at": "2026-11-23T05:27:09.951+00:00"},
{"id": "01a206df-9011-7bb9-a668-6f780d9fa73c", "device": null, "user_id": "01a206df-2cb8-7439-a62b-fe93737548e8", "typed_at": "2026-11-23T05:26:59+00:00", "opened_by": "password", "created_at": "2026-11-23T05:26:59+00:00", "expires_at": "2026-12-23T05:26:59+00:00", "token_hash": "1cb8a27bf99fdd1ce9693c0da19619990b1a73b3763caaa43a41ea3457df727b", "last_seen_at": "2026-11-23T05:26:59+00:00"}]');
insert into "subscriptions" select * from jsonb_populate_recordset(null::"subscriptions", '[{"status": "active", "plan_id": "pro-1-monthly", "retries": [], "spec_id": "pro-1", "version": 2, "currency": "USD", "ended_at": null, "provider": "sandbox", "cancel_at": null, "paused_at": null, "warned_at": null, "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "deleted_at": null, "started_at": "2026-11-23T05:26:59+00:00", "deletion_at": null, "past_due_at": null, "pending_key": null, "scheduled_at": null, "credit_amount": 0, "tax_inclusive": false, "period_ends_at": "2026-12-23T05:26:59+00:00", "pending_plan_id": null, "custom_workflows": null, "period_starts_at": "2026-11-23T05:26:59+00:00", "custom_executions": null, "pending_workflows": null, "scheduled_plan_id": null, "scheduled_told_at": null, "pending_executions": null, "provider_changed_at": "2026-11-23T05:26:59+00:00", "scheduled_workflows": null, "provider_customer_id": "cus_01a206df96307a268d70fe6ad87cddee", "scheduled_executions": null, "scheduled_from_plan_id": null, "provider_subscription_id": "sub_01a206df963a70cab3505e88662b110d"},
{"status": "trialing", "plan_id": "trial-1", "retries": [], "spec_id": "trial-1", "version": 1, "currency": null, "ended_at": null, "provider": null, "cancel_at": null, "paused_at": null, "warned_at": null, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "deleted_at": null, "started_at": "2026-11-23T05:27:10.72+00:00", "deletion_at": null, "past_due_at": null, "pending_key": null, "scheduled_at": null, "credit_amount": 0, "tax_inclusive": false, "period_ends_at": "2026-12-07T05:27:10.72+00:00", "pending_plan_id": null, "custom_workflows": null, "period_starts_at": "2026-11-23T05:27:10.72+00:00", "custom_executions": null, "pending_workflows": null, "scheduled_plan_id": null, "scheduled_told_at": null, "pending_executions": null, "provider_changed_at": null, "scheduled_workflows": null, "provider_customer_id": null, "scheduled_executions": null, "scheduled_from_plan_id": null, "provider_subscription_id": null}]');
insert into "survey_answers" select * from jsonb_populate_recordset(null::"survey_answers", '[{"kind": "personalization", "answer": {}, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "answered_at": "2026-11-23T05:27:19.068+00:00"}]');
insert into "timers" select * from jsonb_populate_recordset(null::"timers", '[{"kind": "ending-in-1-day", "due_at": "2026-12-06T05:27:10.72+00:00", "run_at": "2026-12-06T05:27:10.72+00:00", "attempts": 0, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "last_error": null},
{"kind": "ending-in-3-days", "due_at": "2026-12-04T05:27:10.72+00:00", "run_at": "2026-12-04T05:27:10.72+00:00", "attempts": 0, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "last_error": null},
{"kind": "trial-end", "due_at": "2026-12-07T05:27:10.72+00:00", "run_at": "2026-12-07T05:27:10.72+00:00", "attempts": 0, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "last_error": null},
{"kind": "truth-check", "due_at": "2026-11-30T05:26:59+00:00", "run_at": "2026-11-30T05:26:59+00:00", "attempts": 0, "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "last_error": null}]');
insert into "usage_periods" select * from jsonb_populate_recordset(null::"usage_periods", '[{"starts_at": "2026-11-23T05:27:10.72+00:00", "warned_of": null, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "executions": 0, "reached_of": null}]');
insert into "used_challenges" select * from jsonb_populate_recordset(null::"used_challenges", '[{"hash": "e07dccb3051b06b2f236d1289c8ad874c86e659cf9b020089d90f5f7279448d7", "expires_at": "2026-11-23T05:37:08.677+00:00"}]');
insert into "users" select * from jsonb_populate_recordset(null::"users", '[{"id": "01a206df-2cb8-7439-a62b-fe93737548e8", "kind": "member", "email": "ada2@example.com", "full_name": "Ada Lovelace", "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "created_at": "2026-11-23T05:26:59+00:00", "confirmed_at": "2026-11-23T05:26:59+00:00", "password_hash": "$argon2id$v=19$m=19456,t=2,p=1$FozDJjlp4nKK0IdSxUWsgw$H6iDTNOFZNtIHNvZ9Rjj2o2OE9IB9yu4qGnt1lH+Hcc", "terms_version": "2026-11", "terms_accepted_at": "2026-11-23T05:26:59+00:00"},
{"id": "01a206df-577f-7f32-bf1f-519e6eb26316", "kind": "member", "email": "ada@example.com", "full_name": "Ada Lovelace", "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "created_at": "2026-11-23T05:27:09.951+00:00", "confirmed_at": "2026-11-23T05:27:10.47+00:00", "password_hash": "$argon2id$v=19$m=19456,t=2,p=1$ulDZblTITIkfgloRMQqyYw$R8iQ44HpfpTFlT5yD6eWf1L/cKe+lVWWIj22wvv8ZfM", "terms_version": "https://example.com/terms", "terms_accepted_at": "2026-11-23T05:27:09.951+00:00"}]');
insert into "workspace_journal" select * from jsonb_populate_recordset(null::"workspace_journal", '[{"at": "2026-11-23T05:26:59+00:00", "id": 4, "actor": "Ada Lovelace", "event": "requested", "detail": null, "message": "Workspace requested", "workspace_id": "01a206df-2cb8-709d-9492-87c7a59516c9"},
{"at": "2026-11-23T05:27:10.72+00:00", "id": 1, "actor": "Ada Lovelace", "event": "requested", "detail": null, "message": "Workspace requested", "workspace_id": "01a206df-5a80-79c8-bbd4-f609884325a0"},
{"at": "2026-11-23T05:27:14.532+00:00", "id": 2, "actor": null, "event": "started", "detail": null, "message": "n8n 2.40.7 was started.", "workspace_id": "01a206df-5a80-79c8-bbd4-f609884325a0"},
{"at": "2026-11-23T05:27:15.881+00:00", "id": 3, "actor": null, "event": "online", "detail": null, "message": "Your workspace is now online.", "workspace_id": "01a206df-5a80-79c8-bbd4-f609884325a0"}]');
insert into "workspace_looks" select * from jsonb_populate_recordset(null::"workspace_looks",  E'[{"kind": "logs", "answer": {"text": "stand-in engine boots\\n"}, "asked_at": null, "answered_at": "2026-11-23T05:27:19.28+00:00", "lease_until": null, "workspace_id": "01a206df-5a80-79c8-bbd4-f609884325a0"}]');
insert into "workspaces" select * from jsonb_populate_recordset(null::"workspaces", '[{"id": "01a206df-2cb8-709d-9492-87c7a59516c9", "life": 1, "blank": null, "engine": "n8n", "number": 2, "reason": null, "address": null, "channel": "stable", "secrets": "v1.vDIXZJUldbXEx7AUQ0YXSsnZtjmeZSBF8f4r3N6lWIitVNq37sw1dHKMkrGKz2YMRbrwkq5f737c6MX6MnlyuQMSp_Fp-EGb60El2bE9MQQFvaqev5yNqqyZicuQ7Yr5TuRUBXktqEcLsIWx4tn_ixTzyhjwHSZAhSpWMfe4EnZUe34", "used_at": null, "failures": 0, "timezone": "Etc/UTC", "active_at": null, "memory_mb": 1024, "account_id": "01a206df-2cb8-7be8-b9c9-bf0c8cfec5aa", "cold_since": null, "created_at": "2026-11-23T05:26:59+00:00", "generation": 1, "nightly_at": "2026-11-23T05:27:25.593461+00:00", "renewed_at": null, "started_at": null, "updated_at": "2026-11-23T05:26:59+00:00", "auto_update": false, "lease_owner": null, "lease_until": null, "reason_code": null, "sleep_until": null, "asleep_since": null, "gateway_open": false, "owner_passed": null, "reconcile_at": "2026-11-23T05:26:59+00:00", "desired_state": "running", "progress_step": null, "usage_read_at": null, "wake_asked_at": null, "observed_state": "none", "progress_label": null, "asleep_revision": null, "desired_version": "2.40.7", "owner_set_up_at": null, "unhealthy_since": null, "active_workflows": 0, "observed_version": null, "progress_percent": null, "restart_asked_at": null, "profile_passed_at": null, "running_memory_mb": null, "executions_to_keep": 1000, "maintenance_window": {"weekday": "sunday", "startHour": 3}, "observed_generation": 0},
{"id": "01a206df-5a80-79c8-bbd4-f609884325a0", "life": 1, "blank": null, "engine": "n8n", "number": 1, "reason": null, "address": "198.18.120.128:26280", "channel": "stable", "secrets": "v1.wB59-nRx91Aq6ndwhGFtubHfPT-uM-hEgrxG3RA3EGQHc5QChd2n_v-N1uK_1Uh4Yd3Gjs08uQVe65xh5d5_p68AVqBr3A6qqfTamndNrMDJvJt0o-ADNqjvA_tHHnxMbZ08bPMIgh5Q8odP_p9zxkGbNNp4m73ewtnNKu4zgi_YXTz66OE1I48KdjW5Obuk_1TjLA", "used_at": "2026-11-23T05:27:17.933771+00:00", "failures": 0, "timezone": "Europe/Berlin", "active_at": "2026-11-23T05:27:19.497+00:00", "memory_mb": 1024, "account_id": "01a206df-577f-743c-b3fb-4b712c0fb8a8", "cold_since": null, "created_at": "2026-11-23T05:27:10.72+00:00", "generation": 1, "nightly_at": "2026-11-23T05:27:10.951989+00:00", "renewed_at": null, "started_at": "2026-11-23T05:27:14.159+00:00", "updated_at": "2026-11-23T05:27:19.068+00:00", "auto_update": false, "lease_owner": null, "lease_until": null, "reason_code": null, "sleep_until": null, "asleep_since": null, "gateway_open": true, "owner_passed": "ada@example.com Ada Lovelace", "reconcile_at": "2026-11-23T05:28:09.497+00:00", "desired_state": "running", "progress_step": null, "usage_read_at": null, "wake_asked_at": null, "observed_state": "online", "progress_label": null, "asleep_revision": null, "desired_version": "2.40.7", "owner_set_up_at": "2026-11-23T05:27:15.025+00:00", "unhealthy_since": null, "active_workflows": 0, "observed_version": "2.40.7", "progress_percent": null, "restart_asked_at": null, "profile_passed_at": "2026-11-23T05:27:19.068+00:00", "running_memory_mb": 1024, "executions_to_keep": 1000, "maintenance_window": {"weekday": "sunday", "startHour": 3}, "observed_generation": 1}]');
select setval('"audit_log_id_seq"', 13);
select setval('"sandbox_invoices_number_seq"', 1);
select setval('"sandbox_payments_number_seq"', 1);
select setval('"sandbox_webhooks_number_seq"', 4);
select setval('"workspace_journal_id_seq"', 4);
select setval('"workspaces_number_seq"', 2);
