-- What GET of one delivery shows of an attempt. What was sent is not kept: the event and the second in which
-- the attempt started give it again.
alter table webhook_attempts
  -- The address of the subscription as it then was.
  add column url text,
  add column error_detail text,
  -- Steps that were finished; of a connection that was open already there is none to make.
  add column dns_ms bigint,
  add column connect_ms bigint,
  add column tls_ms bigint,
  add column first_byte_ms bigint,
  -- Pairs of name and value, as JSON, at most 4 KiB.
  add column response_headers text;
