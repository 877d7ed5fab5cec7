import { styleText } from 'node:util'
import { Command, InvalidArgumentError } from 'commander'
import { OperatorError } from '../errors.ts'
import { print } from '../terminal.ts'
import { type Arrival, listen } from './listen.ts'
import { isSecret } from './verify.ts'

interface ListenFlags {
  secret: string
  port: number
  host: string
  json?: true
}

export function webhooksCommands(): Command {
  const webhooks = new Command('webhooks').description('Help with receiving webhooks.')

  webhooks
    .command('listen')
    .description('Receive deliveries here, check each as a receiver should, and show it.')
    .requiredOption('--secret <secret>', 'the secret of the subscription, whsec_…')
    .option('--port <number>', 'the port to listen on', parsePort, 4000)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--json', 'print each delivery as one line of JSON')
    .action(listenUntilStopped)

  return webhooks
}

async function listenUntilStopped({ secret, port, host, json }: ListenFlags): Promise<void> {
  if (!isSecret(secret)) {
    throw new OperatorError(
      'The secret is malformed: it is whsec_ and 44 characters of base64, as POST /webhooks answered it.',
    )
  }
  const stopped = Promise.race([signalled('SIGINT'), signalled('SIGTERM')])
  const onArrival = (arrival: Arrival) => print(json, arrival, describe(arrival))
  const server = await listen({ host, port, secret, clock: Date.now, onArrival })
  const name = host.includes(':') ? `[${host}]` : host
  // Not on stdout, which holds what arrives and nothing else.
  process.stderr.write(`Listening on http://${name}:${port}/ for deliveries. Ctrl-C stops.\n`)
  await stopped
  server.close()
  // A sender keeps its connection for the next delivery; whatever is cut is sent again.
  server.closeAllConnections()
}

function signalled(signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => process.once(signal, () => resolve()))
}

/** In colour where stdout is a terminal and NO_COLOR does not forbid it: styleText looks. */
function describe(arrival: Arrival): string {
  const time = styleText('dim', new Date(arrival.at).toTimeString().slice(0, 8))
  if (!arrival.ok) {
    return `${time}  ${styleText('red', `refused, ${arrival.status}`)}  ${arrival.problem}\n`
  }
  const facts = [
    time,
    styleText('green', arrival.event),
    `sequence ${arrival.sequence ?? 'none'}`,
    `webhook-id ${arrival.id}`,
    ...(arrival.repeated ? [styleText('yellow', 'repeated')] : []),
  ]
  return `${facts.join('  ')}\n${JSON.stringify(arrival.body, null, 2)}\n`
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) {
    throw new InvalidArgumentError('It must be a number from 1 to 65535.')
  }
  return Number(text)
}
