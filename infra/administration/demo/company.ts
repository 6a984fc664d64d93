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
 * Returns the ids of records in the order of the plan. Finds existing records by their name. Creates the missing
 * records one after the other, so that their order is the same in every run.
 */
export async function ensureNamed<T extends { name: string }>(
  company: DemoCompany,
  path: string,
  planned: readonly T[],
): Promise<number[]> {
  const known = await readAll<{ id: number; name: string }>(company, path);
  const ids: number[] = [];
  for (const one of planned) {
    const { id }: WithId =
      known.find(({ name }) => name === one.name) ?? (await company.send('POST', path, one));
    ids.push(Number(id));
  }
  return ids;
}

/** Returns the item at an index of the plan. Throws if there is no item at this index. */
export function at<T>(all: readonly T[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error(`The plan has no record ${index}.`);
  return found;
}
