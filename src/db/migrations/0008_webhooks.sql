-- Subscriptions. The secret is sealed: the database alone cannot sign.
create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  name text,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  secret text not null,
  ativo boolean not null default true,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id)
);

-- The record: one for each event and subscription that wanted it.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  event_seq bigint not null,
  event_kind text not null,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  attempts bigint not null default 0,
  -- Why it is dead, where no attempt says so; what a receiver should know, where it is delivered.
  reason text,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id)
) partition by range (id);
create index webhook_deliveries_of on webhook_deliveries (tenant_id, subscription_id, id desc);

-- The work: what is pending, and nothing else, so that it stays small however long the record grows. due
-- says when it may be claimed; whoever claims it sets a token and moves due to the end of the lease, so that
-- what a crash leaves behind falls due by itself. A result whose token is no longer there is dropped.
create table webhook_queue (
  tenant_id uuid not null,
  delivery_id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  attempts bigint not null default 0,
  due timestamptz not null,
  token uuid,
  primary key (tenant_id, delivery_id)
);
create index webhook_queue_due on webhook_queue (tenant_id, subscription_id, due);
create index webhook_queue_in_flight on webhook_queue (tenant_id, subscription_id, due)
  where token is not null;

create table webhook_attempts (
  tenant_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  started_at timestamptz(3) not null,
  duration_ms bigint not null,
  status bigint,
  error text,
  response text,
  address text,
  -- Attempts are only ever asked for by their delivery.
  primary key (tenant_id, delivery_id, id)
) partition by range (id);

alter table webhooks enable row level security;
alter table webhooks force row level security;
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
alter table webhook_queue enable row level security;
alter table webhook_queue force row level security;
alter table webhook_attempts enable row level security;
alter table webhook_attempts force row level security;

grant select, insert, update, delete on webhooks to lastro_app;
grant select, insert, update on webhook_deliveries to lastro_app;
grant select, insert, update, delete on webhook_queue to lastro_app;
grant select on webhook_attempts to lastro_app;
create policy company on webhooks to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on webhook_deliveries to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on webhook_queue to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on webhook_attempts to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));

-- The worker carries deliveries of all companies, and sees nothing of them but these.
grant select on webhooks, events to lastro_worker;
grant select, update on webhook_deliveries to lastro_worker;
grant select, update, delete on webhook_queue to lastro_worker;
grant insert on webhook_attempts to lastro_worker;
create policy worker on webhooks for select to lastro_worker using (true);
create policy worker on events for select to lastro_worker using (true);
create policy worker on webhook_deliveries to lastro_worker using (true);
create policy worker on webhook_queue to lastro_worker using (true);
create policy worker on webhook_attempts for insert to lastro_worker with check (true);
