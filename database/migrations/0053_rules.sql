ALTER TABLE "invoices" DROP CONSTRAINT "invoices_corrects_invoices_id_fk";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_invoice_id_invoices_id_fk";--> statement-breakpoint
DROP INDEX "checkouts_account";--> statement-breakpoint
DROP INDEX "corrections_newest";--> statement-breakpoint
DROP INDEX "invoices_account";--> statement-breakpoint
DROP INDEX "payments_account";--> statement-breakpoint
DROP INDEX "payments_invoice";--> statement-breakpoint
DROP INDEX "workspace_journal_newest";--> statement-breakpoint
DROP INDEX "workspaces_automatic";--> statement-breakpoint
DROP INDEX "workspace_updates_newest";--> statement-breakpoint
DROP INDEX "backups_newest";--> statement-breakpoint
DROP INDEX "backups_workspace";--> statement-breakpoint
DROP INDEX "backups_due";--> statement-breakpoint
DROP INDEX "backups_kept";--> statement-breakpoint
DROP INDEX "exports_newest";--> statement-breakpoint
DROP INDEX "exports_due";--> statement-breakpoint
DROP INDEX "exports_kept";--> statement-breakpoint
DROP INDEX "restores_newest";--> statement-breakpoint
DROP INDEX "audit_log_account";--> statement-breakpoint
DROP INDEX "mails_sent";--> statement-breakpoint
DROP INDEX "mails_recipient";--> statement-breakpoint
ALTER TABLE "billing_lanes" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "timers" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
ALTER TABLE "timers" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "removal_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "removal_error" text;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "removal_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "host" text;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "host" text;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "removal_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "removal_error" text;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "removal_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "plans_spec" ON "plans" USING btree ("spec_id");--> statement-breakpoint
CREATE INDEX "provider_events_nameless" ON "provider_events" USING btree ("run_at") WHERE "provider_events"."run_at" is not null and "provider_events"."owner_id" is null;--> statement-breakpoint
CREATE INDEX "provider_events_account" ON "provider_events" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "workspaces_addressed" ON "workspaces" USING btree ("host","id") WHERE "workspaces"."address" is not null;--> statement-breakpoint
CREATE INDEX "restores_safety" ON "restores" USING btree ("safety_backup_id");--> statement-breakpoint
CREATE INDEX "sandbox_invoices_subscription" ON "sandbox_invoices" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "checkouts_account" ON "checkouts" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "corrections_newest" ON "corrections" USING btree ("at");--> statement-breakpoint
CREATE INDEX "invoices_account" ON "invoices" USING btree ("account_id","issued_at");--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "payments_invoice" ON "payments" USING btree ("invoice_id","at");--> statement-breakpoint
CREATE INDEX "workspace_journal_newest" ON "workspace_journal" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "workspaces_automatic" ON "workspaces" USING btree ("host","id") WHERE "workspaces"."auto_update" and "workspaces"."desired_state" = 'running' and "workspaces"."observed_state" = 'online';--> statement-breakpoint
CREATE INDEX "workspace_updates_newest" ON "workspace_updates" USING btree ("workspace_id","started_at");--> statement-breakpoint
CREATE INDEX "backups_newest" ON "backups" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "backups_workspace" ON "backups" USING btree ("workspace_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "backups_due" ON "backups" USING btree ("host",("attempts" > 0),"due_at") WHERE "backups"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "backups_kept" ON "backups" USING btree (greatest("kept_until", "removal_due_at")) WHERE "backups"."kept_until" is not null;--> statement-breakpoint
CREATE INDEX "exports_newest" ON "exports" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "exports_due" ON "exports" USING btree ("host",("attempts" > 0),"due_at") WHERE "exports"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "exports_kept" ON "exports" USING btree (greatest("kept_until", "removal_due_at"));--> statement-breakpoint
CREATE INDEX "restores_newest" ON "restores" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "mails_sent" ON "mails" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient","created_at");--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_of_account" UNIQUE("id","account_id");--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_corrects_own" FOREIGN KEY ("corrects","account_id") REFERENCES "public"."invoices"("id","account_id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_invoice_own" FOREIGN KEY ("invoice_id","account_id") REFERENCES "public"."invoices"("id","account_id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_count_not_negative" CHECK ("attempts"."count" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_purpose_listed" CHECK ("link_tokens"."purpose" in ('confirm-email', 'reset-password', 'change-email', 'magic-link', 'operator-code', 'workspace-code')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_opened_by_listed" CHECK ("sessions"."opened_by" in ('password', 'magic-link', 'workspace', 'operator')) NOT VALID;--> statement-breakpoint
ALTER TABLE "survey_answers" ADD CONSTRAINT "survey_answers_kind_listed" CHECK ("survey_answers"."kind" in ('personalization', 'ai', 'setup')) NOT VALID;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_email_lowercase" CHECK ("users"."email" = lower("users"."email")) NOT VALID;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_kind_listed" CHECK ("users"."kind" in ('member', 'publisher')) NOT VALID;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_language_listed" CHECK ("users"."language" in ('en', 'de')) NOT VALID;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_state_listed" CHECK ("checkouts"."state" in ('opening', 'open', 'closing', 'paid', 'expired')) NOT VALID;--> statement-breakpoint
ALTER TABLE "held_refunds" ADD CONSTRAINT "held_refunds_decision_listed" CHECK ("held_refunds"."decision" in ('refund', 'keep')) NOT VALID;--> statement-breakpoint
ALTER TABLE "held_refunds" ADD CONSTRAINT "held_refunds_amount_not_negative" CHECK ("held_refunds"."amount" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_state_listed" CHECK ("idempotency_keys"."state" in ('running', 'done', 'refused')) NOT VALID;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_billing_type_listed" CHECK ("plans"."billing_type" in ('one-time', 'custom', 'month', 'year')) NOT VALID;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_period_unit_listed" CHECK ("plans"."period_unit" in ('day', 'month', 'yr')) NOT VALID;--> statement-breakpoint
ALTER TABLE "provider_events" ADD CONSTRAINT "provider_events_attempts_not_negative" CHECK ("provider_events"."attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_status_listed" CHECK ("subscriptions"."status" in ('active', 'trialing', 'paused', 'past_due', 'deleted')) NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_version_not_negative" CHECK ("subscriptions"."version" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "timers" ADD CONSTRAINT "timers_kind_listed" CHECK ("timers"."kind" in ('ending-in-30-days', 'ending-in-3-days', 'ending-in-1-day', 'trial-end', 'arranged-end', 'truth-check', 'scheduled-change', 'period-end', 'deletion-warning', 'deletion', 'deletion-report', 'end-at-provider')) NOT VALID;--> statement-breakpoint
ALTER TABLE "timers" ADD CONSTRAINT "timers_attempts_not_negative" CHECK ("timers"."attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "invoice_numbers" ADD CONSTRAINT "invoice_numbers_series_listed" CHECK ("invoice_numbers"."series" in ('live', 'test', 'sandbox')) NOT VALID;--> statement-breakpoint
ALTER TABLE "invoice_numbers" ADD CONSTRAINT "invoice_numbers_issued_not_negative" CHECK ("invoice_numbers"."issued" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_status_listed" CHECK ("invoices"."status" in ('paid', 'open', 'void', 'refunded', 'disputed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_status_listed" CHECK ("payments"."status" in ('succeeded', 'failed', 'refunded', 'disputed', 'pending')) NOT VALID;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount_not_negative" CHECK ("payments"."amount" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "engine_installs" ADD CONSTRAINT "engine_installs_state_listed" CHECK ("engine_installs"."state" in ('installing', 'installed', 'failed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_email_lowercase" CHECK ("invitations"."email" = lower("invitations"."email")) NOT VALID;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_state_listed" CHECK ("invitations"."state" in ('waiting', 'sent', 'accepted', 'failed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_attempts_not_negative" CHECK ("invitations"."attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspace_looks" ADD CONSTRAINT "workspace_looks_kind_listed" CHECK ("workspace_looks"."kind" in ('logs', 'follow-logs', 'kept-logs', 'members', 'community-nodes', 'workflows')) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_engine_listed" CHECK ("workspaces"."engine" in ('n8n', 'node-red')) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_desired_state_listed" CHECK ("workspaces"."desired_state" in ('running', 'stopped', 'deleted')) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_resumes_as_listed" CHECK ("workspaces"."resumes_as" in ('running', 'stopped', 'deleted')) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_channel_listed" CHECK ("workspaces"."channel" in ('stable', 'newest')) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_observed_state_listed" CHECK ("workspaces"."observed_state" in ('none', 'starting', 'online', 'offline', 'stopped', 'deleted')) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_memory_mb_not_negative" CHECK ("workspaces"."memory_mb" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_failures_not_negative" CHECK ("workspaces"."failures" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_life_not_negative" CHECK ("workspaces"."life" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_generation_not_negative" CHECK ("workspaces"."generation" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "blanks" ADD CONSTRAINT "blanks_state_listed" CHECK ("blanks"."state" in ('making', 'ready', 'leaving')) NOT VALID;--> statement-breakpoint
ALTER TABLE "blanks" ADD CONSTRAINT "blanks_engine_listed" CHECK ("blanks"."engine" in ('n8n', 'node-red')) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" ADD CONSTRAINT "fleet_update_workspaces_state_listed" CHECK ("fleet_update_workspaces"."state" in ('waiting', 'left-out', 'updating', 'updated', 'failed', 'rolling-back', 'rolled-back', 'kept')) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" ADD CONSTRAINT "fleet_update_workspaces_trouble_listed" CHECK ("fleet_update_workspaces"."trouble" in ('crashed', 'offline', 'unfinished', 'fails-more')) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" ADD CONSTRAINT "fleet_update_workspaces_day_day" CHECK ("fleet_update_workspaces"."day" ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$') NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_updates" ADD CONSTRAINT "fleet_updates_engine_listed" CHECK ("fleet_updates"."engine" in ('n8n', 'node-red')) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_updates" ADD CONSTRAINT "fleet_updates_state_listed" CHECK ("fleet_updates"."state" in ('running', 'stopped', 'done', 'rolling-back', 'rolled-back', 'ended')) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_updates" ADD CONSTRAINT "fleet_updates_waves_not_negative" CHECK ("fleet_updates"."waves" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_updates" ADD CONSTRAINT "fleet_updates_wave_not_negative" CHECK ("fleet_updates"."wave" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_updates" ADD CONSTRAINT "fleet_updates_soak_seconds_not_negative" CHECK ("fleet_updates"."soak_seconds" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_updates" ADD CONSTRAINT "fleet_updates_soaked_ms_not_negative" CHECK ("fleet_updates"."soaked_ms" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "fleet_updates" ADD CONSTRAINT "fleet_updates_at_once_not_negative" CHECK ("fleet_updates"."at_once" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspace_updates" ADD CONSTRAINT "workspace_updates_asked_by_listed" CHECK ("workspace_updates"."asked_by" in ('owner', 'window', 'operator')) NOT VALID;--> statement-breakpoint
ALTER TABLE "workspace_updates" ADD CONSTRAINT "workspace_updates_state_listed" CHECK ("workspace_updates"."state" in ('running', 'successful', 'rolled-back', 'failed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "gateway_counts" ADD CONSTRAINT "gateway_counts_date_day" CHECK ("gateway_counts"."date" ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$') NOT VALID;--> statement-breakpoint
ALTER TABLE "gateway_counts" ADD CONSTRAINT "gateway_counts_executions_not_negative" CHECK ("gateway_counts"."executions" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_checks" ADD CONSTRAINT "usage_checks_date_day" CHECK ("usage_checks"."date" ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$') NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_checks" ADD CONSTRAINT "usage_checks_added_not_negative" CHECK ("usage_checks"."added" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_counters" ADD CONSTRAINT "usage_counters_date_day" CHECK ("usage_counters"."date" ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$') NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_counters" ADD CONSTRAINT "usage_counters_executions_not_negative" CHECK ("usage_counters"."executions" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_counters" ADD CONSTRAINT "usage_counters_failed_not_negative" CHECK ("usage_counters"."failed" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_date_day" CHECK ("usage_days"."date" ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$') NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_executions_not_negative" CHECK ("usage_days"."executions" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_failed_not_negative" CHECK ("usage_days"."failed" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "usage_periods" ADD CONSTRAINT "usage_periods_executions_not_negative" CHECK ("usage_periods"."executions" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_kind_listed" CHECK ("backups"."kind" in ('manual', 'nightly', 'before-update', 'before-restore', 'before-move', 'before-deletion')) NOT VALID;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_state_listed" CHECK ("backups"."state" in ('waiting', 'running', 'successful', 'failed', 'removed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_engine_listed" CHECK ("backups"."engine" in ('n8n', 'node-red')) NOT VALID;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_attempts_not_negative" CHECK ("backups"."attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_removal_attempts_not_negative" CHECK ("backups"."removal_attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_size_not_negative" CHECK ("backups"."size" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_state_listed" CHECK ("exports"."state" in ('waiting', 'running', 'ready', 'failed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_attempts_not_negative" CHECK ("exports"."attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_removal_attempts_not_negative" CHECK ("exports"."removal_attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_size_not_negative" CHECK ("exports"."size" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "restores" ADD CONSTRAINT "restores_state_listed" CHECK ("restores"."state" in ('waiting', 'running', 'successful', 'failed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "restores" ADD CONSTRAINT "restores_attempts_not_negative" CHECK ("restores"."attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_attempts_not_negative" CHECK ("mails"."attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "sandbox_checkouts" ADD CONSTRAINT "sandbox_checkouts_kind_listed" CHECK ("sandbox_checkouts"."kind" in ('purchase', 'card', 'confirmation')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sandbox_checkouts" ADD CONSTRAINT "sandbox_checkouts_state_listed" CHECK ("sandbox_checkouts"."state" in ('open', 'done', 'expired')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sandbox_invoices" ADD CONSTRAINT "sandbox_invoices_status_listed" CHECK ("sandbox_invoices"."status" in ('paid', 'open', 'void', 'refunded')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sandbox_payments" ADD CONSTRAINT "sandbox_payments_status_listed" CHECK ("sandbox_payments"."status" in ('succeeded', 'failed', 'refunded')) NOT VALID;--> statement-breakpoint
ALTER TABLE "invoices" VALIDATE CONSTRAINT "invoices_corrects_own";--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_invoice_own";--> statement-breakpoint
ALTER TABLE "attempts" VALIDATE CONSTRAINT "attempts_count_not_negative";--> statement-breakpoint
ALTER TABLE "link_tokens" VALIDATE CONSTRAINT "link_tokens_purpose_listed";--> statement-breakpoint
ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_opened_by_listed";--> statement-breakpoint
ALTER TABLE "survey_answers" VALIDATE CONSTRAINT "survey_answers_kind_listed";--> statement-breakpoint
ALTER TABLE "users" VALIDATE CONSTRAINT "users_email_lowercase";--> statement-breakpoint
ALTER TABLE "users" VALIDATE CONSTRAINT "users_kind_listed";--> statement-breakpoint
ALTER TABLE "users" VALIDATE CONSTRAINT "users_language_listed";--> statement-breakpoint
ALTER TABLE "checkouts" VALIDATE CONSTRAINT "checkouts_state_listed";--> statement-breakpoint
ALTER TABLE "held_refunds" VALIDATE CONSTRAINT "held_refunds_decision_listed";--> statement-breakpoint
ALTER TABLE "held_refunds" VALIDATE CONSTRAINT "held_refunds_amount_not_negative";--> statement-breakpoint
ALTER TABLE "idempotency_keys" VALIDATE CONSTRAINT "idempotency_keys_state_listed";--> statement-breakpoint
ALTER TABLE "plans" VALIDATE CONSTRAINT "plans_billing_type_listed";--> statement-breakpoint
ALTER TABLE "plans" VALIDATE CONSTRAINT "plans_period_unit_listed";--> statement-breakpoint
ALTER TABLE "provider_events" VALIDATE CONSTRAINT "provider_events_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_status_listed";--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_version_not_negative";--> statement-breakpoint
ALTER TABLE "timers" VALIDATE CONSTRAINT "timers_kind_listed";--> statement-breakpoint
ALTER TABLE "timers" VALIDATE CONSTRAINT "timers_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "invoice_numbers" VALIDATE CONSTRAINT "invoice_numbers_series_listed";--> statement-breakpoint
ALTER TABLE "invoice_numbers" VALIDATE CONSTRAINT "invoice_numbers_issued_not_negative";--> statement-breakpoint
ALTER TABLE "invoices" VALIDATE CONSTRAINT "invoices_status_listed";--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_status_listed";--> statement-breakpoint
ALTER TABLE "payments" VALIDATE CONSTRAINT "payments_amount_not_negative";--> statement-breakpoint
ALTER TABLE "engine_installs" VALIDATE CONSTRAINT "engine_installs_state_listed";--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_email_lowercase";--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_state_listed";--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "workspace_looks" VALIDATE CONSTRAINT "workspace_looks_kind_listed";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_engine_listed";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_desired_state_listed";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_resumes_as_listed";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_channel_listed";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_observed_state_listed";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_memory_mb_not_negative";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_failures_not_negative";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_life_not_negative";--> statement-breakpoint
ALTER TABLE "workspaces" VALIDATE CONSTRAINT "workspaces_generation_not_negative";--> statement-breakpoint
ALTER TABLE "blanks" VALIDATE CONSTRAINT "blanks_state_listed";--> statement-breakpoint
ALTER TABLE "blanks" VALIDATE CONSTRAINT "blanks_engine_listed";--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" VALIDATE CONSTRAINT "fleet_update_workspaces_state_listed";--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" VALIDATE CONSTRAINT "fleet_update_workspaces_trouble_listed";--> statement-breakpoint
ALTER TABLE "fleet_update_workspaces" VALIDATE CONSTRAINT "fleet_update_workspaces_day_day";--> statement-breakpoint
ALTER TABLE "fleet_updates" VALIDATE CONSTRAINT "fleet_updates_engine_listed";--> statement-breakpoint
ALTER TABLE "fleet_updates" VALIDATE CONSTRAINT "fleet_updates_state_listed";--> statement-breakpoint
ALTER TABLE "fleet_updates" VALIDATE CONSTRAINT "fleet_updates_waves_not_negative";--> statement-breakpoint
ALTER TABLE "fleet_updates" VALIDATE CONSTRAINT "fleet_updates_wave_not_negative";--> statement-breakpoint
ALTER TABLE "fleet_updates" VALIDATE CONSTRAINT "fleet_updates_soak_seconds_not_negative";--> statement-breakpoint
ALTER TABLE "fleet_updates" VALIDATE CONSTRAINT "fleet_updates_soaked_ms_not_negative";--> statement-breakpoint
ALTER TABLE "fleet_updates" VALIDATE CONSTRAINT "fleet_updates_at_once_not_negative";--> statement-breakpoint
ALTER TABLE "workspace_updates" VALIDATE CONSTRAINT "workspace_updates_asked_by_listed";--> statement-breakpoint
ALTER TABLE "workspace_updates" VALIDATE CONSTRAINT "workspace_updates_state_listed";--> statement-breakpoint
ALTER TABLE "gateway_counts" VALIDATE CONSTRAINT "gateway_counts_date_day";--> statement-breakpoint
ALTER TABLE "gateway_counts" VALIDATE CONSTRAINT "gateway_counts_executions_not_negative";--> statement-breakpoint
ALTER TABLE "usage_checks" VALIDATE CONSTRAINT "usage_checks_date_day";--> statement-breakpoint
ALTER TABLE "usage_checks" VALIDATE CONSTRAINT "usage_checks_added_not_negative";--> statement-breakpoint
ALTER TABLE "usage_counters" VALIDATE CONSTRAINT "usage_counters_date_day";--> statement-breakpoint
ALTER TABLE "usage_counters" VALIDATE CONSTRAINT "usage_counters_executions_not_negative";--> statement-breakpoint
ALTER TABLE "usage_counters" VALIDATE CONSTRAINT "usage_counters_failed_not_negative";--> statement-breakpoint
ALTER TABLE "usage_days" VALIDATE CONSTRAINT "usage_days_date_day";--> statement-breakpoint
ALTER TABLE "usage_days" VALIDATE CONSTRAINT "usage_days_executions_not_negative";--> statement-breakpoint
ALTER TABLE "usage_days" VALIDATE CONSTRAINT "usage_days_failed_not_negative";--> statement-breakpoint
ALTER TABLE "usage_periods" VALIDATE CONSTRAINT "usage_periods_executions_not_negative";--> statement-breakpoint
ALTER TABLE "backups" VALIDATE CONSTRAINT "backups_kind_listed";--> statement-breakpoint
ALTER TABLE "backups" VALIDATE CONSTRAINT "backups_state_listed";--> statement-breakpoint
ALTER TABLE "backups" VALIDATE CONSTRAINT "backups_engine_listed";--> statement-breakpoint
ALTER TABLE "backups" VALIDATE CONSTRAINT "backups_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "backups" VALIDATE CONSTRAINT "backups_removal_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "backups" VALIDATE CONSTRAINT "backups_size_not_negative";--> statement-breakpoint
ALTER TABLE "exports" VALIDATE CONSTRAINT "exports_state_listed";--> statement-breakpoint
ALTER TABLE "exports" VALIDATE CONSTRAINT "exports_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "exports" VALIDATE CONSTRAINT "exports_removal_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "exports" VALIDATE CONSTRAINT "exports_size_not_negative";--> statement-breakpoint
ALTER TABLE "restores" VALIDATE CONSTRAINT "restores_state_listed";--> statement-breakpoint
ALTER TABLE "restores" VALIDATE CONSTRAINT "restores_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "mails" VALIDATE CONSTRAINT "mails_attempts_not_negative";--> statement-breakpoint
ALTER TABLE "sandbox_checkouts" VALIDATE CONSTRAINT "sandbox_checkouts_kind_listed";--> statement-breakpoint
ALTER TABLE "sandbox_checkouts" VALIDATE CONSTRAINT "sandbox_checkouts_state_listed";--> statement-breakpoint
ALTER TABLE "sandbox_invoices" VALIDATE CONSTRAINT "sandbox_invoices_status_listed";--> statement-breakpoint
ALTER TABLE "sandbox_payments" VALIDATE CONSTRAINT "sandbox_payments_status_listed";
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_erasure_waits_for_listed" CHECK ("accounts"."erasure_waits_for" in ('comparison', 'money', 'workspace', 'copies', 'mail')) NOT VALID;--> statement-breakpoint
ALTER TABLE "accounts" VALIDATE CONSTRAINT "accounts_erasure_waits_for_listed";--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_erasure_attempts_not_negative" CHECK ("accounts"."erasure_attempts" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "accounts" VALIDATE CONSTRAINT "accounts_erasure_attempts_not_negative";--> statement-breakpoint
-- From here on written by hand: what drizzle's schema cannot express. It depends on nothing else in this file than the columns above.
CREATE FUNCTION "public"."set_host_of_workspace"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- A share lock: a move that is under way ends first, and then changes this row as well, or has been read.
	-- Null without a workspace: any host finishes it.
	SELECT "host" INTO NEW."host" FROM "public"."workspaces" WHERE "id" = NEW."workspace_id" FOR SHARE;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "backups_host" BEFORE INSERT ON "public"."backups" FOR EACH ROW EXECUTE FUNCTION "public"."set_host_of_workspace"();
--> statement-breakpoint
CREATE TRIGGER "exports_host" BEFORE INSERT ON "public"."exports" FOR EACH ROW EXECUTE FUNCTION "public"."set_host_of_workspace"();
--> statement-breakpoint
CREATE FUNCTION "public"."take_queues_along"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "public"."backups" SET "host" = NEW."host" WHERE "workspace_id" = NEW."id" AND "due_at" IS NOT NULL;
	UPDATE "public"."exports" SET "host" = NEW."host" WHERE "account_id" = NEW."account_id" AND "workspace_id" = NEW."id" AND "due_at" IS NOT NULL;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "workspaces_host" AFTER UPDATE OF "host" ON "public"."workspaces" FOR EACH ROW
	WHEN (OLD."host" IS DISTINCT FROM NEW."host") EXECUTE FUNCTION "public"."take_queues_along"();
--> statement-breakpoint
UPDATE "public"."backups" SET "host" = "w"."host" FROM "public"."workspaces" "w" WHERE "w"."id" = "backups"."workspace_id" AND "backups"."due_at" IS NOT NULL;
--> statement-breakpoint
UPDATE "public"."exports" SET "host" = "w"."host" FROM "public"."workspaces" "w" WHERE "w"."id" = "exports"."workspace_id" AND "exports"."due_at" IS NOT NULL;
--> statement-breakpoint
-- Only a transaction that says so may change more, after: set local slipway.changing_money = 'on'.
CREATE FUNCTION "public"."may_change_money"() RETURNS boolean LANGUAGE sql STABLE AS $$
	SELECT coalesce(current_setting('slipway.changing_money', true), '') = 'on'
$$;
--> statement-breakpoint
-- Its arguments are the columns that may change.
CREATE FUNCTION "public"."refuse_money_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"kept" jsonb;
	"wanted" jsonb;
BEGIN
	IF "public"."may_change_money"() THEN RETURN coalesce(NEW, OLD); END IF;
	IF TG_OP <> 'UPDATE' THEN
		RAISE EXCEPTION 'rows of % are never deleted (%)', TG_TABLE_NAME, TG_OP
			USING ERRCODE = 'restrict_violation', HINT = 'docs/runbooks/money-rows.md says what may be changed, and how.';
	END IF;
	"kept" := to_jsonb(OLD) - TG_ARGV;
	"wanted" := to_jsonb(NEW) - TG_ARGV;
	-- An invoice that had to wait for its document gets it, with its number, once. Without a document it keeps the number that it has.
	IF TG_TABLE_NAME = 'invoices' AND "kept"->'document' = 'null' AND "wanted"->'document' <> 'null' THEN
		"kept" := "kept" - ARRAY['document', 'number'];
		"wanted" := "wanted" - ARRAY['document', 'number'];
	END IF;
	IF "kept" <> "wanted" THEN
		RAISE EXCEPTION 'a row of % never changes, except its %', TG_TABLE_NAME, array_to_string(TG_ARGV, ', ')
			USING ERRCODE = 'restrict_violation', HINT = 'docs/runbooks/money-rows.md says what may be changed, and how.';
	END IF;
	IF (TG_TABLE_NAME = 'invoices' AND OLD."status" <> 'open' AND NEW."status" = 'open')
		OR (TG_TABLE_NAME = 'payments' AND OLD."status" IN ('succeeded', 'refunded', 'disputed') AND NEW."status" IN ('failed', 'pending')) THEN
		RAISE EXCEPTION 'a row of % that is % never becomes % again', TG_TABLE_NAME, OLD."status", NEW."status"
			USING ERRCODE = 'restrict_violation', HINT = 'docs/runbooks/money-rows.md says what may be changed, and how.';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "invoices_for_good" BEFORE UPDATE OR DELETE ON "public"."invoices" FOR EACH ROW
	EXECUTE FUNCTION "public"."refuse_money_change"('status', 'receipt_queued_at', 'number_kept_at', 'seen_at');
--> statement-breakpoint
CREATE TRIGGER "payments_for_good" BEFORE UPDATE OR DELETE ON "public"."payments" FOR EACH ROW
	EXECUTE FUNCTION "public"."refuse_money_change"('status', 'reason', 'brand', 'last_four');
--> statement-breakpoint
CREATE TRIGGER "invoices_never_emptied" BEFORE TRUNCATE ON "public"."invoices" FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_money_change"();
--> statement-breakpoint
CREATE TRIGGER "payments_never_emptied" BEFORE TRUNCATE ON "public"."payments" FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_money_change"();
--> statement-breakpoint
-- Also for a session that calls itself a replica, whose ordinary triggers are silent.
ALTER TABLE "public"."invoices" ENABLE ALWAYS TRIGGER "invoices_for_good";
--> statement-breakpoint
ALTER TABLE "public"."invoices" ENABLE ALWAYS TRIGGER "invoices_never_emptied";
--> statement-breakpoint
ALTER TABLE "public"."payments" ENABLE ALWAYS TRIGGER "payments_for_good";
--> statement-breakpoint
ALTER TABLE "public"."payments" ENABLE ALWAYS TRIGGER "payments_never_emptied";
