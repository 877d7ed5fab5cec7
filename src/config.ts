import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { OperatorError } from './errors.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export interface Config {
  readonly port: number
  readonly host: string
  /** Absent: the embedded PostgreSQL is used. */
  readonly databaseUrl: string | undefined
  /** Where LISTEN and migrations connect; the same as `databaseUrl` unless a pooler stands between. */
  readonly databaseDirectUrl: string | undefined
  readonly dataDir: string | undefined
  readonly secretKey: Buffer | undefined
  /** Still opens what it has sealed. */
  readonly secretKeyPrevious: Buffer | undefined
  readonly demo: boolean
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly rateLimitPerMinute: number
  readonly publicUrl: string
  /** Which proxies may say who the caller is: a number of hops or addresses, as Fastify takes them. */
  readonly trustProxy: false | number | string[]
  /** Addresses that webhooks may reach though they are not public: a developer's own. */
  readonly webhookDevTargets: string[]
  /** Seconds between the attempts of a delivery. */
  readonly webhookRetryDelays: number[]
  readonly webhookMaxAttempts: number
  /** Absent: no metrics are served. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /** Absent: no history is ever dropped. */
  readonly retentionMonths: number | undefined
}

type Environment = Record<string, string | undefined>

/** The configuration of this process: `.env` of the checkout, then the environment, which wins. */
export function loadConfig(): Config {
  const file = fileURLToPath(new URL('../.env', import.meta.url))
  if (existsSync(file)) process.loadEnvFile(file)
  return readConfig(process.env)
}

/** Reads and judges every variable, and names all faults at once. */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  // A variable set to nothing is a variable not set: that is how compose files and .env leave one out.
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | Fault): T => {
    const text = env[name]?.trim()
    if (!text) return fallback
    const value = parse(text)
    if (!(value instanceof Fault)) return value
    faults.push(`${name} ${value.reason}`)
    return fallback
  }

  const port = read('PORT', 3000, integer(0, 65535))
  const databaseUrl = read<string | undefined>('DATABASE_URL', undefined, postgresUrl)
  const config: Config = {
    port,
    host: read('HOST', 'localhost', (text) => text),
    databaseUrl,
    databaseDirectUrl: read('DATABASE_DIRECT_URL', databaseUrl, postgresUrl),
    dataDir: read<string | undefined>('LASTRO_DATA_DIR', undefined, absolutePath),
    secretKey: read<Buffer | undefined>('LASTRO_SECRET_KEY', undefined, key256),
    secretKeyPrevious: read<Buffer | undefined>('LASTRO_SECRET_KEY_PREVIOUS', undefined, key256),
    demo: read('LASTRO_DEMO', true, onOrOff),
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    rateLimitPerMinute: read('RATE_LIMIT_PER_MINUTE', 60, integer(1, 1_000_000)),
    publicUrl: read('PUBLIC_URL', `http://localhost:${port}`, httpUrl),
    trustProxy: read<Config['trustProxy']>('TRUST_PROXY', false, proxies),
    webhookDevTargets: read('WEBHOOK_DEV_TARGETS', [], cidrs),
    webhookRetryDelays: read('WEBHOOK_RETRY_DELAYS', [60, 300, 1800, 7200], seconds),
    webhookMaxAttempts: read('WEBHOOK_MAX_ATTEMPTS', 4, integer(1, 100)),
    metricsPort: read<number | undefined>('METRICS_PORT', undefined, integer(1, 65535)),
    metricsHost: read('METRICS_HOST', '127.0.0.1', (text) => text),
    retentionMonths: read<number | undefined>('RETENTION_MONTHS', undefined, integer(1, 1200)),
  }
  if (config.databaseDirectUrl && !databaseUrl) {
    faults.push('DATABASE_DIRECT_URL is of no use without DATABASE_URL')
  }
  if (config.secretKeyPrevious && !config.secretKey) {
    faults.push('LASTRO_SECRET_KEY_PREVIOUS is of no use without LASTRO_SECRET_KEY')
  }
  if (faults.length > 0) {
    const list = faults.map((fault) => `  - ${fault}`).join('\n')
    throw new OperatorError(`The configuration is not valid:\n${list}\n.env.example explains each.`)
  }
  return Object.freeze(config)
}

class Fault {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

function integer(min: number, max: number) {
  return (text: string) => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= min && value <= max
      ? value
      : new Fault(`must be a whole number from ${min} to ${max}`)
  }
}

function oneOf<const T extends readonly string[]>(allowed: T) {
  return (text: string): T[number] | Fault =>
    allowed.includes(text) ? text : new Fault(`must be one of ${allowed.join(', ')}`)
}

function onOrOff(text: string): boolean | Fault {
  return text === 'on' || text === 'off' ? text === 'on' : new Fault('must be on or off')
}

// The reasons never repeat the value: a database URL holds a password.
function postgresUrl(text: string): string | Fault {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
    ? text
    : new Fault('must be a URL like postgresql://user:password@host:5432/database')
}

function httpUrl(text: string): string | Fault {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? text.replace(/\/+$/, '')
    : new Fault('must be a URL like https://api.example.com')
}

function absolutePath(text: string): string | Fault {
  // initdb hands paths to a shell.
  if (/["$`\\\n]/.test(text)) return new Fault('must not hold ", $, `, \\ or a line break')
  return text.startsWith('/') ? text : new Fault('must be an absolute path')
}

function key256(text: string): Buffer | Fault {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && key.toString('base64') === text
    ? key
    : new Fault('must be 32 bytes in base64, as `openssl rand -base64 32` prints them')
}

function proxies(text: string): Config['trustProxy'] | Fault {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const list = cidrs(text)
  return list instanceof Fault
    ? new Fault('must be a number of proxies, or addresses and CIDRs with commas between them')
    : list
}

function cidrs(text: string): string[] | Fault {
  const list = text.split(',').map((part) => part.trim())
  const known = (part: string) => {
    const [address = '', bits, ...rest] = part.split('/')
    const size = isIP(address) === 4 ? 32 : 128
    const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size)
    return isIP(address) !== 0 && bitsFit && rest.length === 0
  }
  return list.every(known)
    ? list
    : new Fault('must be addresses or CIDRs with commas between them, like 127.0.0.1/32')
}

/** A delivery never waits longer than a day. */
function seconds(text: string): number[] | Fault {
  const list = text.split(',').map((part) => part.trim())
  return list.every((part) => /^\d+$/.test(part) && Number(part) >= 1 && Number(part) <= 86_400)
    ? list.map(Number)
    : new Fault('must be whole seconds from 1 to 86400 with commas between them')
}
