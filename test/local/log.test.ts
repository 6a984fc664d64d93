import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../../infra/local/activity.ts';
import type { Invocation } from '../../infra/local/invocation.ts';
import { jsonLog, type ServiceLog, terminalLog } from '../../infra/local/log.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { anEvent } from '../harness/an-event.ts';

const metric = '{"_aws":{"Timestamp":1},"EventLag":0.1}';

function call(functionName: string, given: Partial<Invocation> = {}): { type: 'invocation' } & Invocation {
  const empty = { event: {}, calls: [], requests: [], lines: [] };
  return { type: 'invocation', id: 'call', functionName, startedAt: 0, milliseconds: 1, ...empty, ...given };
}

function exchange(given: Partial<Exchange>): { type: 'exchange' } & Exchange {
  const request = {
    method: 'POST',
    target: '/leads?dryRun=true',
    requestHeaders: [],
    requestBody: Buffer.of(),
  };
  const response = { status: 201, responseHeaders: {}, responseBody: Buffer.of() };
  return { type: 'exchange', ...request, ...response, startedAt: 0, milliseconds: 17.2, ...given };
}

/** Returns the output of a terminal log, with `<time>` in place of the time of each request. */
function shown(fill: (log: ServiceLog) => void, colors = false): string {
  let output = '';
  fill(terminalLog((text) => (output += text), { colors }));
  return output.replaceAll(/^\d\d:\d\d:\d\d /gm, '<time> ');
}

/** Characters that move the cursor, start an escape sequence, break a line or change the writing direction. */
const unsafe = [
  ...'\0\u0007\b\t\n\r\u001b\u007f\u0085\u009b\u009d\u2028\u2029\u061c\u200e\u202e\u2066\ufeff',
];

/** Splits an output into its lines. Fails if a line contains an unsafe character. */
function printedLines(output: string): string[] {
  const lines = output.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.filter((line) => unsafe.some((character) => line.includes(character)))).toEqual([]);
  return lines;
}

const accessLine = (requestId: string, more: object = {}) =>
  JSON.stringify({ level: 'info', requestId, route: 'POST /leads', principal: 'key:7', ...more });

test('a terminal shows a line for each request, then its events, messages and webhook attempts, and no metrics', () => {
  const event = anEvent({ subject: { type: 'lead', id: 7, label: 'Ada Byron' } });
  const image = marshall({ ...eventKey(event.accountId, event.id), type: 'event', ...event });
  const record = { eventName: 'INSERT', dynamodb: { SequenceNumber: '1', NewImage: image } };
  const output = shown((log) => {
    log.onActivity(call('leads-create-lead', { lines: [accessLine('one'), metric] }));
    log.onActivity(exchange({ requestId: 'one' }));
    log.onActivity(call('events-relay', { event: { Records: [record] } }));
    const mail = {
      kind: 'mail',
      id: '1',
      file: 'mail/1.eml',
      to: 'ann@example.com',
      subject: 'A new lead',
    } as const;
    log.onActivity({ type: 'message', ...mail });
    log.onActivity({ type: 'message', kind: 'sms', id: '2', file: 'sms/1.txt', to: '+15555550100' });
    const attempt = { method: 'POST', url: 'http://127.0.0.1:9/hook', milliseconds: 12 };
    const requests = [{ ...attempt, status: 200 }, attempt];
    log.onActivity(call('events-deliveries', { requests }));
  });
  expect(output).toBe(
    [
      '<time> POST /leads 201 17 ms key:7',
      '         event lead_created: Ada Byron',
      '         mail ann@example.com: A new lead',
      '         sms +15555550100',
      '         webhook POST http://127.0.0.1:9/hook 200 12 ms',
      '         webhook POST http://127.0.0.1:9/hook no response 12 ms',
      '',
    ].join('\n'),
  );
});

test('a terminal shows the error code of a failed request, and the stacks of an unexpected error and its cause', () => {
  const cause = { name: 'Error', message: 'z', stack: 'Error: z\n    at w' };
  const failure = { name: 'TypeError', message: 'x', stack: 'TypeError: x\n    at y', cause };
  const output = shown((log) => {
    log.onActivity(call('leads-create-lead', { lines: [accessLine('one', { error: 'invalid_input' })] }));
    log.onActivity(exchange({ requestId: 'one', status: 400 }));
    log.onActivity(call('a', { lines: [accessLine('two', { error: 'internal_error', failure })] }));
    log.onActivity(exchange({ requestId: 'two', status: 500 }));
    log.onActivity(exchange({ method: 'GET', target: '/nothing', status: 404 }));
    log.onActivity(call('events-audit', { lines: ['{"level":"error","failed":"message"}'] }));
    log.onLine('not JSON');
    log.onLine(metric);
  });
  expect(output).toBe(
    [
      '<time> POST /leads 400 17 ms key:7 invalid_input',
      '<time> POST /leads 500 17 ms key:7 internal_error',
      'TypeError: x',
      '    at y',
      'Caused by: Error: z',
      '    at w',
      '<time> GET /nothing 404 17 ms',
      '{"level":"error","failed":"message"}',
      'not JSON',
      '',
    ].join('\n'),
  );
});

test('text of other people cannot control the terminal or add a line', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...unsafe, 'a', '\ud800', '😀') });
  fc.assert(
    fc.property(hostile, (text) => {
      const event = anEvent({ subject: { type: 'lead', id: 7, label: text } });
      const image = marshall({ ...eventKey(event.accountId, event.id), type: 'event', ...event });
      const record = { eventName: 'INSERT', dynamodb: { SequenceNumber: '1', NewImage: image } };
      const output = shown((log) => {
        const line = accessLine('one', {
          principal: text,
          error: 'x',
          cause: text,
          failure: { message: 'x' },
        });
        log.onActivity(call('a', { lines: [line] }));
        log.onActivity(exchange({ requestId: 'one', target: `/${text}` }));
        log.onActivity(call('events-relay', { event: { Records: [record] } }));
        log.onActivity({ type: 'message', kind: 'mail', id: '1', file: '', to: `a${text}`, subject: text });
        const requests = [{ method: 'POST', url: `http://${text}`, status: 200, milliseconds: 1 }];
        log.onActivity(call('events-deliveries', { requests }));
        log.onLine(`x${text}`);
      });
      jsonLog((line) => expect(printedLines(line)).toHaveLength(1)).onLine(JSON.stringify({ text }));
      expect(printedLines(output)).toHaveLength(6);
    }),
  );
});

test('the color of a status shows its class: 2xx, 3xx, 4xx or 5xx', () => {
  const colorOf = (status: number) =>
    shown((log) => log.onActivity(exchange({ status })), true)
      .split(String(status))[0]
      ?.slice(-3);
  expect([200, 304, 404, 500].map(colorOf)).toEqual(['32m', '36m', '33m', '31m']);
});

test('without a terminal, the log contains the lines of the functions as JSON with a time', () => {
  let output = '';
  const log = jsonLog(
    (text) => (output += text),
    () => new Date('2026-01-02T03:04:05.006Z'),
  );
  log.onActivity(call('leads-create-lead', { lines: [accessLine('one'), metric] }));
  log.onActivity(exchange({ requestId: 'one' }));
  log.onLine('not JSON');
  const [access = '', measured = '', plain] = output.trimEnd().split('\n');
  const time = '2026-01-02T03:04:05.006Z';
  expect(JSON.parse(access)).toEqual({ time, ...JSON.parse(accessLine('one')) });
  expect(JSON.parse(measured)).toEqual({ time, ...JSON.parse(metric) });
  expect(plain).toBe('not JSON');
});
