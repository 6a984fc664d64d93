import '../quiet-sdk.ts';
import type { Outgoing } from '../../events/outgoing.ts';
import { type EventKind, eventKinds } from '../../shared/events/kinds.ts';
import { isTriggerQueue, queueNames } from '../../shared/events/queues.ts';
import { command, print } from './command.ts';
import { accountId, InvalidOption, instant, oneOf, type ValueType, wholeNumber } from './options.ts';
import { withProgressBar } from './progress-bar.ts';
import { replayEvents } from './replay-events.ts';
import { sender } from './send-messages.ts';
import { cloudService, localService, serviceNote, serviceOption } from './service-at.ts';

const longestSpan = 14 * 86_400_000;
const eventQueues = queueNames.filter((queue) => !isTriggerQueue(queue));

const eventKind: ValueType<EventKind> = {
  expected: 'an event kind listed by GET /event-kinds',
  parse: (given) => eventKinds.find((kind) => kind === given),
};

await command(
  {
    name: 'events:replay',
    summary:
      'Sends the events of a time span to their queues again. Consumers skip events they have already processed.',
    options: {
      from: { type: instant, required: true, help: 'start of the span' },
      to: { type: instant, required: true, help: 'end of the span, at most 14 days later' },
      account: { type: accountId, help: 'only events of this account; default: all accounts' },
      kind: { type: eventKind, help: 'only events of this kind; default: all kinds' },
      queue: { type: oneOf(...eventQueues), help: 'only to this queue; default: all subscribed queues' },
      rate: { type: wholeNumber, help: 'messages per second; default: 100' },
      'dry-run': { type: 'flag', help: 'counts the events and sends nothing' },
      json: { type: 'flag', help: 'prints the counts as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `The span is extended by 30 seconds at both ends. After an interruption, run the command with the same options to
continue.`,
    ],
  },
  async ({ from, to, account, kind, queue, rate = 100, 'dry-run': dryRun, json, stage }, closeAtEnd) => {
    const span = { from: new Date(from), to: new Date(to) };
    if (span.from > span.to) throw new InvalidOption('--to must not be before --from.');
    if (span.to.getTime() - span.from.getTime() > longestSpan)
      throw new InvalidOption('--to must be at most 14 days after --from.');
    if (span.to.getTime() > Date.now()) throw new InvalidOption('--to must not be in the future.');
    const { sqs, urlOf } = stage ? await cloudService(stage, closeAtEnd) : await localService(closeAtEnd);
    const selection = { ...span, account, kind, queue };
    const sendAll = sender(sqs, urlOf);
    const replayed = await withProgressBar('Messages sent', (advance) => {
      const send = (messages: readonly Outgoing[]) => sendAll(messages).then(() => advance(messages.length));
      return replayEvents(selection, { send, rate, dryRun });
    });
    const { events, messages, resumedAfter: place } = replayed;
    const resumed = place ? [`Continued after event ${place.event} of account ${place.account}.`] : [];
    const verb = dryRun ? 'would be sent' : 'were sent';
    const lines = [...resumed, `${events} events ${verb} as ${messages} messages.`];
    print({ ...replayed, dryRun }, json ? undefined : lines);
  },
);
