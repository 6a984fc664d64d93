import '../quiet-sdk.ts';
import type { Outgoing } from '../../events/outgoing.ts';
import { type EventKind, eventKinds } from '../../shared/events/kinds.ts';
import { isTriggerQueue, queueNames } from '../../shared/events/queues.ts';
import { command, print } from './command.ts';
import { accountId, InvalidOption, instant, oneOf, type ValueType, wholeNumber } from './options.ts';
import { progressBar } from './progress-bar.ts';
import { replayEvents } from './replay-events.ts';
import { sender } from './send-messages.ts';
import { cloudService, localService, serviceNote, serviceOption } from './service-at.ts';

const longest = 14 * 86_400_000;
const fed = queueNames.filter((queue) => !isTriggerQueue(queue));

const eventKind: ValueType<EventKind> = {
  expected: 'a kind of event, as GET /event-kinds lists them',
  parse: (given) => eventKinds.find((kind) => kind === given),
};

await command(
  {
    name: 'events:replay',
    summary: `Sends the events of a span of time to their queues once more. Whoever has handled one sees that it has.`,
    options: {
      from: { type: instant, required: true, help: 'the first instant' },
      to: { type: instant, required: true, help: 'the last instant, at most 14 days later' },
      account: { type: accountId, help: 'of one account; left out: of all' },
      kind: { type: eventKind, help: 'of one kind' },
      queue: { type: oneOf(...fed), help: 'to one queue; left out: to each that gets such an event' },
      rate: { type: wholeNumber, help: 'messages in a second; 100 where it is left out' },
      'dry-run': { type: 'flag', help: 'says how many there are, and sends none' },
      json: { type: 'flag', help: 'prints how many, and where it went on, as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `It takes 30 seconds more at both ends. Ended before it was done, it goes on where it was when it is called with the
same options. It finds accounts in the directory, which directory:build writes for a table from before there was one.`,
    ],
  },
  async ({ from, to, account, kind, queue, rate = 100, 'dry-run': dryRun, json, stage }, closeAtEnd) => {
    const span = { from: new Date(from), to: new Date(to) };
    if (span.from > span.to) throw new InvalidOption('--to must not be before --from.');
    if (span.to.getTime() - span.from.getTime() > longest)
      throw new InvalidOption('--to must be at most 14 days after --from.');
    if (span.to.getTime() > Date.now()) throw new InvalidOption('--to must not be in the future.');
    const { sqs, urlOf } = stage ? await cloudService(stage, closeAtEnd) : await localService(closeAtEnd);
    const selection = { ...span, account, kind, queue };
    const bar = progressBar('Messages sent');
    const sendAll = sender(sqs, urlOf);
    const send = (messages: readonly Outgoing[]) =>
      sendAll(messages).then(() => bar.advance(messages.length));
    const replayed = await replayEvents(selection, { send, rate, dryRun }).finally(bar.end);
    const { events, messages, resumedAfter: place } = replayed;
    const resumed = place ? `It goes on after event ${place.event} of account ${place.account}.\n` : '';
    const verb = dryRun ? 'would be sent' : 'were sent';
    const text = `${resumed}${events} events ${verb}, as ${messages} messages.\n`;
    print({ ...replayed, dryRun }, json ? undefined : text);
  },
);
