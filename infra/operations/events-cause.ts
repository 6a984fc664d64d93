import { randomBytes } from 'node:crypto';
import { happeningOf, isEventKind, isHappening } from '../../shared/events/kinds.ts';
import {
  eventCatalogue,
  eventKindGroups,
  happeningCatalogue,
  happenings,
} from '../../shared/resources/derived.ts';
import type { EventKind, Happening } from '../../shared/resources/registry.ts';
import { createAccount } from '../administration/create-account.ts';
import { startAction } from '../scenes/http-caller.ts';
import { shortenedList } from '../shortened-list.ts';
import { causeEvent, reasonAgainst } from './cause-event.ts';
import { nearestKind } from './nearest-kind.ts';
import { InvalidOption } from './options.ts';
import { print, textTable } from './print.ts';
import { runningService, useTableOf } from './service-at.ts';
import { signIn } from './sign-in.ts';

/** The maximum number of created records in the text output. */
const mostListed = 10;

const listOf = (created: readonly string[]): string[] =>
  created.length === 0 ? ['no remaining record'] : shortenedList(created, mostListed);

type Options = { list?: boolean; baseUrl?: string; json?: boolean };

export default async function (
  { list, baseUrl: given, json = false }: Options,
  kind?: string,
): Promise<void> {
  if (list) return printKinds(json);
  if (kind === undefined) throw new InvalidOption('<kind> is required. --list lists all kinds.');
  if (!isEventKind(kind) && !isHappening(kind))
    throw new InvalidOption(`Unknown event kind ${kind}. Did you mean ${nearestKind(kind)}?`);
  const reason = reasonAgainst(kind);
  if (reason !== undefined) throw new Error(reason);
  if (given === undefined) runningService();
  const action = startAction(signIn(given), given === undefined ? otherAccount : undefined);
  const { event, created: records } = await causeEvent(kind, action);
  const created = [...records];
  const { type, id, label = '' } = event.subject;
  const happening = happeningOf(event);
  const lines = [
    `event    ${event.id}`,
    `kind     ${[event.kind, ...(happening ? [happening] : [])].join(' ')}`,
    `subject  ${type} ${id} ${label}`.trimEnd(),
    ...listOf(created).map((record, n) => (n === 0 ? 'created' : '').padEnd(9) + record),
  ];
  print({ event, created }, json ? undefined : lines);
}

/** Creates another account in the table of the local service. */
async function otherAccount() {
  await useTableOf(undefined);
  const unique = randomBytes(5).toString('hex');
  return createAccount({
    name: `Cause ${unique}`,
    adminEmail: `cause-${unique}@example.com`,
    adminPassword: randomBytes(18).toString('base64url'),
  });
}

/** Prints each event kind and happening with its description. Kinds that this command cannot cause are marked. */
function printKinds(json: boolean): void {
  const catalogue = { ...eventCatalogue, ...happeningCatalogue };
  const names: [group: string, kinds: readonly (EventKind | Happening)[]][] = [
    ...Object.entries(eventKindGroups),
    ['Happenings of no_event_name', happenings],
  ];
  const groups = names.map(([group, kinds]) => ({
    group,
    kinds: kinds.map((kind) => ({
      kind,
      description: catalogue[kind].description,
      impossible: reasonAgainst(kind),
    })),
  }));
  const linesOf = ({ group, kinds }: (typeof groups)[number]) => {
    const rows = kinds.map(({ kind, description, impossible }) => [
      `  ${impossible ? '-' : ' '} ${kind}`,
      description,
    ]);
    return [group, ...textTable(rows), ''];
  };
  const marks =
    'The command cannot cause the kinds that are marked with "-". To see the reason, run the command with the kind.';
  print(groups, json ? undefined : [...groups.flatMap(linesOf), marks]);
}
