import type { Client } from '../../client/client.ts';
import type { SendRequest, WithId } from '../send-requests.ts';
import type { DemoPlan } from './plan.ts';

/** The maximum number of parallel requests. */
export const parallel = 8;

/** The plan of the demo company, and the functions that create its records. */
export interface DemoCompany {
  plan: DemoPlan;
  client: Client;
  account: string;
  send: SendRequest;
  /** Creates the records of a step in parallel and reports the progress. */
  each<T>(step: string, all: readonly T[], create: (one: T, n: number) => Promise<unknown>): Promise<void>;
}

/** Returns all records of a list. The caller declares the fields that it reads. */
export async function readAll<T>({ client }: Pick<DemoCompany, 'client'>, path: string): Promise<T[]> {
  const found: T[] = [];
  const query = { pageSize: 100 };
  for await (const record of client.list(path as `/${string}`, { params: { query } }))
    found.push(record as T);
  return found;
}

/**
 * Creates the planned records that a list lacks. Returns all records, in the order of the plan. A planned record is in the
 * list if a record there has the same value of the field `key`. The records of a step are created in parallel. Without a
 * step, they are created one after the other, so that their order is the same in every run.
 */
export async function ensure<T extends WithId = WithId>(
  company: DemoCompany,
  path: string,
  key: string,
  planned: readonly object[],
  step?: string,
): Promise<T[]> {
  const valueIn = (record: object) => (record as Record<string, unknown>)[key];
  const known = await readAll<T>(company, path);
  const records: T[] = [];
  const create = async (one: object, n: number) => {
    const found = known.find((record) => valueIn(record) === valueIn(one));
    records[n] = found ?? (await company.send<T>('POST', path, one));
  };
  if (step !== undefined) await company.each(step, planned, create);
  else for (const [n, one] of planned.entries()) await create(one, n);
  return records;
}

/** Returns the item at an index of the plan. Throws if there is no item at this index. */
export function at<T>(all: readonly T[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error(`The plan has no record ${index}.`);
  return found;
}
