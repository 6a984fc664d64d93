import { styleText } from 'node:util';
import type { Failure } from '../../shared/log.ts';
import { printable } from '../../shared/printable.ts';
import { type AccessLine, accessLineIn } from './access-line.ts';
import type { Activity, Exchange, OnActivity } from './activity.ts';
import { eventInRecord } from './event-records.ts';
import type { Invocation } from './invocation.ts';
import type { StreamRecord } from './table-stream.ts';

export interface ServiceLog {
  onActivity: OnActivity;
  /** Writes a line that a function logged outside an invocation. */
  onLine(line: string): void;
}

type Write = (text: string) => void;

/**
 * The log for an output that is not a terminal. Writes the functions' lines, and adds the time to JSON lines.
 */
export function jsonLog(write: Write, now: () => Date = () => new Date()): ServiceLog {
  const onLine = (line: string) => {
    const time = JSON.stringify(now().toISOString());
    write(`${printable(line).replace(/^\{(?="\w+":)/, `{"time":${time},`)}\n`);
  };
  return {
    onActivity(activity) {
      if (activity.type === 'invocation') activity.lines.forEach(onLine);
    },
    onLine,
  };
}

/** The log keeps the access lines of at most this number of requests until their responses are sent. */
const waitingLines = 1_000;

/**
 * The log on a terminal: one line for each request, followed by lines for its events, messages and webhook attempts.
 * Metrics are omitted. Errors are shown completely.
 */
export function terminalLog(write: Write, { colors = true } = {}): ServiceLog {
  const paint = (style: Style, text: string) =>
    colors ? styleText(style, printable(text), { validateStream: false }) : printable(text);
  const accessLines = new Map<string, AccessLine>();
  const effect = (name: string, text: string, result = '') =>
    write(`         ${paint('dim', name)} ${printable(text)}${result}\n`);

  function onLine(line: string): void {
    if (isMetric(line)) return;
    const access = accessLineIn(line);
    if (access) {
      accessLines.set(access.requestId, access);
      const [oldest] = accessLines.keys();
      if (accessLines.size > waitingLines && oldest !== undefined) accessLines.delete(oldest);
    } else if (line !== '') write(`${paint('red', line)}\n`);
  }

  function request({ requestId = '', method, target, status, startedAt, milliseconds }: Exchange): void {
    const { principal, error, cause, failure } = accessLines.get(requestId) ?? {};
    accessLines.delete(requestId);
    const path = target.replace(/\?.*$/s, '');
    const parts = [
      paint('dim', timeOf(startedAt)),
      printable(`${method} ${path}`),
      paint(styleOf(status), String(status)),
      `${Math.round(milliseconds)} ms`,
      principal && paint('dim', principal),
      error && paint('yellow', cause ? `${error} (${cause})` : error),
    ];
    write(`${parts.filter((part) => part).join(' ')}\n`);
    if (failure) for (const line of stackLines(failure)) write(`${paint('red', line)}\n`);
  }

  function invocation({ functionName, event, lines, requests, error }: Invocation): void {
    lines.forEach(onLine);
    if (error !== undefined) return;
    if (functionName === 'events-relay')
      for (const record of (event as { Records: StreamRecord[] }).Records) {
        const relayed = eventInRecord(record);
        if (relayed) effect('event', [relayed.kind, relayed.subject.label].filter(Boolean).join(': '));
      }
    for (const { method, url, status, milliseconds } of requests)
      effect('webhook', `${method} ${url}`, ` ${resultOf(status)} ${Math.round(milliseconds)} ms`);
  }

  const resultOf = (status: number | undefined) =>
    status === undefined ? paint('red', 'no response') : paint(styleOf(status), String(status));

  return {
    onActivity(activity: Activity) {
      if (activity.type === 'exchange') request(activity);
      else if (activity.type === 'invocation') invocation(activity);
      else effect(activity.kind, [activity.to, activity.subject].filter(Boolean).join(': '));
    },
    onLine,
  };
}

/** The stack of a failure, followed by those of its causes. */
const stackLines = ({ message, stack, cause, errors = [] }: Failure): string[] => [
  ...(stack ?? message).split('\n'),
  ...[...(cause ? [cause] : []), ...errors].flatMap((one) => {
    const [first = '', ...others] = stackLines(one);
    return [`Caused by: ${first}`, ...others];
  }),
];

type Style = 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

function styleOf(status: number): Style {
  if (status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return status >= 300 ? 'cyan' : 'green';
}

/** The local time, for example `15:49:37`. */
const timeOf = (milliseconds: number): string => new Date(milliseconds).toTimeString().slice(0, 8);

/** Metrics are logged in CloudWatch's embedded metric format. See shared/events/emit-metric.ts. */
const isMetric = (line: string): boolean => line.startsWith('{"_aws":');
