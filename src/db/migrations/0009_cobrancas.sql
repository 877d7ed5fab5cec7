-- Accounts with payment providers, one connected at a time. A charge keeps the account it was issued in, so
-- those that were disconnected stay, without their key.
create table provedor_contas (
  tenant_id uuid not null,
  id uuid not null,
  provedor text not null,
  base_url text,
  -- Sealed.
  api_key text,
  -- Of what the provider shows with its notices only a SHA-256 is kept.
  token_hash bytea,
  conectada_em timestamptz(3) not null default clock_timestamp(),
  desconectada_em timestamptz(3),
  primary key (tenant_id, id)
);
create unique index provedor_contas_conectada on provedor_contas (tenant_id)
  where desconectada_em is null;

-- Charges. That one is overdue is not kept: it is pending, and its due date has passed.
create table cobrancas (
  tenant_id uuid not null,
  id uuid not null,
  status text not null
    check (status in ('emitindo', 'pendente', 'paga', 'cancelada', 'estornada', 'falhou')),
  valor bigint not null check (valor between 1 and 999999999999),
  vencimento date not null,
  forma text not null check (forma in ('UNDEFINED', 'BOLETO', 'PIX', 'CREDIT_CARD')),
  descricao text,
  parceiro_id uuid,
  lancamento_id uuid,
  provedor text not null,
  conta_id uuid not null,
  provedor_id text,
  invoice_url text,
  bank_slip_url text,
  linha_digitavel text,
  codigo_barras text,
  pix_copia_e_cola text,
  pago_em date,
  valor_pago bigint,
  -- Why the provider would not issue it.
  motivo text,
  -- Until then a request is taken to be issuing it; it says so again every moment.
  emissao_ate timestamptz,
  -- When the provider is to be asked how it stands; each question without an answer is counted.
  conferir_em timestamptz,
  perguntas bigint not null default 0,
  criado_em timestamptz(3) not null default clock_timestamp(),
  atualizado_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  constraint cobrancas_parceiro
    foreign key (tenant_id, parceiro_id) references parceiros (tenant_id, id),
  constraint cobrancas_lancamento
    foreign key (tenant_id, lancamento_id) references lancamentos (tenant_id, id)
    on delete set null (lancamento_id),
  constraint cobrancas_conta
    foreign key (tenant_id, conta_id) references provedor_contas (tenant_id, id)
);
create index cobrancas_by_status on cobrancas (tenant_id, status, id desc);
create index cobrancas_by_parceiro on cobrancas (tenant_id, parceiro_id, id desc)
  where parceiro_id is not null;
create index cobrancas_by_lancamento on cobrancas (tenant_id, lancamento_id)
  where lancamento_id is not null;
create index cobrancas_by_provedor_id on cobrancas (tenant_id, conta_id, provedor_id);
create index cobrancas_conferir on cobrancas (conferir_em) where conferir_em is not null;

-- What providers have sent, as it came: the proof of why a charge was looked at.
create table provedor_avisos (
  tenant_id uuid not null,
  conta_id uuid not null,
  id text not null,
  -- The provider's id of the charge that it is about.
  cobranca text,
  corpo text not null,
  recebido_em timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, conta_id, id)
);
create index provedor_avisos_by_cobranca on provedor_avisos (tenant_id, conta_id, cobranca);

-- The books of the provider that is played by the service itself.
create table sandbox_cobrancas (
  tenant_id uuid not null,
  reference uuid not null,
  valor bigint not null,
  vencimento date not null,
  forma text not null,
  status text not null default 'pendente'
    check (status in ('pendente', 'paga', 'cancelada', 'estornada')),
  pago_em date,
  primary key (tenant_id, reference)
);

alter table provedor_contas enable row level security;
alter table provedor_contas force row level security;
alter table cobrancas enable row level security;
alter table cobrancas force row level security;
alter table provedor_avisos enable row level security;
alter table provedor_avisos force row level security;
alter table sandbox_cobrancas enable row level security;
alter table sandbox_cobrancas force row level security;

grant select, insert, update on provedor_contas, cobrancas, sandbox_cobrancas to lastro_app;
grant select, insert on provedor_avisos to lastro_app;
-- A charge that the provider refused leaves its key unused.
grant delete on idempotency_keys to lastro_app;
create policy company on provedor_contas to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on cobrancas to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on provedor_avisos to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));
create policy company on sandbox_cobrancas to lastro_app
  using (tenant_id = (select nullif(current_setting('app.tenant', true), '')::uuid));

-- A provider's notice names an account, not a company.
grant select on provedor_contas to lastro_auth;
create policy notice_lookup on provedor_contas for select to lastro_auth using (true);
-- From the shell a charge is named by its id alone.
grant select on cobrancas to lastro_operator;
create policy operator on cobrancas for select to lastro_operator using (true);
-- Who looks after charges finds those that are to be looked at, and takes them in turn.
grant select on cobrancas to lastro_worker;
grant update (conferir_em, emissao_ate) on cobrancas to lastro_worker;
create policy worker on cobrancas for select to lastro_worker using (true);
create policy worker_turn on cobrancas for update to lastro_worker using (true);
