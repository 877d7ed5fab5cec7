-- Rotation: until then the secret before signs too. Inactive: since when, and why, in words.
alter table webhooks
  add column secret_anterior text,
  add column anterior_ate timestamptz,
  add column inativo_desde timestamptz(3),
  add column inativo_motivo text,
  -- Since then every attempt has failed.
  add column falhando_desde timestamptz(3);

-- Whoever carries deliveries out notes how a receiver does, and sets one inactive that is gone.
grant update (ativo, inativo_desde, inativo_motivo, falhando_desde, atualizado_em) on webhooks to lastro_worker;
create policy worker_note on webhooks for update to lastro_worker using (true);

-- Ranges of deliveries to be sent again, batch by batch in the order of their ids: cursor is the last one
-- that was taken up, in the same transaction, so that none is taken twice however often it is interrupted.
create table webhook_redeliveries (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  desde timestamptz(3) not null,
  ate timestamptz(3) not null,
  status text not null,
  events text[] not null,
  total bigint not null,
  reenviadas bigint not null default 0,
  cursor uuid,
  criado_em timestamptz(3) not null default clock_timestamp(),
  concluido_em timestamptz(3),
  primary key (tenant_id, id)
);
create index webhook_redeliveries_open on webhook_redeliveries (tenant_id, id)
  where concluido_em is null;

alter table webhook_redeliveries enable row level security;
alter table webhook_redeliveries force row level security;
grant select, insert, update on webhook_redeliveries to lastro_app;
create policy company on webhook_redeliveries to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
grant select on webhook_redeliveries to lastro_worker;
create policy worker on webhook_redeliveries for select to lastro_worker using (true);
