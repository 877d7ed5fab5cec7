import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, exposition, Gauge, Histogram } from './registry.ts'

test('a counter has a line for each combination of its labels', () => {
  const counter = new Counter('calls_total', 'Calls.', ['method', 'status'])
  counter.add(['GET', '200'])
  counter.add(['GET', '200'])
  counter.add(['POST', '201'], 0)
  assert.equal(
    exposition([counter]),
    [
      '# HELP calls_total Calls.',
      '# TYPE calls_total counter',
      'calls_total{method="GET",status="200"} 2',
      'calls_total{method="POST",status="201"} 0',
      '',
    ].join('\n'),
  )
})

test('a histogram counts each value in every bucket that it fits', () => {
  const histogram = new Histogram('seconds', 'Time.', ['route'], [0.1, 1])
  for (const value of [0.1, 0.5, 2]) histogram.observe(['/'], value)
  assert.deepEqual(histogram.samples(), [
    'seconds_bucket{route="/",le="0.1"} 1',
    'seconds_bucket{route="/",le="1"} 2',
    'seconds_bucket{route="/",le="+Inf"} 3',
    'seconds_sum{route="/"} 2.6',
    'seconds_count{route="/"} 3',
  ])
})

test('what a gauge cannot tell is left out, its name included', () => {
  const known = new Gauge('up', 'Up.', () => 1)
  const unknown = new Gauge('age', 'Age.', () => undefined)
  assert.equal(exposition([unknown, known]), '# HELP up Up.\n# TYPE up gauge\nup 1\n')
})

test('a backslash, a quote and a line break are escaped', () => {
  const counter = new Counter('odd_total', 'A \\ and\na line.', ['label'])
  counter.add(['a\\b"c\nd'])
  assert.equal(
    exposition([counter]),
    '# HELP odd_total A \\\\ and\\na line.\n# TYPE odd_total counter\nodd_total{label="a\\\\b\\"c\\nd"} 1\n',
  )
})
