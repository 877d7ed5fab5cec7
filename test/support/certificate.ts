import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './process.ts'

/** Why tests with certificates are skipped, or false. */
export const NO_OPENSSL =
  spawnSync('openssl', ['version']).status !== 0 && 'openssl is not here to make certificates with'

/** PEM. */
export interface Certificate {
  key: string
  cert: string
}

export interface Certificates {
  /** What a client has to trust for the others to be good. */
  ca: string
  caFile: string
  /** Good, for the name localhost. */
  localhost: Certificate
  expired: Certificate
  /** Good, but for another name. */
  wrongName: Certificate
  /** Good, but for no name at all. */
  noName: Certificate
  /** Good, but to be shown by clients. */
  wrongPurpose: Certificate
  /** For localhost, vouched for by nobody else. */
  selfSigned: Certificate
}

const NAME = 'subjectAltName=DNS:localhost'
const CONFIG = '[req]\ndistinguished_name=name\n[name]\n'

/** A certificate authority of the test's own, and what servers show that it has signed, or not. */
export function makeCertificates(): Certificates {
  const folder = temporaryFolder()
  const file = (name: string) => join(folder, name)
  const write = (name: string, text: string) => {
    writeFileSync(file(name), text)
    return file(name)
  }
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const config = write('openssl.cnf', CONFIG)
  const newKey = (name: string) =>
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file(`${name}.key`))
  const read = (name: string): Certificate => ({
    key: readFileSync(file(`${name}.key`), 'utf8'),
    cert: readFileSync(file(`${name}.pem`), 'utf8'),
  })
  const request = (name: string, subject: string) => {
    newKey(name)
    const key = file(`${name}.key`)
    const out = file(`${name}.csr`)
    openssl('req', '-new', '-config', config, '-key', key, '-subj', subject, '-out', out)
    return out
  }
  const sign = (
    name: string,
    extensions: string,
    by: string[],
    { days = 2, subject = `/CN=${name}` } = {},
  ): Certificate => {
    const csr = request(name, subject)
    const ext = write(`${name}.ext`, `${extensions}\n`)
    const out = file(`${name}.pem`)
    openssl(
      ...['x509', '-req', '-sha256', '-in', csr, '-days', String(days), '-extfile', ext],
      ...['-set_serial', String(Math.floor(Math.random() * 2 ** 40) + 1), '-out', out, ...by],
    )
    return read(name)
  }
  const caIs = 'basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign'
  const { cert: ca } = sign('ca', caIs, ['-signkey', file('ca.key')])
  const byCa = ['-CA', file('ca.pem'), '-CAkey', file('ca.key')]
  return {
    ca,
    caFile: file('ca.pem'),
    localhost: sign('localhost', NAME, byCa),
    expired: sign('expired', NAME, byCa, { days: -1 }),
    wrongName: sign('wrong-name', 'subjectAltName=DNS:elsewhere.example', byCa),
    noName: sign('no-name', 'keyUsage=digitalSignature', byCa, { subject: '/' }),
    wrongPurpose: sign('wrong-purpose', `${NAME}\nextendedKeyUsage=clientAuth`, byCa),
    selfSigned: sign('self-signed', NAME, ['-signkey', file('self-signed.key')]),
  }
}
