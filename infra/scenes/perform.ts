import { putFile } from '../administration/upload-file.ts';
import type { Caller, Params, Route, SceneInput, SceneRequest } from './caller.ts';

/** A record that a scene created. */
interface CreatedRecord {
  /** The path parameters that name the record and its parents. */
  params: Params;
  /** The response to the creation. Empty for records that are named without a creation. */
  record: Readonly<Record<string, unknown>>;
}

const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const creationAt = (path: string): Route => `POST ${collectionOf(path)}` as Route;

/**
 * The part of a path that names a record: `/apikeys/{id}` of `/apikeys/{id}/permissions`, or the whole path of a child
 * record. Empty if the path names none.
 */
export async function recordPathOf({ scenes, operation }: Caller, path: string): Promise<string> {
  const [known] = Object.keys(scenes.records)
    .filter((start) => path.startsWith(start))
    .sort((one, other) => other.length - one.length);
  if (known !== undefined) return known;
  const parts = [...path.matchAll(/\{\w+\}/g)].map(({ index, 0: name }) =>
    path.slice(0, index + name.length),
  );
  const [first = '', ...below] = parts;
  let found = first;
  // A membership `…/accounts/{accountId}` belongs to its user.
  for (const part of below)
    if (!part.endsWith('/{accountId}') && (await operation(creationAt(part)))?.creates) found = part;
  return found;
}

/** The parts of a creation that replace or extend the scene of its route. */
interface Given {
  /** The path parameters of the parents. Default: new parents. */
  parents?: Params;
  /** Fields that are added to the body. */
  fields?: object;
}

/** Creates the record that a path names, with its parents. Throws if no scene and no POST creates it. */
export async function createAt(caller: Caller, path: string, given: Given = {}): Promise<CreatedRecord> {
  const known = caller.scenes.records[path];
  if (known) return { params: await known(caller), record: {} };
  const created = await describeAt(caller, path, given);
  if (!isDocument(path)) return created;
  await putFile(created.record);
  await caller.send(`POST ${path}/complete` as Route, { params: created.params });
  return created;
}

const isDocument = (path: string): boolean => path.endsWith('/documents/{documentId}');

/** Creates a record, without the file of a document. */
async function describeAt(
  caller: Caller,
  path: string,
  { parents, fields }: Given = {},
): Promise<CreatedRecord> {
  const creation = creationAt(path);
  if (!(await caller.operation(creation)))
    throw new Error(
      `No ${creation} creates a record for '${path}'. Add one to \`records\` in infra/scenes/records.ts.`,
    );
  const collection = collectionOf(path);
  const { by = caller, body, ...input } = await requestOf(caller, creation, parents);
  const completed = fields ? { ...(body as object | undefined), ...fields } : body;
  const record = await by.send<Record<string, unknown>>(creation, { ...input, body: completed });
  const name = path.slice(collection.length + 2, -1);
  const value = record[name] ?? record.id;
  const own = /^\d+$/.test(String(value)) ? Number(value) : String(value);
  return { params: { ...input.params, [name]: own }, record };
}

/** Prepares a request of a route that succeeds. Creates the records in its path, unless `params` names them. */
export async function requestOf(caller: Caller, route: Route, params?: Params): Promise<SceneRequest> {
  const [, path = ''] = route.split(' ');
  const names = params ?? (await namesIn(caller, path));
  const { example } = (await caller.operation(route)) ?? {};
  const scene = caller.scenes.requests[route] ?? {};
  const { fields, ...parts } = typeof scene === 'function' ? await scene(caller, names) : scene;
  return {
    params: names,
    body: fields ? { ...(example as object | undefined), ...fields } : example,
    ...parts,
  };
}

async function namesIn(caller: Caller, path: string): Promise<Params> {
  const recordPath = await recordPathOf(caller, path);
  if (recordPath === '') return {};
  if (!isDocument(recordPath) || path !== `${recordPath}/complete`)
    return (await createAt(caller, recordPath)).params;
  const { params, record } = await describeAt(caller, recordPath);
  await putFile(record);
  return params;
}

/** Sends a request of a route that succeeds. `input` replaces parts of the scene. */
export async function perform<T = Record<string, unknown>>(
  caller: Caller,
  route: Route,
  input: SceneInput = {},
): Promise<T> {
  const { by = caller, ...prepared } = await requestOf(caller, route, input.params);
  return by.send<T>(route, { ...prepared, ...input });
}
