import type { QueuedMessage } from '../../events/queue-messages.ts';
import { isEventKind } from '../../shared/events/kinds.ts';
import type { QueueName } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import { sender } from '../administration/send-messages.ts';
import type { StageSettings } from '../stage-settings.ts';
import { InvalidOption } from './options.ts';
import { print } from './print.ts';
import { replayEvents } from './replay-events.ts';
import { cloudService, localService } from './service-at.ts';

const longestSpan = 14 * 86_400_000;

type Options = {
  from: string;
  to: string;
  account?: AccountId;
  kind?: string;
  queue?: QueueName;
  rate: number;
  dryRun?: boolean;
  json?: boolean;
  stage?: StageSettings;
};

export default async function ({
  from,
  to,
  account,
  kind,
  queue,
  rate,
  dryRun = false,
  json,
  stage,
}: Options): Promise<void> {
  if (kind !== undefined && !isEventKind(kind))
    throw new InvalidOption('--kind must be an event kind listed by GET /event-kinds.');
  const span = { from: new Date(from), to: new Date(to) };
  if (span.from > span.to) throw new InvalidOption('--to must not be before --from.');
  if (span.to.getTime() - span.from.getTime() > longestSpan)
    throw new InvalidOption('--to must be at most 14 days after --from.');
  if (span.to.getTime() > Date.now()) throw new InvalidOption('--to must not be in the future.');
  const { sqs, urlOf } = stage ? await cloudService(stage) : await localService();
  const selection = { ...span, account, kind, queue };
  const sendAll = sender(sqs, urlOf);
  const replayed = await withProgressBar('Messages sent', (advance) => {
    const send = (messages: readonly QueuedMessage[]) =>
      sendAll(messages).then(() => advance(messages.length));
    return replayEvents(selection, { send, rate, dryRun });
  });
  const { events, messages, resumedAfter: place } = replayed;
  const resumed = place ? [`Continued after event ${place.event} of account ${place.account}.`] : [];
  const verb = dryRun ? 'would be sent' : 'were sent';
  const lines = [...resumed, `${events} events ${verb} as ${messages} messages.`];
  print({ ...replayed, dryRun }, json ? undefined : lines);
}
