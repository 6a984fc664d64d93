import { html, nothing, type TemplateResult } from 'lit-html';
import { call } from '../api.ts';
import {
  type ApiDocument,
  type ApiPlace,
  addressOf,
  apiDocument,
  type DocumentedOperation,
  type DocumentedSchema,
  isFields,
  type JsonFields,
  type Parameter,
  pathAt,
  titleOf,
} from '../api-document.ts';
import { allCallers, chooseCaller, request, signInUser } from '../caller.ts';
import { counted } from '../format.ts';
import { type Loaded, operationsView } from '../operation-view.ts';
import { inputsView, parametersIn } from '../request-form.ts';
import { actions } from '../run-action.ts';
import type { Screen } from '../screen.ts';
import { submitTo } from '../submit-form.ts';
import { type Content, fieldsView, recordTable } from '../value-view.ts';

/** The rows of a list below a record, without a link to its other rows. */
const mostRowsBelow = 10;

/**
 * All records of the API, with their lists and operations. The screen is made from the OpenAPI document. Its addresses contain
 * the paths of the API: `#/records/leads?search=ada` shows `GET /leads?search=ada`.
 */
export const recordsScreen: Screen = {
  title: 'Records',
  async open(path, update, query) {
    const [api, callers] = await Promise.all([apiDocument(), allCallers()]);
    const page = path.length === 0 ? openIndex(api, update) : await openPlace(api, path, query, update);
    const caller = callerView(callers, update);
    return { view: () => html`${caller()}${page()}` };
  },
};

type View = () => TemplateResult;

/** Reads the screen again, with another caller for example. */
const reopen = () => dispatchEvent(new HashChangeEvent('hashchange'));

function callerView(callers: { name: string; isChosen: boolean }[], update: () => void): View {
  const action = actions(update);
  const choose = (event: Event) => {
    chooseCaller((event.currentTarget as HTMLSelectElement).selectedIndex);
    reopen();
  };
  const enter = ({ email = '', password = '' }: Record<string, string>) =>
    action.run(async () => {
      await signInUser(email, password);
      reopen();
    }, 'Signed in.');
  return () => html`<section class="caller" aria-label="Caller">
      <label>Requests are sent by <select @change=${choose}>${callers.map(({ name, isChosen }) => html`<option ?selected=${isChosen}>${name}</option>`)}</select></label>
    <details><summary>Sign in as another user</summary><form class="filters" @submit=${submitTo(enter)}>
      <label>Email <input name="email" type="email" required autocomplete="off"></label>
      <label>Password <input name="password" type="password" required autocomplete="off"></label>
      <button type="submit">Sign in</button>
    </form>${action.view()}</details></section>`;
}

/** All places and operations that are below no other place, in the groups of the API reference. */
function openIndex(api: ApiDocument, update: () => void): View {
  const operations = operationsView(api, { template: '', values: {} }, { update, done: () => {} });
  const [places, changes] = [api.placesBelow(), api.changesAt()];
  const groupOf = (template: string) => (api.operationAt('GET', template) ?? api.listOf(template))?.tags[0];
  return () => html`<h1>Records</h1>
    <div class="groups">${api.tags.map(({ name, description }) => {
      const own = places.filter((template) => groupOf(template) === name);
      return html`<section class="card"><h2>${name}</h2><p class="note">${description}</p>
        ${placeLinks(api, { template: '', values: {} }, own)}
        ${operations(
          changes.filter(({ tags }) => tags.includes(name)),
          {},
        )}
      </section>`;
    })}</div>`;
}

/** Links to places. A place whose address needs more values has a form. */
function placeLinks(api: ApiDocument, { values }: ApiPlace, templates: readonly string[]): Content {
  if (templates.length === 0) return nothing;
  const view = (template: string) => {
    const operation = api.operationAt('GET', template);
    const place = { template, values };
    const missing = (operation?.inputs ?? []).filter((one) => one.in === 'path' && !(one.name in values));
    if (!operation || missing.length > 0)
      return html`<details class="operation"><summary>${operation?.summary ?? template}</summary>
        <form @submit=${openWith(place)}>${inputsView(api, template, missing, {})}<p><button type="submit">Open</button></p></form></details>`;
    // A public document is shown by the browser, without the console.
    const address = operation.security?.length === 0 ? template : addressOf(place);
    return html`<p class="operation"><a href=${address}>${operation.summary}</a> <code>${pathAt(place)}</code></p>`;
  };
  return html`${templates.map(view)}`;
}

const openWith = (place: ApiPlace) => (event: SubmitEvent) => {
  event.preventDefault();
  const entered = parametersIn(event.currentTarget as HTMLFormElement);
  location.hash = addressOf({ ...place, values: { ...place.values, ...Object.fromEntries(entered) } });
};

/** The result of a GET. */
interface Read extends Loaded {
  operation?: DocumentedOperation;
  rows?: JsonFields[];
  /** The number of pages and of rows, if the list has pages. */
  pages?: { current: number; pages: number; total: number };
  /** The place of a record that was found by another id. */
  place?: ApiPlace;
  /** The address of a frame with an HTML page. */
  frame?: string;
  error?: string;
}

async function openPlace(
  api: ApiDocument,
  path: string[],
  query: URLSearchParams,
  update: () => void,
): Promise<View> {
  const given = api.placeOf(path);
  if (!given)
    return () =>
      html`<h1>Records</h1><p role="alert">The API has no path <code>/${path.join('/')}</code>.</p>`;
  let read = await readPlace(api, given, query);
  const place = read.place ?? given;
  let below = await listsBelow(api, place, read);
  const done = async ({ method, path: changed }: DocumentedOperation) => {
    const above = api.placeAbove(place.template);
    if (method === 'DELETE' && changed === place.template && above !== undefined) {
      location.hash = addressOf({ ...place, template: above });
      return;
    }
    read = await readPlace(api, place, query);
    below = await listsBelow(api, place, read);
    update();
  };
  const operations = operationsView(api, place, { update, done });
  const [places, changes] = [api.placesBelow(place.template), api.changesAt(place.template)];
  return () => html`${crumbs(api, place)}
    <h1>${headingOf(api, place, read)}</h1>
    <p class="note"><code>${pathAt(place)}</code></p>
    ${read.error === undefined ? nothing : html`<p class="error" role="alert">${read.error}</p>`}
    ${changes.length === 0 ? nothing : html`<section class="card" aria-label="Changes">${operations(changes, read)}</section>`}
    ${read.operation ? contentView(api, place, read, query) : nothing}
    ${below.map(
      ({ template, read: list }) => html`<section class="card"><h2>${list.operation?.summary}</h2>
        ${tableView(api, { ...place, template }, list)}
        <p><a href=${addressOf({ ...place, template })}>All, and changes: ${list.operation?.summary}</a></p></section>`,
    )}
    ${placeLinks(
      api,
      place,
      places.filter(
        (template) =>
          api.listOf(template)?.path !== place.template && !below.some((one) => one.template === template),
      ),
    )}`;
}

/** The places above a place, with the titles of their groups. */
function crumbs(api: ApiDocument, place: ApiPlace): TemplateResult {
  const above: string[] = [];
  for (let next = api.placeAbove(place.template); next !== undefined; next = api.placeAbove(next))
    above.unshift(next);
  return html`<p class="crumb"><a href="#/records">Records</a>${above.map((template) => {
    const own = { ...place, template };
    return html` · <a href=${addressOf(own)}>${nameOf(own)}</a>`;
  })}</p>`;
}

/** The last part of a path, such as `leads` or the id of a lead. */
const nameOf = (place: ApiPlace): string => decodeURIComponent(pathAt(place).split('/').at(-1) ?? '');

function headingOf(api: ApiDocument, place: ApiPlace, { record, operation }: Read): string {
  const title = record && titleOf(recordOperation(api, place), record);
  const isNamed = operation && !(record && place.template.endsWith('}'));
  return title || (isNamed ? operation.summary : nameOf(place));
}

/** The operation that reads a record, or the list that contains it. */
const recordOperation = (api: ApiDocument, { template }: ApiPlace): DocumentedOperation | undefined =>
  api.operationAt('GET', template) ?? api.listOf(template);

/** Reads a place. Reads a record from its list if it has no GET, or if the path contains another id of the record. */
async function readPlace(api: ApiDocument, place: ApiPlace, query: URLSearchParams): Promise<Read> {
  const operation = api.operationAt('GET', place.template);
  const list = api.listOf(place.template);
  try {
    if (operation) return await readOperation(api, operation, place, query);
    throw new Error('The record is not among the first 100 of its list.');
  } catch (error) {
    const found = list && (await findInList(list, place));
    if (found)
      return { operation: operation ?? list, record: found, place: api.recordIn(list, place, found) };
    return {
      operation: operation && requiredOf(operation, query).length > 0 ? operation : undefined,
      error: (error as Error).message,
    };
  }
}

async function findInList(list: DocumentedOperation, place: ApiPlace): Promise<JsonFields | undefined> {
  const target = pathAt({ ...place, template: list.path });
  const id = nameOf(place);
  const hint = list['x-record'];
  const { body } = await request('GET', `${target}?pageSize=100`).catch(() => ({ body: [] }));
  return rowsIn(body)?.find((row) => String(row.id) === id || (hint && String(row[hint.id]) === id));
}

const requiredOf = ({ inputs }: DocumentedOperation, query: URLSearchParams) =>
  inputs.filter(({ name, in: where, required }) => where === 'query' && required && !query.get(name));

async function readOperation(
  api: ApiDocument,
  operation: DocumentedOperation,
  place: ApiPlace,
  query: URLSearchParams,
): Promise<Read> {
  const missing = requiredOf(operation, query).map(({ name }) => name);
  if (missing.length > 0) return { operation, error: `Enter ${missing.join(' and ')}.` };
  const { body, headers } = await request('GET', `${pathAt(place)}${query.size > 0 ? `?${query}` : ''}`);
  if (!operation.response)
    return { operation, frame: (await call<{ frame: string }>('POST', 'frames', { html: body })).frame };
  const rows = api.rowOf(operation) && rowsIn(body);
  if (!rows) return { operation, record: isFields(body) ? body : {}, etag: headers.get('etag') ?? undefined };
  const { totalCount, totalPages, currentPage } = body as Record<string, number | undefined>;
  const number = (value: number | undefined, header: string) => value ?? Number(headers.get(header) ?? 1);
  const pages = {
    current: number(currentPage, 'x-current-page'),
    pages: number(totalPages, 'x-total-pages'),
    total: totalCount ?? Number(headers.get('x-total-count') ?? rows.length),
  };
  return { operation, rows, pages };
}

function rowsIn(body: unknown): JsonFields[] | undefined {
  const list = isFields(body) ? body.data : body;
  return Array.isArray(list) ? list.filter(isFields) : undefined;
}

/** Reads the first rows of each list of a record. */
async function listsBelow(
  api: ApiDocument,
  place: ApiPlace,
  { record }: Read,
): Promise<{ template: string; read: Read }[]> {
  if (!record || !place.template.endsWith('}')) return [];
  const lists = api.placesBelow(place.template).flatMap((template) => {
    const operation = api.operationAt('GET', template);
    return operation && api.rowOf(operation) && requiredOf(operation, new URLSearchParams()).length === 0
      ? [{ template, operation }]
      : [];
  });
  return Promise.all(
    lists.map(async ({ template, operation }) => {
      const query = new URLSearchParams({ pageSize: String(mostRowsBelow) });
      const paged = operation.inputs.some(({ name }) => name === 'pageSize') ? query : new URLSearchParams();
      return { template, read: await readPlace(api, { ...place, template }, paged) };
    }),
  );
}

function contentView(api: ApiDocument, place: ApiPlace, read: Read, query: URLSearchParams): Content {
  const { operation, rows, record, frame } = read;
  if (!operation) return nothing;
  if (frame !== undefined)
    return html`<iframe class="mail" sandbox="" src=${frame} title=${operation.summary}></iframe>`;
  const filters =
    rows || requiredOf(operation, new URLSearchParams()).length > 0 || !place.template.endsWith('}');
  return html`${filters ? filterView(api, operation, place, query) : nothing}
    ${rows ? html`${tableView(api, place, read)}${pagesView(place, read, query)}` : nothing}
    ${record ? html`<section class="card" aria-label="Fields">${fieldsView(api, record, operation.response)}</section>` : nothing}`;
}

/** The search, the order and the filters of a list. The address of the page contains them. */
function filterView(
  api: ApiDocument,
  operation: DocumentedOperation,
  place: ApiPlace,
  query: URLSearchParams,
): Content {
  const own = operation.inputs
    .filter(({ name, in: where }) => where === 'query' && !['page', 'pageSize', 'cursor'].includes(name))
    .sort((one, other) => Number(other.name === 'search') - Number(one.name === 'search'));
  if (own.length === 0) return nothing;
  const first = own.flatMap((one): Parameter[] => {
    if (one.name === 'sort')
      return [{ ...one, schema: { enum: sortsIn(one.schema) }, description: undefined }];
    return one.name === 'search' || one.required ? [one] : [];
  });
  const others = own.filter(({ name }) => !first.some((one) => one.name === name));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const entered = new URLSearchParams();
    for (const [path, value] of new FormData(event.currentTarget as HTMLFormElement))
      for (const one of value === '' ? [] : String(value).split(/\r?\n/))
        entered.append(path.replace('?', ''), one);
    location.hash = `${addressOf(place)}${entered.size > 0 ? `?${entered}` : ''}`;
  };
  const current = Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
  const count = others.filter(({ name }) => query.has(name)).length;
  return html`<form class="card" aria-label="Search and filters" @submit=${submit}>
    ${inputsView(api, 'filter', first, { values: current })}
    ${others.length === 0 ? nothing : html`<details ?open=${count > 0}><summary>${count > 0 ? counted(count, 'filter') : 'Filters'}</summary>${inputsView(api, 'filter', others, { values: current })}</details>`}
    <p><button type="submit">Show</button> <a href=${addressOf(place)}>Show everything</a></p>
  </form>`;
}

/** The values of a parameter `sort`, from its pattern, which lists the fields. */
const sortsIn = ({ pattern = '' }: DocumentedSchema): string[] =>
  (/\((.*?)\)/.exec(pattern)?.[1] ?? '').split('|').flatMap((field) => [field, `-${field}`]);

function tableView(api: ApiDocument, place: ApiPlace, { operation, rows = [], error }: Read): Content {
  if (error !== undefined) return html`<p>${error}</p>`;
  const schema = operation && api.rowOf(operation);
  if (!operation || !schema) return nothing;
  if (rows.length === 0) return html`<p>There are no records.</p>`;
  const titles = operation['x-record']?.title ?? [];
  return recordTable(api, operation.summary, { rows, schema, titles }, (row) => {
    const record = api.recordIn(operation, place, row);
    const title = titleOf(operation, row);
    return record
      ? html`<a href=${addressOf(record)}>${title || nameOf(record)}</a>`
      : html`<details><summary>${title || 'Details'}</summary>${fieldsView(api, row, schema)}</details>`;
  });
}

function pagesView(place: ApiPlace, { pages }: Read, query: URLSearchParams): Content {
  if (!pages || pages.total === 0) return nothing;
  const { current, pages: last, total } = pages;
  const linkTo = (page: number, text: string) => {
    const next = new URLSearchParams(query);
    next.set('page', String(page));
    return html`<a href=${`${addressOf(place)}?${next}`}>${text}</a>`;
  };
  return html`<p class="pages">
    <span>${counted(total, 'record')}${last > 1 ? html`, page ${current} of ${last}` : nothing}</span>
    ${current > 1 ? linkTo(current - 1, 'Previous page') : nothing}
    ${current < last ? linkTo(current + 1, 'Next page') : nothing}
  </p>`;
}
