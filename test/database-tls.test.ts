// DATABASE_URL with sslmode=verify-full: a server is used only where its certificate is good for its name.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeCertificates, NO_OPENSSL } from './support/certificate.ts'
import { startPostgres } from './support/own-postgres.ts'
import { lastro, temporaryFolder } from './support/process.ts'

/** The embedded server has one port, so it listens on an address of its own; only Linux has more than one. */
const ADDRESS = `127.77.${(process.pid >> 8) & 255}.${process.pid & 255}`
const skip = NO_OPENSSL || (process.platform !== 'linux' && 'loopback has one address here')
const HBA = ['local all all peer map=lastro', 'hostssl all all samehost scram-sha-256', '']

test('sslmode=verify-full', { skip }, async (t) => {
  const { localhost, selfSigned, caFile } = makeCertificates()
  const { pool } = await startPostgres(({ cluster, user }) => {
    const write = (name: string, text: string) => {
      const file = join(cluster, '..', name)
      writeFileSync(file, text)
      user.own(file)
      return file
    }
    return {
      listen_addresses: ADDRESS,
      hba_file: write('hba.conf', HBA.join('\n')),
      ssl: 'on',
      ssl_cert_file: write('server.pem', localhost.cert),
      ssl_key_file: write('server.key', localhost.key),
    }
  })
  await pool.query(`alter role lastro password 'secret'`)
  const port = await forwardTo(ADDRESS)
  const otherCa = join(temporaryFolder(), 'other.pem')
  writeFileSync(otherCa, selfSigned.cert)
  const list = (host: string, parameters: string) =>
    lastro(['empresas', 'list'], {
      DATABASE_URL: `postgresql://lastro:secret@${host}:${port}/lastro?${parameters}`,
    })
  const verified = (ca: string) => `sslmode=verify-full&sslrootcert=${ca}`

  await t.test('connects where the authority and the name are right', async () => {
    const { code, err } = await list('localhost', verified(caFile))
    assert.equal(code, 0, err)
  })

  for (const [name, host, parameters, reason] of [
    ['another authority', 'localhost', verified(otherCa), /certificate/],
    ['another name', '127.0.0.1', verified(caFile), /altnames/],
    ['no TLS', 'localhost', 'sslmode=disable', /no encryption/],
  ] as const) {
    await t.test(`refuses ${name} in one sentence`, async () => {
      const { code, err } = await list(host, parameters)
      assert.equal(code, 1)
      assert.match(err, /^The database of DATABASE_URL cannot be used: .+\n$/)
      assert.match(err, reason)
    })
  }
})

/** A port of localhost, the name in the certificate, that leads to the server. */
async function forwardTo(address: string): Promise<number> {
  const server = createServer((incoming) => {
    const outgoing = connect(5432, address)
    incoming.pipe(outgoing).pipe(incoming)
    for (const socket of [incoming, outgoing]) socket.on('error', () => incoming.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return (server.address() as AddressInfo).port
}
