#!/usr/bin/env node
// Runs the commands with the Node that package.json pins, whichever Node started this.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin/node')
const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const flags = ['--max-semi-space-size=12', '--heap-growing-percent=40']
const args = [...flags, cli, ...process.argv.slice(2)]
const child = spawn(node, args, { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (signal) process.removeAllListeners(signal).kill(process.pid, signal)
  else process.exit(code ?? 1)
})
