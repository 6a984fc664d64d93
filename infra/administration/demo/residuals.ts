import { setTimeout as wait } from 'node:timers/promises';
import { describedBy, putFile } from '../upload-file.ts';
import { at, type DemoCompany, ensure, readAll } from './company.ts';
import type { Staff } from './staff.ts';

/** The processors of the demo company, with the headers of their files. */
export const demoProcessors = [
  {
    name: 'Northwind',
    delimiter: ',',
    headers: ['MID', 'DBA', 'Transactions', 'Volume', 'Income', 'Expense', 'Net'],
  },
  {
    name: 'Harbor Processing',
    delimiter: ';',
    headers: ['Merchant Number', 'Merchant Name', 'Count', 'Sales Volume', 'Revenue', 'Costs', 'Residual'],
  },
  {
    name: 'Pacific Card',
    delimiter: '\t',
    headers: [
      'Merchant ID',
      'Business Name',
      'Items',
      'Net Sales',
      'Gross Income',
      'Total Cost',
      'Net Income',
    ],
  },
] as const;
type Processor = (typeof demoProcessors)[number];

/** The most MIDs of a file. */
const mostMids = 12;
/** The waits for a background job, in milliseconds. */
const [waitTime, mostWaits] = [500, 600];

interface KnownMid {
  mid: string;
  dba: string;
}

interface Stated {
  id: number;
  state: string;
  suggestion?: object;
}

/** The month before the current one: `2026-10`. */
const lastMonth = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
};

/**
 * Creates a month of residuals: the files of three processors, the agreements of four agents on two levels, and the posted
 * run with its statements. Skips what an earlier run has already done.
 */
export async function createResiduals(
  company: DemoCompany,
  staff: Staff,
  merchants: readonly number[],
): Promise<void> {
  const month = lastMonth();
  const mids = await readMids(company, merchants);
  if (mids.length === 0) return;
  await createAgreements(company, staff, month);
  const files = await readAll<Stated & { processor: string; month: string }>(company, '/residual-files');
  await company.each('residuals', demoProcessors, async (processor, n) => {
    const isRead = files.some(
      (file) => file.processor === processor.name && file.month === month && file.state === 'read',
    );
    if (isRead) return;
    const own = mids.filter((_, place) => place % demoProcessors.length === n).slice(0, mostMids);
    if (own.length > 0) await createFile(company, processor, month, own);
  });
  await postRun(company, month);
}

/** Reads the MIDs of the first merchants. */
async function readMids(company: DemoCompany, merchants: readonly number[]): Promise<KnownMid[]> {
  const all: KnownMid[] = [];
  for (const id of merchants.slice(0, demoProcessors.length * mostMids)) {
    const { dba = `Merchant ${id}` } = await company.send<{ dba?: string }>(
      'GET',
      `/merchants/${id}?reveal=false`,
    );
    for (const { mid } of await readAll<{ mid: string }>(company, `/merchants/${id}/mids`))
      all.push({ mid, dba });
  }
  return all;
}

/** Three agents have agreements. The fourth one, their lead, receives a part of the amounts of two of them. */
async function createAgreements(company: DemoCompany, { users }: Staff, month: string): Promise<void> {
  const known = await readAll<{ id: number }>(company, '/residual-agreements');
  if (known.length > 0) return;
  const agent = (n: number) => ({ type: 'user', id: at(users, n) });
  const lead = [{ beneficiary: agent(1), basisPoints: 500 }];
  const terms = [
    { beneficiary: agent(0), scope: {}, share: { basisPoints: 5_000, of: 'net' }, overrides: lead },
    {
      ...{ beneficiary: agent(2), scope: { processor: 'Harbor Processing' } },
      ...{ share: { basisPoints: 4_000, of: 'net' }, overrides: lead },
    },
    {
      ...{ beneficiary: agent(3), scope: { processor: 'Pacific Card' } },
      share: { basisPoints: 1_500, of: 'income' },
    },
  ];
  for (const one of terms) await company.send('POST', '/residual-agreements', { ...one, validFrom: month });
}

/** Uploads the file of a processor, confirms the suggested format, and reads the file. */
async function createFile(
  company: DemoCompany,
  processor: Processor,
  month: string,
  mids: readonly KnownMid[],
): Promise<void> {
  const content = contentOf(processor, mids);
  const file = await company.send<Stated & { upload?: object }>('POST', '/residual-files', {
    ...{ processor: processor.name, month, fileName: `${processor.name} ${month}.csv` },
    ...describedBy(content),
  });
  if (!file.upload) return;
  await putFile(file, content);
  const path = `/residual-files/${file.id}`;
  await company.send('POST', `${path}/complete`, {});
  const waiting = await ended(company, path, 'reading');
  if (waiting.suggestion === undefined) return;
  await ensure(company, '/residual-formats', 'processor', [waiting.suggestion]);
  await company.send('POST', `${path}/complete`, {});
  await ended(company, path, 'reading');
}

/** Returns the content of a file, in which each MID has one row, and the last row is the total. */
function contentOf({ headers, delimiter }: Processor, mids: readonly KnownMid[]): string {
  let total = 0;
  const rows = mids.map(({ mid, dba }, n) => {
    const volume = 4_000 + ((n * 7_919) % 90_000);
    const income = Math.round(volume * 2.9);
    const expense = Math.round(volume * 2.1) + 733;
    total += income - expense;
    const cents = (amount: number): string => (amount / 100).toFixed(2);
    const name = dba.replaceAll(/["\t;,]/g, ' ');
    return [
      mid,
      name,
      Math.ceil(volume / 37),
      `${volume}.00`,
      cents(income),
      cents(expense),
      cents(income - expense),
    ];
  });
  const last = ['Total', '', '', '', '', '', (total / 100).toFixed(2)];
  return [headers, ...rows, last].map((cells) => `${cells.join(delimiter)}\n`).join('');
}

/** Previews, approves and posts the run of the month. */
async function postRun(company: DemoCompany, month: string): Promise<void> {
  const runs = await readAll<Stated & { month: string }>(company, '/residual-runs');
  const known = runs.find((run) => run.month === month);
  const { id } = known ?? (await company.send<Stated>('POST', '/residual-runs', { month }));
  const path = `/residual-runs/${id}`;
  const { state } = await ended(company, path, 'calculating');
  if (state === 'preview') await company.send('POST', `${path}/approve`);
  if (state !== 'preview' && state !== 'approved') return;
  await company.send('POST', `${path}/post`);
  await ended(company, path, 'posting');
}

/** Waits until a background job has ended, so that the record has another state. */
async function ended({ send }: DemoCompany, path: string, state: string): Promise<Stated> {
  for (let n = 0; n < mostWaits; n++) {
    const found = await send<Stated>('GET', path);
    if (found.state !== state) return found;
    await wait(waitTime);
  }
  throw new Error(`${path} is still ${state}.`);
}
