import { readFileSync } from 'node:fs';
import type { AccountId } from '../../shared/id/account-id.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import { shortenedList } from '../shortened-list.ts';
import type { StageSettings } from '../stage-settings.ts';
import { ownerSources } from './choose-owner.ts';
import { type FilledOwners, type FilledRecords, fillOwners } from './fill-owners.ts';
import { print } from './print.ts';
import { requireAccount } from './require-account.ts';
import { useTableOf } from './service-at.ts';

/** The most ids and values of `repcode` that are printed. The JSON contains all of them. */
const mostPrinted = 20;

type Options = {
  account: AccountId;
  before?: string;
  repcodes?: string;
  dryRun?: boolean;
  json?: boolean;
  stage?: StageSettings;
};

export default async function ({ account, before, repcodes, dryRun, json, stage }: Options): Promise<void> {
  const users = repcodes === undefined ? {} : usersIn(readFileSync(repcodes, 'utf8'));
  await useTableOf(stage);
  await requireAccount(account);
  const filled = await withProgressBar('Records read', (advance) =>
    fillOwners(account, { isPreview: dryRun, createdBefore: before, repcodes: users }, advance),
  );
  const unknownRepcodes = Object.fromEntries(filled.unknownRepcodes);
  const result = { accountId: account, dryRun: dryRun === true, ...filled, unknownRepcodes };
  print(result, json ? undefined : linesOf(filled, dryRun));
}

/** Parses the file of the option --repcodes: a JSON object with the id or email of a user for each `repcode`. */
function usersIn(text: string): Record<string, string> {
  const explained = new Error('--repcodes must be a JSON file such as {"R-17": "ada@example.com"}.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw explained;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw explained;
  if (!Object.values(parsed).every((name) => typeof name === 'string')) throw explained;
  return Object.fromEntries(Object.entries(parsed).map(([repcode, name]) => [repcode.trim(), name]));
}

function linesOf(
  { applications, merchants, undecided, unknownRepcodes }: FilledOwners,
  isPreview = false,
): string[] {
  const list = (entries: string[]) => shortenedList(entries, mostPrinted).join(', ');
  const repcodes = [...unknownRepcodes].map(([repcode, count]) => `${repcode} (${count})`);
  return [
    ...(isPreview ? ['Preview: nothing was changed.'] : []),
    `Applications: ${countsOf(applications)}.`,
    `Merchants: ${countsOf(merchants)}.`,
    ...(undecided.length > 0 ? [`Without an owner: ${list(undecided.map(String))}.`] : []),
    ...(repcodes.length > 0 ? [`Repcodes that name no active user: ${list(repcodes)}.`] : []),
  ];
}

const countsOf = (filled: FilledRecords): string =>
  [
    `${filled.owned} have an owner`,
    ...ownerSources.flatMap((source) =>
      filled[source] > 0 ? [`${filled[source]} get one from the ${source}`] : [],
    ),
    `${filled.undecided} remain without one`,
  ].join(', ');
